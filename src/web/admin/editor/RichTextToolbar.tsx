/** The rich-text editor's toolbar, in the dashboard's style (specification, section 2.11). */
import type { IJodit } from "jodit/esm/types/jodit";
import type { LucideIcon } from "lucide-react";
import Baseline from "lucide-react/icons/baseline";
import Bold from "lucide-react/icons/bold";
import Highlighter from "lucide-react/icons/highlighter";
import Italic from "lucide-react/icons/italic";
import Link from "lucide-react/icons/link";
import List from "lucide-react/icons/list";
import IndentLess from "lucide-react/icons/list-indent-decrease";
import IndentMore from "lucide-react/icons/list-indent-increase";
import ListOrdered from "lucide-react/icons/list-ordered";
import RemoveFormatting from "lucide-react/icons/remove-formatting";
import Strikethrough from "lucide-react/icons/strikethrough";
import AlignCenter from "lucide-react/icons/text-align-center";
import AlignRight from "lucide-react/icons/text-align-end";
import AlignJustify from "lucide-react/icons/text-align-justify";
import AlignLeft from "lucide-react/icons/text-align-start";
import Underline from "lucide-react/icons/underline";
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useState } from "react";

/** `command` is the name of Jodit's command. */
interface ToolbarTool {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly command: string;
}

const CHARACTER_TOOLS: readonly ToolbarTool[] = [
  { label: "Bold", icon: Bold, command: "bold" },
  { label: "Italic", icon: Italic, command: "italic" },
  { label: "Underline", icon: Underline, command: "underline" },
  { label: "Strikethrough", icon: Strikethrough, command: "strikethrough" },
];

const LIST_TOOLS: readonly ToolbarTool[] = [
  { label: "Bulleted list", icon: List, command: "insertUnorderedList" },
  { label: "Numbered list", icon: ListOrdered, command: "insertOrderedList" },
];

const INDENT_TOOLS: readonly ToolbarTool[] = [
  { label: "Decrease indent", icon: IndentLess, command: "outdent" },
  { label: "Increase indent", icon: IndentMore, command: "indent" },
];

const ALIGNMENT_TOOLS: readonly ToolbarTool[] = [
  { label: "Align left", icon: AlignLeft, command: "justifyLeft" },
  { label: "Center", icon: AlignCenter, command: "justifyCenter" },
  { label: "Align right", icon: AlignRight, command: "justifyRight" },
  { label: "Justify", icon: AlignJustify, command: "justifyFull" },
];

/** The commands that can be on or off. Jodit and `document.queryCommandState` use the same names. */
const STATE_COMMANDS = [...CHARACTER_TOOLS, ...LIST_TOOLS, ...ALIGNMENT_TOOLS].map(
  ({ command }) => command,
);

const PARAGRAPH_STYLES = { p: "Text", h1: "Heading 1", h2: "Heading 2", h3: "Heading 3" } as const;

const COLOR_TOOLS = [
  { label: "Text color", icon: Baseline, command: "forecolor" },
  { label: "Highlight color", icon: Highlighter, command: "background" },
] as const;

/** `editor` is undefined until Jodit has started. `lastRange` is the last selection in the text. */
interface RichTextToolbarProps {
  readonly editor: IJodit | undefined;
  readonly lastRange: RefObject<Range | null>;
  readonly onLink: () => void;
}

