/** The rules for URLs that people enter: which of them may be links. */

import { MAX_URL_LENGTH, parseUrl } from "./boundedUnicode.ts";
import { toHalfWidthHost, stripBracketsAndQuotes } from "./inputNormalization.ts";

const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);
// Browsers interpret control characters and backslashes differently from the checks below.
// oxlint-disable-next-line no-control-regex
const DISGUISE_CHARACTER_PATTERN = /[\u0000-\u001f\u007f\\]/;

/**
 * Returns the trimmed URL if it is http, https, mailto, tel or a path with exactly one leading slash, else undefined.
 * Applied when a URL is stored and again when it is shown.
 */
export function toSafeUrl(input: unknown): string | undefined {
  const address = toLegacySafeUrl(input);
  return address !== undefined && !isDisguised(address) ? address : undefined;
}

/** Like `toSafeUrl`, but only for pictures: http, https or a path of this site. */
export function toSafePictureUrl(input: unknown): string | undefined {
  return filterPictureUrl(toSafeUrl(input));
}

/** Like `toSafeUrl`, but also accepts disguised URLs, which may have been stored before they were refused. */
export function toLegacySafeUrl(input: unknown): string | undefined {
  if (typeof input !== "string") return undefined;
  const address = input.trim();
  if (address === "" || address.length > MAX_URL_LENGTH || DISGUISE_CHARACTER_PATTERN.test(address))
    return undefined;
  if (address.startsWith("/")) return address.startsWith("//") ? undefined : address;
  return SAFE_SCHEMES.has(parseUrl(address)?.protocol ?? "") ? address : undefined;
}

/** A host such as `example.com` or `www.example.com:8080`, and a path. */
const BARE_HOST_PATTERN =
  /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}[\p{L}\p{M}\p{N}-]+\.?(?::\d{1,5})?(?:[/?#]|$)/u;

/**
 * Returns the URL for a typed or pasted address. Adds https:// before a host, and removes brackets, quotation marks, a
 * second scheme, and a comma or semicolon behind the address, even in full width. Any other text is only trimmed.
 */
export function completeUrl(input: string): string {
  const text = input.trim();
  if (text.length > MAX_URL_LENGTH) return text;
  const unquoted = stripBracketsAndQuotes(
    text.replaceAll("\u00ad", "").replace(/(?<!&\w{1,8});$|[,，；、]$/, ""),
  );
  const address = toHalfWidthHost(unquoted).replace(/^https?:\/\/(?=https?:\/\/)/i, "");
  return BARE_HOST_PATTERN.test(address) ? `https://${address}` : address;
}

/** Like `toLegacySafeUrl`, but only for pictures: http, https or a path of this site. */
export function toLegacySafePictureUrl(input: unknown): string | undefined {
  return filterPictureUrl(toLegacySafeUrl(input));
}

const filterPictureUrl = (address: string | undefined) =>
  address && /^(https?:|\/)/i.test(address) ? address : undefined;

/**
 * True for a URL that people and browsers read differently: `http:host` is a path on some pages and a host on others;
 * in `https://bank.example@evil.example` the host comes last; of two URLs with a space between them, browsers make one.
 */
function isDisguised(address: string): boolean {
  if (!/^https?:/i.test(address)) return false;
  if (/^[^?#]*\shttps?:\/\//i.test(address)) return true;
  const { username, password } = parseUrl(address) ?? {};
  return username !== "" || password !== "" || !/^https?:\/\/[^/]/i.test(address);
}
