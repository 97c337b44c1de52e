/** Unicode normalization and URL parsing with length limits, since both take quadratic time on some texts. */

/** The length in characters up to which normalizing any text takes under a millisecond. */
const MAX_FAST_LENGTH = 256;

/** More than 30 marks on one letter (UAX #15, Stream-Safe Text Format). `\p{M}` doesn't match U+FF9E and U+FF9F. */
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

/** Returns the first `max` characters of a text, without half an emoji at the end. */
export const cutText = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\ud800-\udbff]$/, "");

const ALL_STACKED_MARKS_PATTERN = /[\p{M}\uff9e\uff9f]{31,}/gu;

/** Replacements for letters that normalization doesn't split into a base letter and a mark. */
const BASE_LETTERS: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ς: "σ", ß: "ss" };

/** Returns a text in lower case without accents, for comparisons in searches: people type Muller for Müller. */
export function toSearchText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  const baseText = text
    .replace(ALL_STACKED_MARKS_PATTERN, "")
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "");
  // `toLowerCase` alone would keep the Turkish ı, so `toUpperCase` first turns it into I.
  return baseText
    .toUpperCase()
    .toLowerCase()
    .replace(/[łøđςß]/g, (letter) => BASE_LETTERS[letter] ?? letter);
}

export const MAX_URL_LENGTH = 2048;

/** The longest host of a URL in characters: a host name of at most 253 (RFC 1035), with its user and port. */
export const MAX_HOST_LENGTH = 300;

/** The host of a URL, with its user and port, in any spelling that browsers accept. */
const AUTHORITY_PATTERN = /^[^:/?#\\]*:[/\\\s]*([^/\\?#]*)/;

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
