/** The headers of a message, for every carrier. */
import type { MessageKind } from "../../../schema/people/mail.ts";

/** RFC 3834: no auto-replies to automatic mail. Exchange honors only the second. */
export const AUTO_GENERATED_HEADERS = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
} as const;

/** A message's calendar file: mail programs offer to import it (RFC 6047). */
export const CALENDAR_ATTACHMENT = {
  name: "call.ics",
  type: "text/calendar; charset=utf-8; method=PUBLISH",
} as const;

/** A message's own headers, plus those of automatic mail unless somebody wrote it by hand. */
export function messageHeaders(kind: MessageKind, extra: Readonly<Record<string, string>>) {
  const headers = { ...(kind !== "reply" && AUTO_GENERATED_HEADERS), ...extra };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, toOneLine(value)]),
  );
}

/** Nothing a user typed can start another header. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
