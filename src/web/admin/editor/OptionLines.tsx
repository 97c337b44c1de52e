/** A field for options, one per line: counts them, warns of duplicates, and splits pasted lists. */
import type { ClipboardEvent } from "react";
import { parseOptions } from "../../../schema/enquiry/questions.ts";
import type { InputProps } from "./inputProps.ts";

export function OptionLines(props: InputProps) {
  const { control, onChange, onBlur, rows = 5 } = props;
  const { id, value } = control;
  const choices = parseOptions(value ?? "");
  const duplicates = [...new Set(choices.filter((each, index) => choices.indexOf(each) !== index))];
  const handlePaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = parsePastedChoices(event.clipboardData.getData("text/plain"));
    if (pasted.length < 2) return;
    event.preventDefault();
    const textarea = event.currentTarget;
    const { selectionStart: start, selectionEnd: end } = textarea;
    const isMidLine = start > 0 && textarea.value[start - 1] !== "\n";
    textarea.setRangeText((isMidLine ? "\n" : "") + pasted.join("\n"), start, end, "end");
    onChange(textarea.value);
  };
  return (
    <>
      <textarea
        {...control}
        aria-describedby={`${control["aria-describedby"] ?? ""} ${id}-count`.trim()}
        rows={Math.max(rows, choices.length + 1)}
        value={value ?? ""}
        placeholder={props.placeholder}
        onChange={({ target }) => onChange(target.value)}
        onPaste={handlePaste}
        onBlur={onBlur}
      />
      <output id={`${id}-count`} className="cluster note faint mt-12">
        {choices.length === 1 ? "1 option" : `${choices.length} options`}
        {duplicates.length > 0 && (
          <span data-tone="warn">{createDuplicatesMessage(duplicates)}</span>
        )}
      </output>
    </>
  );
}

function createDuplicatesMessage(duplicates: readonly string[]): string {
  const quoted = duplicates.map((each) => `"${each}"`).join(", ");
  return `${quoted} ${duplicates.length === 1 ? "is" : "are"} listed more than once.`;
}

/** Matches a bullet, a number or a letter at the beginning of a pasted item. */
const LIST_MARKER_PATTERN = /^(?:[-*•–·▪◦]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+/i;

/** Splits a pasted text at line breaks and tabs, else at semicolons, else at commas. Returns [] without any. */
function parsePastedChoices(text: string): string[] {
  const separator = [/[\r\n\t]+/, /;/, /,/].find((each) => each.test(text.trim()));
  if (!separator) return [];
  return text
    .split(separator)
    .map((item) => item.trim().replace(LIST_MARKER_PATTERN, ""))
    .filter((item) => item !== "");
}
