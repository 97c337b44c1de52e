/** The check of email addresses; without schemas, so that the enquiry form doesn't load a library for them. */
import * as v from "valibot";
import { parsedUrl } from "./boundedUnicode.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";
import { asciiForm, withoutWrapping } from "./typedNumber.ts";

/** In characters (RFC 5321). */
export const LONGEST_EMAIL = 254;

/** A pasted one may have a name before it: "Ann Lee <ann@example.com>". */
export const LONGEST_TYPED_EMAIL = 500;

/**
 * The address in a text as typed or pasted, with its domain in ASCII (IDNA); any other text is returned unchanged.
 * The text has at most `LONGEST_TYPED_EMAIL` characters.
 */
export function readEmail(typed: string): string {
  const text = asciiForm(typed).replaceAll("。", ".");
  const bare = withoutWrapping(text.replace(/[.,;]$/, "").trim());
  const unwrapped = /^[^<>@]*<([^<>]+)>$/.exec(bare)?.[1] ?? bare;
  const address = withoutScheme(unwrapped).replace(/ ?@ ?/, "@").trim();
  const at = address.lastIndexOf("@");
  if (at < 1) return text;
  return address.slice(0, at + 1) + asciiDomain(address.slice(at + 1));
}

/**
 * The address of a mailto URL, whose characters may be percent-encoded (RFC 6068), and of one copied out of a URL
 * (`ann%40example.com`). A percent sign of any other address is its own.
 */
function withoutScheme(text: string): string {
  const [address = ""] = text.replace(/^mailto:(?:\/\/)?/i, "").split("?", 1);
  return address === text && text.includes("@") ? text : asciiForm(decodeUri(address));
}

/** A text with a wrong code is returned unchanged. */
function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A domain of ASCII is unchanged. */
function asciiDomain(domain: string): string {
  // oxlint-disable-next-line no-control-regex
  const isForeign = /[^\u0000-\u007f]/.test(domain) && !/[/:?#@\\]/.test(domain);
  return (isForeign && parsedUrl(`http://${domain}`)?.hostname) || domain;
}

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
