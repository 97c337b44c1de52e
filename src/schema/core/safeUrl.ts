/** The rules for URLs that people enter: which of them may be links. */
import { MAX_URL_LENGTH, parseUrl } from "./boundedUnicode.ts";
import { toHalfWidthHost, stripBracketsAndQuotes } from "./inputNormalization.ts";

const SAFE_SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);
// Control characters and backslashes are refused: browsers read URLs with them differently from the checks below.
// oxlint-disable-next-line no-control-regex
const DISGUISE_CHARACTER_PATTERN = /[\u0000-\u001f\u007f\\]/;

/**
 * Returns the trimmed URL if it is http, https, mailto, tel or a path with exactly one leading slash, else undefined.
 * Callers check a URL when it is stored, and again when it is shown.
 */
export function toSafeUrl(input: unknown): string | undefined {
  const address = toLegacySafeUrl(input);
  return address !== undefined && !isDisguised(address) ? address : undefined;
}

/** Like `toSafeUrl`, but only for pictures: http, https or a path of this site. */
export function toSafePictureUrl(input: unknown): string | undefined {
  return filterPictureUrl(toSafeUrl(input));
}

/** Like `toSafeUrl`, but also accepts disguised URLs (`isDisguised`), since earlier releases stored them. */
export function toLegacySafeUrl(input: unknown): string | undefined {
  if (typeof input !== "string") return undefined;
  const address = input.trim();
  if (address === "" || address.length > MAX_URL_LENGTH || DISGUISE_CHARACTER_PATTERN.test(address))
    return undefined;
  if (address.startsWith("/")) return address.startsWith("//") ? undefined : address;
  return SAFE_SCHEMES.has(parseUrl(address)?.protocol ?? "") ? address : undefined;
}

/** A host such as `example.com` or `www.example.com:8080`, with or without a path. */
const BARE_HOST_PATTERN =
  /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}[\p{L}\p{M}\p{N}-]+\.?(?::\d{1,5})?(?:[/?#]|$)/u;

/**
 * Returns the URL for a typed or pasted address: with https:// before a host, and without brackets, quotation marks, a
 * second scheme, or a comma or semicolon at the end, even in full width. Any other text is only trimmed.
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

export function toLegacySafePictureUrl(input: unknown): string | undefined {
  return filterPictureUrl(toLegacySafeUrl(input));
}

const filterPictureUrl = (address: string | undefined) =>
  address && /^(https?:|\/)/i.test(address) ? address : undefined;

/**
 * True for a URL that misleads people: `http:host` without slashes is a path on some pages, the host of
 * `https://bank.example@evil.example` is evil.example, and two URLs with a space between them are one URL to a browser.
 */
function isDisguised(address: string): boolean {
  if (!/^https?:/i.test(address)) return false;
  if (/^[^?#]*\shttps?:\/\//i.test(address)) return true;
  const { username, password } = parseUrl(address) ?? {};
  return username !== "" || password !== "" || !/^https?:\/\/[^/]/i.test(address);
}
