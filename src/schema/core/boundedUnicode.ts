/** Unicode normalization and URL parsing with limits: sorting marks and reading host names takes quadratic time. */

/** In characters. Up to this length, normalizing takes under a millisecond. */
const MAX_FAST_LENGTH = 256;

/** More marks on one letter than the Stream-Safe Text Format allows (UAX #15). `\p{M}` lacks two halfwidth marks. */
const STACKED_MARKS_PATTERN = /[\p{M}\uff9e\uff9f]{31}/u;

/** Normalizes a text. Undefined if the text has more than `maxLength` characters, or too many marks on one letter. */
export function normalizeText(
  text: string,
  form: "NFC" | "NFD" | "NFKC",
  maxLength: number,
): string | undefined {
  if (
    text.length > maxLength ||
    (text.length > MAX_FAST_LENGTH && STACKED_MARKS_PATTERN.test(text))
  )
    return undefined;
  return text.normalize(form);
}

/** The first `max` characters of a text. An emoji at the end is left out rather than cut in half. */
export const cutText = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\ud800-\udbff]$/, "");

const ALL_STACKED_MARKS_PATTERN = /[\p{M}\uff9e\uff9f]{31,}/gu;

/**
 * Letters with a stroke, which Unicode doesn't split into a letter and a mark, the final sigma, and ß, which is what ẞ
 * becomes in lower case.
 */
const BASE_LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ς: "σ", ß: "ss" };

/** A text as searches compare it: without case and accents, since people type Muller for Müller. */
export function toSearchText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  const baseText = text
    .replace(ALL_STACKED_MARKS_PATTERN, "")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "");
  // The upper case of the Turkish ı is I.
  return baseText
    .toUpperCase()
    .toLowerCase()
    .replace(/[łøđςß]/g, (letter) => BASE_LETTERS[letter] ?? letter);
}

export const MAX_URL_LENGTH = 2048;

/** In characters: a host name of at most 253 (RFC 1035), with a user before it and a port after it. */
export const MAX_HOST_LENGTH = 300;

/** Everything in a URL before the path, in any of the spellings that browsers accept. */
const AUTHORITY_PATTERN = /^[^:/?#\\]*:[/\\\s]*([^/\\?#]*)/;

/** The URL schemes without a host. */
const HOSTLESS_SCHEME_PATTERN = /^(?:mailto|tel):/i;

/** Parses an absolute URL. Undefined if the URL is invalid or too long, or if its host is too long. */
export function parseUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  const [, host = ""] = HOSTLESS_SCHEME_PATTERN.test(text)
    ? []
    : (AUTHORITY_PATTERN.exec(text) ?? []);
  return host.length > MAX_HOST_LENGTH ? undefined : (URL.parse(text) ?? undefined);
}

/** Decodes percent-encoding; a text with invalid encoding is returned unchanged. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
