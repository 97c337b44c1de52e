/**
 * A dialog of a public page: the platform's element, made when it is pressed for and gone once it has closed,
 * so that it opens at once and nothing of it outlives it. The dashboard's is ui/Dialog.tsx, with the same
 * styles.
 */
import { keepScrollbarsRoom } from "../ui/scrollbar.ts";
import { cross } from "./markup.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Stands before this program. */
declare const WORDS: ProgramWords;

/** How long the closing dialog fades, in milliseconds; as long as in ui/Dialog.css. */
const FADE = 200;

/** `content` is markup of ours; focus goes to what has `autofocus` in it. */
interface DialogOptions {
  readonly className: string;
  readonly size: "small" | "large";
  readonly content: string;
  /** The title is for assistive technology only. */
  readonly titleHidden?: boolean;
}

/** The dialog on the screen, and its heading, which has no words yet. */
interface OpenDialog {
  readonly dialog: HTMLDialogElement;
  readonly title: HTMLElement;
}

/** Opens a dialog in the place of one that is still fading. Escape, its cross and its backdrop close it. */
export function openDialog({ className, size, content, titleHidden }: DialogOptions): OpenDialog {
  document.querySelector("dialog.ui-dialog")?.remove();
  const dialog = document.createElement("dialog");
  dialog.className = `ui-dialog ${className}`;
  dialog.dataset["size"] = size;
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const look = titleHidden ? "ui-hidden" : "ui-dialog-title";
  dialog.innerHTML = `<div class="ui-dialog-panel"><h2 id="dialog-title" class="${look}"></h2><div class="ui-dialog-content">${content}</div>${cross(WORDS.dialog.close)}</div>`;
  // What is said by buttons is ours, whatever stands beside them.
  for (const button of dialog.querySelectorAll("button")) Object.assign(button, WORDS.mark);
  dialog.querySelector(".ui-close")!.addEventListener("click", () => dialog.close());
  closeByBackdrop(dialog);
  dialog.addEventListener("close", () => {
    tellToasts();
    setTimeout(() => dialog.remove(), FADE);
  });
  document.body.append(dialog);
  keepScrollbarsRoom();
  dialog.showModal();
  tellToasts();
  return { dialog, title: dialog.querySelector("h2")! };
}

/** The region of toasts moves into the dialog that is open, and back (toasts.ts). */
const tellToasts = () => dispatchEvent(new Event("dialog"));

/** Closes on a press that both begins and ends on the backdrop: selecting words may end there. */
function closeByBackdrop(dialog: HTMLDialogElement): void {
  let hasBegun = false;
  dialog.addEventListener("pointerdown", ({ target }) => {
    hasBegun = target === dialog;
  });
  dialog.addEventListener("click", ({ target }) => {
    if (hasBegun && target === dialog) dialog.close();
  });
}
