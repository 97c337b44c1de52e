/** A message as it goes out, whichever way. */
import type { MessageKind } from "../../schema/mail.ts";

/** A message as it goes out. Texts are in UTF-8. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** All besides those made of the fields above. */
  readonly headers: Readonly<Record<string, string>>;
}

/** RFC 3834: no holiday answers to a machine. Exchange heeds the second alone. */
export const AUTOMATIC = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
} as const;

/** Those of a stored message: its own, and on what nobody wrote by hand that it is automatic. */
export function headersOf(kind: MessageKind, own: Readonly<Record<string, string>>) {
  const headers = { ...(kind !== "reply" && AUTOMATIC), ...own };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, oneLine(value)]));
}

/** Nothing that somebody typed begins another header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
