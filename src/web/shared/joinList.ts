/** Joins names into one phrase. */

interface JoinListOptions {
  readonly type?: "conjunction" | "disjunction";
  /** The language of the phrase. Default: English. */
  readonly language?: string;
}

/** Returns "A, B and C" or "A, B or C". American English would add a comma before "and". */
export function joinList(
  names: readonly string[],
  { type = "conjunction", language = "en" }: JoinListOptions = {},
): string {
  return new Intl.ListFormat(/^en\b/.test(language) ? "en-GB" : language, { type }).format(names);
}
