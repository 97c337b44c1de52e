/** Stops navigation of a visitor who follows a link while offline, and notifies them. */
import { showNote } from "./note.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Declared before this script. */
declare const WORDS: ProgramWords;

/** Adds permanent listeners: call it once. */
export function handleOfflineNavigation(): void {
  // On the window, so that it runs last.
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='/']");
    if (!link || navigator.onLine || event.defaultPrevented) return;
    event.preventDefault();
    showNote(WORDS.failed.page, async () => {
      // Rejects while offline.
      await fetch(link.href, { method: "HEAD" });
      link.click();
    });
  });
}
