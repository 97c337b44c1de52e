/** The check of email addresses. It uses no schemas, so the enquiry form doesn't load a schema library. */
import * as v from "valibot";
import { decodeUri, parseUrl } from "./boundedUnicode.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";
import { toAscii, stripBracketsAndQuotes } from "./inputNormalization.ts";

/** The longest email address, in characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254;

/** The longest input in characters. A pasted address may be preceded by a name: "Ann Lee <ann@example.com>". */
export const MAX_EMAIL_INPUT_LENGTH = 500;

/**
 * Returns the email address in a typed or pasted text, with its domain in ASCII (IDNA). A text without an address is
 * only converted by `toAscii`. The input may have at most `MAX_EMAIL_INPUT_LENGTH` characters.
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
 * Decodes the address in a mailto URL (RFC 6068), or in part of a URL, such as `ann%40example.com`. An address outside
 * a URL is returned unchanged, even if it contains percent signs.
 */
function stripMailto(text: string): string {
  const [address = ""] = text.replace(/^mailto:(?:\/\/)?/i, "").split("?", 1);
  return address === text && text.includes("@") ? text : toAscii(decodeUri(address));
}

/** Returns the domain in ASCII (IDNA). A domain that is already ASCII is returned unchanged. */
export function toAsciiDomain(domain: string): string {
  // oxlint-disable-next-line no-control-regex
  const isNonAscii = /[^\u0000-\u007f]/.test(domain) && !/[/:?#@\\]/.test(domain);
  return (isNonAscii && parseUrl(`http://${domain}`)?.hostname) || domain;
}

/**
 * Returns the message for an invalid email address; undefined for a valid one. The rules are those of browsers (HTML,
 * "valid e-mail address"), plus a dot in the domain. A long text never reaches the pattern.
 */
export function findEmailProblem(text: string): string | undefined {
  if (text === "") return ANSWER_REFUSALS.noEmail;
  const isAddress =
    text.length <= MAX_EMAIL_LENGTH &&
    v.RFC_EMAIL_REGEX.test(text) &&
    text.includes(".", text.indexOf("@"));
  return isAddress ? undefined : ANSWER_REFUSALS.email;
}
