/** Says to assistive technology what the eye sees: a moved row, a finished upload. */
import { signal } from "@preact/signals-react";

/** What the live region reads out. */
export const announcement = signal("");

/** Reads `words` out politely. */
export function announce(words: string): void {
  // The same words twice are read twice only when the text differs.
  announcement.value = announcement.value === words ? `${words}\u00a0` : words;
}
