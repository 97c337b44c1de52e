/** The rich-text editor: Jodit with the dashboard's own toolbar. */
import joditCss from "jodit/es2021/jodit.min.css" with { type: "text" };
import type { IJodit } from "jodit/esm/types/jodit";
import JoditEditor from "jodit-react";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useMemo,
  useState,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { INDENT_STEP_PX, normalizeRichIndent } from "../../../schema/kinds/richTextRules.ts";
import { dismissUploads } from "../data/pendingUploads.ts";
import type { Upload } from "../data/uploads.ts";
import { PendingUploads } from "../parts/PendingUploads.tsx";
import { addPicturesLazily } from "../parts/ChooseFiles.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import type { InputProps } from "./inputProps.ts";
import { LinkDialog, type LinkSelection, readLinkSelection } from "./LinkDialog.tsx";
import { insertDragged, insertPasted, cleanPastedHtml, textToHtml } from "./cleanPastedHtml.ts";
import ownCss from "./RichTextField.css" with { type: "text" };
import { RichTextToolbar } from "./RichTextToolbar.tsx";

/** The operations that tools from `renderTools` can use. */
export interface TextTools {
  readonly insertText: (text: string) => void;
  readonly addPictures: (files: readonly File[]) => void;
}

export interface RichTextFieldProps extends InputProps {
  /** Renders additional tools below the toolbar. */
  readonly renderTools?: (tools: TextTools) => ReactNode;
}

export function RichTextField(props: RichTextFieldProps) {
  useStylesheet(joditCss + ownCss);
  const { label, onChange, onBlur } = props;
  const { id, value, "aria-describedby": noteId, "aria-invalid": isInvalid } = props.control;
  const [editor, setEditor] = useState<IJodit>();
  const [linkSelection, setLinkSelection] = useState<LinkSelection | null>(null);
  // Memoized, since Jodit restarts when its configuration changes.
  const config = useMemo(() => createConfig(id, label, noteId, setEditor), [id, label, noteId]);
  const lastRange = useRef<Range>(null);
  useRetainedSelection(editor?.editor, lastRange);
  const areaId = `${id}-pictures`;
  const tools: TextTools = {
    insertText: (text) => {
      editor?.s.insertHTML(text);
      editor?.synchronizeValues();
    },
    addPictures: (files) =>
      editor &&
      void addPicturesLazily(areaId, files, (upload) => insertPicture(editor, areaId, upload)),
  };
  const openLink = () => editor && setLinkSelection(readLinkSelection(editor));
  // Jodit reports input 100 ms late. Without this call, Save could miss the latest input.
  const flushInput = () => editor?.setEditorValue();
  const insertionHandlers = useInsertionHandlers(editor, tools.addPictures);
  return (
    <div className="rich-text" data-invalid={isInvalid}>
      <RichTextToolbar editor={editor} lastRange={lastRange} onLink={openLink} />
      {props.renderTools?.(tools)}
      <div
        role="presentation"
        onBlurCapture={flushInput}
        onKeyDownCapture={selectEmojiBeforeDeletion}
        onKeyDown={(event) => {
          if (!editor || !(event.ctrlKey || event.metaKey)) return;
          flushInput();
          if (event.key.toLowerCase() !== "k") return;
          event.preventDefault();
          openLink();
        }}
        {...insertionHandlers}
      >
        <JoditEditor
          value={value ?? ""}
          config={config}
          onChange={(html) => html !== value && onChange(html)}
          onBlur={onBlur}
        />
      </div>
      <PendingUploads areaId={areaId} />
      {editor && linkSelection && (
        <LinkDialog
          editor={editor}
          selection={linkSelection}
          onClose={() => setLinkSelection(null)}
        />
      )}
    </div>
  );
}

/** Inserts pasted and dropped content. Content dragged within the editor is moved, or copied with Ctrl or Option. */
function useInsertionHandlers(editor: IJodit | undefined, addPictures: TextTools["addPictures"]) {
  const draggedRangeRef = useRef<Range>(undefined);
  const insertTransfer = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    if (!editor?.editor.contains(event.target as Node)) return;
    event.preventDefault();
    event.stopPropagation();
    if ("clientX" in event) {
      editor.s.insertCursorAtPoint(event.clientX, event.clientY);
      const range = draggedRangeRef.current;
      // The browser doesn't send "dragend" for an element that has been moved.
      draggedRangeRef.current = undefined;
      // Option copies on macOS, Ctrl elsewhere.
      if (range) return insertDragged(editor, range, event.ctrlKey || event.altKey);
    }
    const files = [...data.files];
    const pasted = cleanPastedHtml(data.getData("text/html"));
    const pictures = pasted.html === "" && files.length > 0 ? files : pasted.pictures;
    const html = pasted.html || (pictures.length > 0 ? "" : textToHtml(data.getData("text/plain")));
    if (html !== "") insertPasted(editor, html);
    if (pictures.length > 0) addPictures(pictures);
  };
  return {
    onPasteCapture: (event: ClipboardEvent) => insertTransfer(event, event.clipboardData),
    onDragStartCapture: ({ target }: DragEvent) => {
      const range = editor?.s.range.cloneRange();
      // A picture or link that is dragged without being selected is dragged alone.
      const isDraggableElement =
        target instanceof HTMLImageElement || target instanceof HTMLAnchorElement;
      if (range && isDraggableElement && (range.collapsed || !range.intersectsNode(target)))
        range.selectNode(target);
      draggedRangeRef.current = range?.collapsed ? undefined : range;
    },
    onDragEndCapture: () => (draggedRangeRef.current = undefined),
    onDropCapture: (event: DragEvent) => insertTransfer(event, event.dataTransfer),
  };
}

