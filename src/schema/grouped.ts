import { ANSWER_REFUSALS } from "./refusals.ts";

/**
 * A whole number, 0 or more, with its thousands set apart, as in 5,000. The first call of `toLocaleString` loads the
 * language's tables: 3 ms in the server, many times that on a slow phone, for checks that say a limit.
 */
export function grouped(number: number): string {
  if (number < 1000) return String(number);
  return `${grouped(Math.floor(number / 1000))},${String(number % 1000).padStart(3, "0")}`;
}

/** In words, that a text is longer than `most` characters. */
export const tooLong = (most: number) => ANSWER_REFUSALS.tooLong.replace("{most}", grouped(most));
