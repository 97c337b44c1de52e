/**
 * A public page's dialog: the platform's element, created on the press and removed once it has closed, so that it
 * opens immediately and leaves nothing behind. The dashboard's is ui/Dialog.tsx, with the same styles.
 */
import { reserveScrollbarSpace } from "../ui/scrollbar.ts";
import { cross } from "../ui/markup.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Declared before this script. */
declare const WORDS: ProgramWords;

/** The closing dialog's fade in milliseconds, the same as in ui/Dialog.css. */
const FADE_MS = 200;

/** `content` is trusted markup; its element with `autofocus` gets the focus. */
interface DialogOptions {
  readonly className: string;
  readonly size: "small" | "large";
  readonly content: string;
  /** The title is for assistive technology only. */
  readonly isTitleHidden?: boolean;
}

/**
 * Opens a dialog, replacing one that is still fading. Escape, the close button and the backdrop close it. Its heading,
 * the `h2`, is still empty.
 */
export function openDialog(options: DialogOptions): HTMLDialogElement {
  const { className, size, content, isTitleHidden } = options;
  document.querySelector("dialog.ui-dialog")?.remove();
  const dialog = document.createElement("dialog");
  dialog.className = `ui-dialog ${className}`;
  dialog.dataset["size"] = size;
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const titleClass = isTitleHidden ? "visually-hidden" : "ui-dialog-title";
  dialog.innerHTML = `<div class="ui-dialog-panel"><h2 id="dialog-title" class="${titleClass}"></h2><div class="ui-dialog-content">${content}</div>${cross(WORDS.dialog.close)}</div>`;
  // Button labels are our own texts, whatever the language around them.
  for (const button of dialog.querySelectorAll("button")) Object.assign(button, WORDS.mark);
  // Only its own: a toast over it has one too.
  dialog.querySelector(".ui-close")?.addEventListener("click", () => dialog.close());
  closeOnBackdropPress(dialog);
  dialog.addEventListener("close", () => {
    moveToastsToDialog();
    setTimeout(() => dialog.remove(), FADE_MS);
  });
  document.body.append(dialog);
  reserveScrollbarSpace();
  dialog.showModal();
  moveToastsToDialog();
  return dialog;
}

/** Moves the toasts' region into the open dialog, and back (toasts.ts). */
const moveToastsToDialog = () => dispatchEvent(new Event("dialog"));

/** Closes on a press that begins and ends on the backdrop: a text selection may merely end there. */
function closeOnBackdropPress(dialog: HTMLDialogElement): void {
  let hasBegun = false;
  dialog.addEventListener("pointerdown", ({ target }) => {
    hasBegun = target === dialog;
  });
  dialog.addEventListener("click", ({ target }) => {
    if (hasBegun && target === dialog) dialog.close();
  });
}
