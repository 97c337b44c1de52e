/** Stops navigation when a visitor follows a link while offline, and shows a note instead. */
import { showRetryMessage } from "./retryMessage.ts";

export function handleOfflineNavigation(): void {
  // A listener on the window runs last, so it sees whether another listener has handled the press.
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='/']");
    if (!link || navigator.onLine || event.defaultPrevented) return;
    event.preventDefault();
    showRetryMessage(WORDS.failed.page, async () => {
      // `fetch` rejects while offline, so the note remains.
      await fetch(link.href, { method: "HEAD" });
      link.click();
    });
  });
}
