/** Formats numbers and counts as English text. */
import { ANSWER_REFUSALS } from "./refusals.ts";

/**
 * Formats a whole number, 0 or more, with thousands separators: 5,000. Avoids `toLocaleString`, whose first call loads
 * language tables: 3 ms on the server, and many times as long on a slow phone.
 */
export function formatNumber(number: number): string {
  if (number < 1000) return String(number);
  return `${formatNumber(Math.floor(number / 1000))},${String(number % 1000).padStart(3, "0")}`;
}

/** Returns a number with its noun, such as "1 day" or "1,200 days". The noun's plural must only add an s. */
export const formatCount = (count: number, singular: string): string =>
  `${formatNumber(count)} ${count === 1 ? singular : `${singular}s`}`;

export const createTooLongMessage = (max: number) =>
  ANSWER_REFUSALS.tooLong.replace("{most}", formatNumber(max));
