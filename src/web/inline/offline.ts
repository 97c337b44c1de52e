/** A link that is followed without a network leads nowhere: its visitor stays, and is told. */
import { note } from "./note.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Stands before this program. */
declare const WORDS: ProgramWords;

/** Listens for the life of the page: to be called once. */
export function stayOffline(): void {
  // On the window, behind everything.
  addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='/']");
    if (!link || navigator.onLine || event.defaultPrevented) return;
    event.preventDefault();
    note(WORDS.failed.page, async () => {
      // Rejects as long as there is none.
      await fetch(link.href, { method: "HEAD" });
      link.click();
    });
  });
}
