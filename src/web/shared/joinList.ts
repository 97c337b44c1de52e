/** Names in a sentence. */

interface JoinListOptions {
  readonly type?: "conjunction" | "disjunction";
  /** Default: the dashboard's language. */
  readonly language?: string;
}

/** "A, B and C", "A, B or C". English follows the British locale: the American one has a comma before the "and". */
export function joinList(
  names: readonly string[],
  { type = "conjunction", language = "en" }: JoinListOptions = {},
): string {
  return new Intl.ListFormat(/^en\b/.test(language) ? "en-GB" : language, { type }).format(names);
}
