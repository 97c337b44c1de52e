/**
 * A whole number with its thousands set apart, as in 5,000. The first call of `toLocaleString` loads the
 * language's tables: 3 ms in the server, many times that on a slow phone, for checks that say a limit.
 */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** In words, that a text is longer than `most` characters. */
export const tooLong = (most: number) => `Use at most ${grouped(most)} characters.`;
