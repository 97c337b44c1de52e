/** Reports actions that failed for lack of a network; looks like a toast, but remains until it is closed. */
import { cross } from "../ui/markup.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Declared before this script. */
declare const WORDS: ProgramWords;

const MARKUP = `<div class="ui-toast" data-destructive>
<div class="ui-toast-text"><div class="ui-toast-title"></div>
<div class="ui-toast-description">${WORDS.failed.text}</div></div>
<button type="button" class="ui-button">${WORDS.failed.retry}</button>
${cross(WORDS.dialog.close)}
</div>`;

/** `retry` tries again; the note disappears if it resolves, and remains if it rejects. */
export function note(title: string, retry: () => Promise<void>): void {
  document.querySelector(".ui-toasts[role=alert]")?.remove();
  const box = Object.assign(document.createElement("div"), WORDS.mark);
  box.className = "ui-toasts";
  box.role = "alert";
  box.innerHTML = MARKUP;
  box.querySelector(".ui-toast-title")?.append(title);
  const [again, close] = box.querySelectorAll("button");
  again?.addEventListener("click", () => {
    retry().then(
      () => box.remove(),
      () => undefined,
    );
  });
  close?.addEventListener("click", () => box.remove());
  document.body.append(box);
}
