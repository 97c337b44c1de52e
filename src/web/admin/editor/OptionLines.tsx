/** Options, one per line: counted, duplicates marked, pasted lists split. */
import type { ClipboardEvent } from "react";
import { parseOptions } from "../../../schema/enquiry/questions.ts";
import type { InputProps } from "./inputProps.ts";

export function OptionLines(props: InputProps) {
  const { control, onChange, onLeave, rows = 5 } = props;
  const { id, value } = control;
  const choices = parseOptions(value ?? "");
  const doubles = [...new Set(choices.filter((each, at) => choices.indexOf(each) !== at))];
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const list = pastedChoices(event.clipboardData.getData("text/plain"));
    if (list.length < 2) return;
    event.preventDefault();
    const area = event.currentTarget;
    const { selectionStart: start, selectionEnd: end } = area;
    const isMidLine = start > 0 && area.value[start - 1] !== "\n";
    area.setRangeText((isMidLine ? "\n" : "") + list.join("\n"), start, end, "end");
    onChange(area.value);
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
        onPaste={paste}
        onBlur={onLeave}
      />
      <output id={`${id}-count`} className="meta note tabular faint mt-12">
        {choices.length === 1 ? "1 option" : `${choices.length} options`}
        {doubles.length > 0 && <span data-tone="warn">{duplicatesMessage(doubles)}</span>}
      </output>
    </>
  );
}

function duplicatesMessage(doubles: readonly string[]): string {
  const named = doubles.map((each) => `"${each}"`).join(", ");
  return doubles.length === 1 ? `${named} is listed twice.` : `${named} are listed twice.`;
}

/** A list marker: a bullet, a number, a letter. */
const MARK = /^(?:[-*•–·▪◦]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+/i;

/** The items of a pasted list: lines, table cells, or values between semicolons or commas. */
function pastedChoices(text: string): string[] {
  const separator = [/[\r\n\t]+/, /;/, /,/].find((each) => each.test(text.trim()));
  if (!separator) return [];
  return text
    .split(separator)
    .map((item) => item.trim().replace(MARK, ""))
    .filter((item) => item !== "");
}
