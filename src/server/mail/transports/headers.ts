/** The headers of emails, whether sent by SMTP or by a provider's API. */
import type { MessageKind } from "../../../schema/people/mail.ts";

/**
 * Headers against automatic replies: the first by RFC 3834, the second for Microsoft Exchange, which ignores the first.
 */
export const AUTO_GENERATED_HEADERS = {
  "Auto-Submitted": "auto-generated",
  "X-Auto-Response-Suppress": "All",
} as const;

/** The name and type of an attached calendar file, so mail programs offer to import it (RFC 6047). */
export const CALENDAR_ATTACHMENT = {
  name: "call.ics",
  type: "text/calendar; charset=utf-8; method=PUBLISH",
} as const;

/** Returns the headers stored with a message and, unless it is an owner's reply, those of automatic mail. */
export function createMessageHeaders(
  kind: MessageKind,
  storedHeaders: Readonly<Record<string, string>>,
) {
  const headers = { ...(kind !== "reply" && AUTO_GENERATED_HEADERS), ...storedHeaders };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, toOneLine(value)]),
  );
}

/** Replaces line breaks and control characters by spaces, so that typed text can't begin another header. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
