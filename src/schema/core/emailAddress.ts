/** The check of email addresses. It uses no schemas, so the enquiry form doesn't load a library for them. */
import * as v from "valibot";
import { decodeUri, parseUrl } from "./boundedUnicode.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";
import { toAscii, stripBracketsAndQuotes } from "./inputNormalization.ts";

/** The longest email address, in characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

/** In characters. A pasted address may have a name before it: "Ann Lee <ann@example.com>". */
export const MAX_EMAIL_INPUT_LENGTH = 500;

/**
 * The address in a text as typed or pasted, with its domain in ASCII (IDNA); any other text is returned unchanged.
 * The text has at most `MAX_EMAIL_INPUT_LENGTH` characters.
 */
export function extractEmail(input: string): string {
  const text = toAscii(input).replaceAll("。", ".");
  const unquoted = stripBracketsAndQuotes(text.replace(/[.,;]$/, "").trim());
  const unwrapped = /^[^<>]*<([^<>]+)>$/.exec(unquoted)?.[1] ?? unquoted;
  const address = stripMailto(unwrapped).replace(/ ?@ ?/, "@").trim();
  const atIndex = address.lastIndexOf("@");
  if (atIndex < 1) return text;
  return address.slice(0, atIndex + 1) + toAsciiDomain(address.slice(atIndex + 1));
}

/**
 * The address of a mailto URL, whose characters may be percent-encoded (RFC 6068), or of an address copied out of a URL
 * (`ann%40example.com`). Percent signs in other addresses are retained.
 */
function stripMailto(text: string): string {
  const [address = ""] = text.replace(/^mailto:(?:\/\/)?/i, "").split("?", 1);
  return address === text && text.includes("@") ? text : toAscii(decodeUri(address));
}

/** The domain in ASCII (IDNA); a domain that is already ASCII is unchanged. */
export function toAsciiDomain(domain: string): string {
  // oxlint-disable-next-line no-control-regex
  const isNonAscii = /[^\u0000-\u007f]/.test(domain) && !/[/:?#@\\]/.test(domain);
  return (isNonAscii && parseUrl(`http://${domain}`)?.hostname) || domain;
}

/**
 * Why a trimmed text isn't an email address, as a message; undefined if it is one. Checks as browsers do (HTML,
 * "valid e-mail address"), and requires a dot in the domain. The length comes first, so the pattern never sees a
 * longer text.
 */
export function findEmailProblem(text: string): string | undefined {
  if (text === "") return ANSWER_REFUSALS.noEmail;
  const isAddress =
    text.length <= MAX_EMAIL_LENGTH &&
    v.RFC_EMAIL_REGEX.test(text) &&
    text.includes(".", text.indexOf("@"));
  return isAddress ? undefined : ANSWER_REFUSALS.email;
}
