/** Rich text with Jodit; loaded only when a form shows it, its styles with it. */
import joditCss from "jodit/es2021/jodit.min.css" with { type: "text" };
import type { IJodit } from "jodit/esm/types/jodit";
import JoditEditor from "jodit-react";
import { type ClipboardEvent, type DragEvent, type ReactNode, useMemo, useState } from "react";
import { dismiss } from "../data/addings.ts";
import type { Upload } from "../data/uploads.ts";
import { AddingAt } from "../parts/AddingAt.tsx";
import { addPictures } from "../parts/ChooseFiles.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { describedBy, type InputProps } from "./inputProps.ts";
import { LinkBox, type LinkPlace, linkPlaceIn } from "./LinkBox.tsx";
import { cleanPasted } from "./pasted.ts";
import ownCss from "./RichTextField.css" with { type: "text" };
import { RichTextToolbar } from "./RichTextToolbar.tsx";

/** What further tools of a form do with the text that is being edited. */
export interface TextTools {
  /** Puts it where the cursor is. */
  readonly insertText: (text: string) => void;
  readonly addPictures: (files: readonly File[]) => void;
}

interface RichTextProps extends InputProps {
  /** Further tools, below those that every text has. */
  readonly tools?: (text: TextTools) => ReactNode;
}

/** The editor in place of a field's input, under buttons of our own. */
export function RichTextField(props: RichTextProps) {
  useSheet(joditCss + ownCss);
  const { id, value, label, onChange, onLeave } = props;
  const { "aria-describedby": note } = describedBy(props);
  const [editor, setEditor] = useState<IJodit>();
  const [link, setLink] = useState<LinkPlace | null>(null);
  // Jodit starts again when its configuration changes.
  const config = useMemo(() => configOf(id, label, note, setEditor), [id, label, note]);
  const place = `${id}-pictures`;
  const tools: TextTools = {
    insertText: (text) => {
      editor?.s.insertHTML(text);
      editor?.synchronizeValues();
    },
    addPictures: (files) =>
      editor && void addPictures(place, files, (upload) => insert(editor, place, upload)),
  };
  // Jodit tells of what is typed a tenth of a second later. Who presses Save by then means all of it.
  const handOver = () => editor?.setEditorValue();
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    if (!editor?.editor.contains(event.target as Node)) return;
    const pictures = [...data.files].filter(({ type }) => type.startsWith("image/"));
    const html = data.getData("text/html");
    if (html === "" && pictures.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (html !== "") editor.s.insertHTML(cleanPasted(html));
    else void addPictures(place, pictures, (upload) => insert(editor, place, upload));
  };
  return (
    <div className="rich-text" data-invalid={props.invalid || undefined}>
      <RichTextToolbar editor={editor} onLink={() => editor && setLink(linkPlaceIn(editor))} />
      {props.tools?.(tools)}
      <div
        role="presentation"
        onBlurCapture={handOver}
        onKeyDown={(event) => {
          if (!editor || !(event.ctrlKey || event.metaKey)) return;
          handOver();
          if (event.key.toLowerCase() !== "k") return;
          event.preventDefault();
          setLink(linkPlaceIn(editor));
        }}
        onPasteCapture={(event) => take(event, event.clipboardData)}
        onDropCapture={(event) => take(event, event.dataTransfer)}
      >
        <JoditEditor
          value={value ?? ""}
          config={config}
          onChange={(html) => html !== value && onChange(html)}
          onBlur={onLeave}
        />
      </div>
      <AddingAt place={place} />
      {editor && link && <LinkBox editor={editor} place={link} onClose={() => setLink(null)} />}
    </div>
  );
}

function insert(editor: IJodit, place: string, { url, alt }: Upload): void {
  dismiss(place, ({ state }) => state.step === "added");
  editor.s.insertNode(editor.createInside.element("img", { src: url, alt }));
  editor.synchronizeValues();
}

function configOf(
  id: string,
  label: string,
  note: string | undefined,
  onStart: (editor: IJodit) => void,
) {
  return {
    toolbar: false,
    theme: "dark",
    minHeight: 220,
    statusbar: false,
    // Its words would be Jodit's own; the label says what belongs here.
    showPlaceholder: false,
    disablePlugins: DISABLED,
    events: {
      afterInit: (jodit: IJodit) => {
        const { editor } = jodit;
        editor.id = id;
        editor.setAttribute("role", "textbox");
        editor.setAttribute("aria-multiline", "true");
        editor.setAttribute("aria-label", label);
        if (note) editor.setAttribute("aria-describedby", note);
        onStart(jodit);
      },
    },
  };
}

/** These fetch scripts from elsewhere, or offer what the site doesn't accept. */
const DISABLED = [
  "about",
  "ai-assistant",
  "class-span",
  "file",
  "iframe",
  "image-properties",
  "inline-popup",
  "link",
  "media",
  "powered-by-jodit",
  "preview",
  "print",
  "resizer",
  "search",
  "source",
  "speech-recognize",
  "spellcheck",
  "stat",
  "symbols",
  "video",
  "xpath",
];
