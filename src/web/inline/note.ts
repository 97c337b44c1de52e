/** A note about an action that failed for lack of a network. It looks like a toast, but remains until it is closed. */
import { createCloseButtonHtml } from "../ui/markup.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** The server declares it before this script. */
declare const WORDS: ProgramWords;

const MESSAGE_HTML = `<div class="ui-toast" data-destructive>
<div class="ui-toast-text"><div class="ui-toast-title"></div>
<div class="ui-toast-description">${WORDS.failed.text}</div></div>
<button type="button" class="ui-button">${WORDS.failed.retry}</button>
${createCloseButtonHtml(WORDS.dialog.close)}
</div>`;

/** Shows a note with a button that calls `retry`. The note disappears if `retry` resolves. */
export function showRetryMessage(title: string, retry: () => Promise<void>): void {
  document.querySelector(".ui-toasts[role=alert]")?.remove();
  const box = Object.assign(document.createElement("div"), WORDS.mark);
  box.className = "ui-toasts";
  box.role = "alert";
  box.innerHTML = MESSAGE_HTML;
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