/** The Tab key reaches the toolbar once; arrow keys move the focus among its buttons. */
export function RichTextToolbar({ editor, lastRange, onLink }: RichTextToolbarProps) {
  const cursor = useCursorState(editor, lastRange);
  const run = (command: string, value?: string) => {
    if (!editor) return;
    cursor.restore();
    editor.execCommand(command, false, value);
    editor.synchronizeValues();
    cursor.update();
  };
  const renderButton = (
    { label, icon: Icon, command }: ToolbarTool,
    onClick = () => run(command),
  ) => (
    <button
      key={label}
      type="button"
      className="toolbar-button icon-button"
      aria-label={label}
      title={label}
      aria-pressed={STATE_COMMANDS.includes(command) ? cursor.active.has(command) : undefined}
      tabIndex={-1}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden="true" />
    </button>
  );
  return (
    <div
      className="text-toolbar row cluster"
      role="toolbar"
      aria-label="Formatting"
      tabIndex={-1}
      onKeyDown={moveFocusAmongTools}
      onPointerDown={preventFocusLoss}
    >
      <StyleChoice value={cursor.block} onChoose={(tag) => run("formatBlock", tag)} />
      <span className="toolbar-divider" />
      {CHARACTER_TOOLS.map((tool) => renderButton(tool))}
      {COLOR_TOOLS.map((tool) => (
        <ColorTool key={tool.label} tool={tool} onChoose={(color) => run(tool.command, color)} />
      ))}
      <span className="toolbar-divider" />
      {[...LIST_TOOLS, ...INDENT_TOOLS].map((tool) => renderButton(tool))}
      <span className="toolbar-divider" />
      {ALIGNMENT_TOOLS.map((tool) => renderButton(tool))}
      <span className="toolbar-divider" />
      {renderButton({ label: "Link", icon: Link, command: "link" }, onLink)}
      {renderButton({ label: "Clear formatting", icon: RemoveFormatting, command: "removeFormat" })}
    </div>
  );
}

function StyleChoice({ value, onChoose }: { value: string; onChoose: (tag: string) => void }) {
  return (
    <select
      className="small medium"
      aria-label="Style"
      value={value}
      onChange={({ target }) => onChoose(target.value)}
    >
      {Object.entries(PARAGRAPH_STYLES).map(([tag, label]) => (
        <option key={tag} value={tag}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface ColorToolProps {
  readonly tool: (typeof COLOR_TOOLS)[number];
  readonly onChoose: (color: string) => void;
}

function ColorTool({ tool: { label, icon: Icon }, onChoose }: ColorToolProps) {
  return (
    <label className="toolbar-button icon-button" title={label}>
      <Icon size={18} aria-hidden="true" />
      <input
        type="color"
        aria-label={label}
        tabIndex={-1}
        defaultValue="#00bfff"
        onChange={({ target }) => onChoose(target.value)}
      />
    </label>
  );
}

/** Keeps the focus in the text when a button is pressed. */
function preventFocusLoss(event: PointerEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLSelectElement || target instanceof HTMLInputElement))
    event.preventDefault();
}

/** Returns the commands that are on at the cursor, and its block's tag. `restore` restores the last selection. */
function useCursorState(editor: IJodit | undefined, lastRange: RefObject<Range | null>) {
  const [state, setState] = useState({ active: new Set<string>(), block: "p" });
  const update = () => {
    const selection = document.getSelection();
    if (!editor || !selection?.anchorNode || !editor.editor.contains(selection.anchorNode)) return;
    // Without the focus in the text, the selection may result from a save that replaced it (useRetainedSelection).
    if (!editor.editor.contains(document.activeElement)) return;
    lastRange.current = selection.getRangeAt(0).cloneRange();
    const active = new Set(STATE_COMMANDS.filter((each) => document.queryCommandState(each)));
    const block = document.queryCommandValue("formatBlock").toLowerCase();
    setState({ active, block: block in PARAGRAPH_STYLES ? block : "p" });
  };
  useEffect(() => {
    document.addEventListener("selectionchange", update);
    return () => document.removeEventListener("selectionchange", update);
  });
  const restore = () => {
    if (!editor) return;
    const { current: range } = lastRange;
    if (range && editor.editor.contains(range.startContainer)) editor.s.selectRange(range, true);
    else editor.s.focus();
  };
  return { ...state, update, restore };
}

const STEP_BY_KEY: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

function moveFocusAmongTools(event: KeyboardEvent<HTMLElement>): void {
  const step = STEP_BY_KEY[event.key];
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>("select, button, input")];
  if (step === undefined) return;
  event.preventDefault();
  const index = tools.indexOf(event.target as HTMLElement);
  tools.at((index + step) % tools.length)?.focus();
}
