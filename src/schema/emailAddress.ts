/** What an email address is; free of schemas, so that the enquiry form comes to life without a library of them. */
import * as v from "valibot";
import { ANSWER_REFUSALS } from "./refusals.ts";

/** In characters (RFC 5321). */
export const LONGEST_EMAIL = 254;

/**
 * What is wrong with a trimmed text as an address, in words; undefined for one. As browsers check it (HTML, "valid
 * e-mail address"), and with a dot in its domain. The length comes first: the pattern is never asked about a longer one.
 */
export function emailFault(text: string): string | undefined {
  if (text === "") return ANSWER_REFUSALS.noEmail;
  const isAddress =
    text.length <= LONGEST_EMAIL &&
    v.RFC_EMAIL_REGEX.test(text) &&
    text.includes(".", text.indexOf("@"));
  return isAddress ? undefined : ANSWER_REFUSALS.email;
}
