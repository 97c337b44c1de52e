/** A message as it goes out, whichever way. */
import type { MessageKind } from "../../../schema/mail.ts";

/** RFC 3834: no holiday answers to a machine. Exchange heeds the second alone. */
export const AUTOMATIC = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
} as const;

/** A calendar file that goes with a message: programs offer to take it over (RFC 6047). */
export const CALENDAR = {
  name: "call.ics",
  type: "text/calendar; charset=utf-8; method=PUBLISH",
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
