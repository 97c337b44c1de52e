/** Rich text with Jodit; loaded only when a form shows it, its styles with it. */
import { Jodit } from "jodit/esm/index.js";
import joditCss from "jodit/es2021/jodit.min.css" with { type: "text" };
import JoditEditor from "jodit-react";
import { useMemo } from "react";
import { useSheet } from "../parts/useSheet.ts";
import { describedBy, type InputProps } from "./inputProps.ts";
import ownCss from "./RichTextField.css" with { type: "text" };

/** The toolbar as the specification has it (section 2, "About tab"). */
const BUTTONS = [
  ["paragraph"],
  ["bold", "italic", "underline", "strikethrough"],
  ["brush"],
  ["ul", "ol", "outdent", "indent"],
  ["left", "center", "right", "justify"],
  ["link", "eraser"],
].flatMap((group, at) => (at === 0 ? group : ["|", ...group]));

/** The editor in place of a field's input. */
export function RichTextField(props: InputProps) {
  useSheet(joditCss + ownCss);
  const { id, value, label, onChange, onLeave } = props;
  const { "aria-describedby": note } = describedBy(props);
  // Jodit starts again when its configuration changes.
  const config = useMemo(() => configOf(id, label, note), [id, label, note]);
  return (
    <div className="rich-text" data-invalid={props.invalid || undefined}>
      <JoditEditor
        value={value ?? ""}
        config={config}
        onChange={(html) => html !== value && onChange(html)}
        onBlur={onLeave}
      />
    </div>
  );
}

function configOf(id: string, label: string, note: string | undefined) {
  return {
    buttons: BUTTONS,
    toolbarAdaptive: false,
    theme: "dark",
    minHeight: 220,
    statusbar: false,
    // Options are merged: without atom() the headings 4 to 6 would stay.
    controls: {
      paragraph: {
        list: Jodit.atom({ p: "Text", h1: "Heading 1", h2: "Heading 2", h3: "Heading 3" }),
      },
    },
    // These fetch scripts from elsewhere, or offer what the site doesn't accept.
    disablePlugins: DISABLED,
    askBeforePasteHTML: false,
    askBeforePasteFromWord: false,
    defaultActionOnPaste: "insert_clear_html" as const,
    uploader: { insertImageAsBase64URI: true },
    events: {
      afterInit: ({ editor }: { editor: HTMLElement }) => {
        editor.id = id;
        editor.setAttribute("role", "textbox");
        editor.setAttribute("aria-multiline", "true");
        editor.setAttribute("aria-label", label);
        if (note) editor.setAttribute("aria-describedby", note);
      },
    },
  };
}

const DISABLED = [
  "about",
  "ai-assistant",
  "class-span",
  "file",
  "iframe",
  "media",
  "powered-by-jodit",
  "preview",
  "print",
  "search",
  "source",
  "speech-recognize",
  "spellcheck",
  "stat",
  "symbols",
  "video",
  "xpath",
];
