/** A note about an action that failed for lack of a network. It looks like a toast, but remains until it is closed. */
import { createCloseButtonHtml } from "../ui/markup.ts";

const MESSAGE_HTML = `<div class="ui-toast" data-destructive>
<div class="ui-toast-text"><div class="ui-toast-title"></div>
<div class="ui-toast-description">${WORDS.failed.text}</div></div>
<button type="button" class="ui-button">${WORDS.failed.retry}</button>
${createCloseButtonHtml(WORDS.dialog.close)}
</div>`;

/** Shows a note with a button that calls `retry`. The note disappears if `retry` resolves. */
export function showRetryMessage(title: string, retry: () => Promise<void>): void {
  document.querySelector(".ui-toasts[role=alert]")?.remove();
  const region = Object.assign(document.createElement("div"), WORDS.langAttribute);
  region.className = "ui-toasts";
  region.role = "alert";
  region.innerHTML = MESSAGE_HTML;
  region.querySelector(".ui-toast-title")?.append(title);
  const [retryButton, closeButton] = region.querySelectorAll("button");
  retryButton?.addEventListener("click", () => {
    retry().then(
      () => region.remove(),
      () => undefined,
    );
  });
  closeButton?.addEventListener("click", () => region.remove());
  document.body.append(region);
}
