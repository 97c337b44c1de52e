/** Unicode's own algorithms, each behind a limit: sorting marks and reading host names takes quadratic time. */

/** Up to this length, normalizing takes under a millisecond. */
const MAX_QUICK_LENGTH = 256;

/** More marks on one letter than the Stream-Safe Text Format allows (UAX #15); two halfwidth marks aren't `\p{M}`. */
const STACKED_MARKS_PATTERN = /[\p{M}\uff9e\uff9f]{31}/u;

/** Normalizes a text; undefined for one of more than `most` characters, or with stacks of marks. */
export function normalizeText(
  text: string,
  form: "NFC" | "NFD" | "NFKC",
  most: number,
): string | undefined {
  if (text.length > most || (text.length > MAX_QUICK_LENGTH && STACKED_MARKS_PATTERN.test(text)))
    return undefined;
  return text.normalize(form);
}

/** In characters. */
export const MAX_URL_LENGTH = 2048;

/** A host name has at most 253 characters (RFC 1035); a user and a port may precede and follow it. */
export const MAX_HOST_LENGTH = 300;

/** Everything before the path, in any of the spellings that browsers accept. */
const BEFORE_PATH_PATTERN = /^[^:/?#\\]*:[/\\\s]*([^/\\?#]*)/;

/** The schemes without a host. */
const HOSTLESS_SCHEME_PATTERN = /^(?:mailto|tel):/i;

/** Parses an absolute URL; undefined for an invalid one, and for one that is too long or has too long a host. */
export function parseUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  const [, host = ""] = HOSTLESS_SCHEME_PATTERN.test(text)
    ? []
    : (BEFORE_PATH_PATTERN.exec(text) ?? []);
  return host.length > MAX_HOST_LENGTH ? undefined : (URL.parse(text) ?? undefined);
}
