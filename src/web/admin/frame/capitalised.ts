/** "admin" as people read it. */

/** The word with a capital first letter. */
export function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