/** Jodit would delete only a part of an emoji of several characters, so Backspace and Delete first select it. */
function selectEmojiBeforeDeletion({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  const selection = getSelection();
  if (
    !/^(?:Backspace|Delete)$/.test(key) ||
    ctrlKey ||
    metaKey ||
    altKey ||
    !selection?.isCollapsed
  )
    return;
  const isBackward = key === "Backspace";
  selection.modify("extend", isBackward ? "backward" : "forward", "character");
  if (!COMPOSED_EMOJI_PATTERN.test(String(selection)))
    if (isBackward) selection.collapseToEnd();
    else selection.collapseToStart();
}

/** Matches emoji that consist of several characters: pictures, flags and keycaps. */
const COMPOSED_EMOJI_PATTERN = /^\p{Extended_Pictographic}.|\p{RI}|^[\d#*]\ufe0f?\u20e3/u;

function insertPicture(editor: IJodit, areaId: string, { url, alt }: Upload): void {
  dismissUploads(areaId, ({ state }) => state.step === "added");
  editor.s.insertNode(editor.createInside.element("img", { src: url, alt }));
  editor.synchronizeValues();
}

function createConfig(
  id: string,
  label: string,
  noteId: string | undefined,
  onStart: (editor: IJodit) => void,
) {
  return {
    toolbar: false,
    theme: "dark",
    minHeight: 220,
    statusbar: false,
    disablePlugins: DISABLED_PLUGINS,
    indentMargin: INDENT_STEP_PX,
    events: {
      afterInit: (jodit: IJodit) => {
        const { editor } = jodit;
        editor.id = id;
        editor.setAttribute("role", "textbox");
        editor.setAttribute("aria-multiline", "true");
        // A browser's translation of this text would be saved.
        editor.translate = false;
        editor.setAttribute("aria-label", label);
        if (noteId) editor.setAttribute("aria-describedby", noteId);
        jodit.e.on("afterCommand", (command: string) => {
          if (command.toLowerCase() === "indent") limitIndents(jodit);
        });
        onStart(jodit);
      },
    },
  };
}

/** Limits indents to the deepest level that the site stores. */
function limitIndents(jodit: IJodit): void {
  for (const { style } of jodit.editor.querySelectorAll<HTMLElement>("[style*='margin-left']"))
    style.marginLeft = normalizeRichIndent(style.marginLeft) ?? "";
  jodit.synchronizeValues();
}

/** Turned off, because they load scripts from other servers or create content that the site doesn't store. */
const DISABLED_PLUGINS = [
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

/** A position in the text: the indexes of child nodes from the root down, and an offset in the last node. */
interface Position {
  readonly indexes: readonly number[];
  readonly offset: number;
}

interface RetainedSelection {
  readonly content: ChildNode | null;
  readonly anchor: Position;
  readonly focus: Position;
}

/**
 * Keeps the selection when a save replaces the text with what the server stored. Otherwise the next command would apply
 * to the start of the text. Must be called in the parent of the component that writes into `root`, so that the effects
 * run before and after the text is replaced. While the focus is elsewhere, only `lastRange` is set, since a new
 * selection would take the focus.
 */
function useRetainedSelection(
  root: HTMLElement | undefined,
  lastRange: RefObject<Range | null>,
): void {
  const retainedRef = useRef<RetainedSelection | undefined>(undefined);
  useLayoutEffect(() => {
    retainedRef.current = root && readSelection(root);
  });
  useEffect(() => {
    if (!root || !retainedRef.current || root.firstChild === retainedRef.current.content) return;
    const [anchor, focus] = [retainedRef.current.anchor, retainedRef.current.focus].map((each) =>
      findPosition(root, each),
    );
    if (!anchor || !focus) return;
    if (root.contains(document.activeElement))
      return getSelection()?.setBaseAndExtent(...anchor, ...focus);
    const range = document.createRange();
    range.setStart(...anchor);
    range.setEnd(...focus);
    // `setEnd` collapses the range if the selection was made backward.
    if (range.collapsed) range.setEnd(...anchor);
    lastRange.current = range;
  });
}

function readSelection(root: HTMLElement): RetainedSelection | undefined {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {};
  if (!anchorNode || !focusNode || !root.contains(anchorNode) || !root.contains(focusNode))
    return undefined;
  return {
    content: root.firstChild,
    anchor: { indexes: findIndexes(anchorNode, root), offset: anchorOffset ?? 0 },
    focus: { indexes: findIndexes(focusNode, root), offset: focusOffset ?? 0 },
  };
}

function findIndexes(node: Node, root: Node): number[] {
  const { parentNode } = node;
  if (node === root || !parentNode) return [];
  return [...findIndexes(parentNode, root), [...parentNode.childNodes].indexOf(node as ChildNode)];
}

/** Returns a position in the replaced text. Undefined if the server changed the text's structure. */
function findPosition(root: Node, { indexes, offset }: Position): [Node, number] | undefined {
  let node: Node | undefined = root;
  for (const index of indexes) node = node?.childNodes[index];
  if (!node) return undefined;
  const { length } = node instanceof Text ? node : node.childNodes;
  return [node, Math.min(offset, length)];
}
