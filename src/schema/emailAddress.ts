/** The check of email addresses; without schemas, so that the enquiry form doesn't load a library for them. */
import * as v from "valibot";
import { ANSWER_REFUSALS } from "./refusals.ts";

/** In characters (RFC 5321). */
export const LONGEST_EMAIL = 254;

/**
 * Why a trimmed text isn't an email address, as a message; undefined if it is one. Checks as browsers do (HTML,
 * "valid e-mail address"), and requires a dot in the domain. The length comes first, so that the pattern never sees a
 * longer text.
 */
export function emailFault(text: string): string | undefined {
  if (text === "") return ANSWER_REFUSALS.noEmail;
  const isAddress =
    text.length <= LONGEST_EMAIL &&
    v.RFC_EMAIL_REGEX.test(text) &&
    text.includes(".", text.indexOf("@"));
  return isAddress ? undefined : ANSWER_REFUSALS.email;
}
