/** A message as it goes out, whichever way. */

/** A message as it goes out. Texts are in UTF-8; no value of `headers` has a line break. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** RFC 3834: no holiday answers to a machine. Exchange heeds the second alone. */
export const AUTOMATIC = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
} as const;

/** Nothing that somebody typed begins another header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
