/** The dialog of a public page. The dashboard's dialog, ui/Dialog.tsx, has the same styles. */
import { reserveScrollbarSpace } from "../ui/scrollbar.ts";
import { createCloseButtonHtml } from "../ui/markup.ts";

/** The closing dialog's fade in milliseconds, the same as in ui/Dialog.css. */
const FADE_MS = 200;

/** `content` is trusted HTML. Its element with `autofocus` gets the focus. */
interface DialogOptions {
  readonly className: string;
  readonly size: "small" | "large";
  readonly content: string;
  /** Shows the title to assistive technology only. */
  readonly isTitleHidden?: boolean;
}

/** Opens a dialog that closes on Escape, the close button or the backdrop. The caller fills in the `h2`. */
export function openDialog(options: DialogOptions): HTMLDialogElement {
  const { className, size, content, isTitleHidden } = options;
  document.querySelector("dialog.ui-dialog")?.remove();
  const dialog = document.createElement("dialog");
  dialog.className = `ui-dialog ${className}`;
  dialog.dataset["size"] = size;
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const titleClass = isTitleHidden ? "visually-hidden" : "ui-dialog-title";
  dialog.innerHTML = `<div class="ui-dialog-panel"><h2 id="dialog-title" class="${titleClass}"></h2><div class="ui-dialog-content">${content}</div>${createCloseButtonHtml(WORDS.dialog.close)}</div>`;
  // Button labels may be in another language than the content.
  for (const button of dialog.querySelectorAll("button"))
    Object.assign(button, WORDS.langAttribute);
  // The first match is the dialog's own close button. A toast in the dialog may have another.
  dialog.querySelector(".ui-close")?.addEventListener("click", () => dialog.close());
  closeOnBackdropPress(dialog);
  dialog.addEventListener("close", () => {
    moveToasts();
    setTimeout(() => dialog.remove(), FADE_MS);
  });
  document.body.append(dialog);
  reserveScrollbarSpace();
  dialog.showModal();
  moveToasts();
  return dialog;
}

/** Makes toasts.ts move the toasts into the open dialog, or back into the page. */
const moveToasts = () => dispatchEvent(new Event("dialog"));

/** Closes the dialog when the backdrop is pressed, but not when a text selection merely ends on it. */
function closeOnBackdropPress(dialog: HTMLDialogElement): void {
  let hasPressBegun = false;
  dialog.addEventListener("pointerdown", ({ target }) => {
    hasPressBegun = target === dialog;
  });
  dialog.addEventListener("click", ({ target }) => {
    if (hasPressBegun && target === dialog) dialog.close();
  });
}
