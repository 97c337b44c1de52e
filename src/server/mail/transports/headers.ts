/** The headers of emails, whether sent by SMTP or by a provider's API. */
import type { MessageKind } from "../../../schema/people/mail.ts";

/** Headers that prevent automatic replies: one by RFC 3834, one for Microsoft Exchange, which ignores the first. */
export const AUTO_GENERATED_HEADERS = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
} as const;

/** The name and type of an attached calendar file. With this type, mail programs offer to import it (RFC 6047). */
export const CALENDAR_ATTACHMENT = {
  name: "call.ics",
  type: "text/calendar; charset=utf-8; method=PUBLISH",
} as const;

/** Returns a message's stored headers and those of automatic mail, which an owner's reply doesn't get. */
export function createMessageHeaders(
  kind: MessageKind,
  storedHeaders: Readonly<Record<string, string>>,
) {
  const headers = { ...(kind !== "reply" && AUTO_GENERATED_HEADERS), ...storedHeaders };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, toOneLine(value)]),
  );
}

/** Replaces line breaks and control characters by spaces, so that user input can't add a header. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
