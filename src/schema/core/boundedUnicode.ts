/** Unicode's own algorithms, each behind a limit: sorting marks and reading host names takes quadratic time. */

/** Up to this length, normalizing takes under a millisecond. */
const ALWAYS_QUICK = 256;

/** More marks on one letter than the Stream-Safe Text Format allows (UAX #15); two halfwidth marks aren't `\p{M}`. */
const STACKED = /[\p{M}\uff9e\uff9f]{31}/u;

/** Normalizes a text; undefined for one of more than `most` characters, or with stacks of marks. */
export function normalizedText(
  text: string,
  form: "NFC" | "NFD" | "NFKC",
  most: number,
): string | undefined {
  if (text.length > most || (text.length > ALWAYS_QUICK && STACKED.test(text))) return undefined;
  return text.normalize(form);
}

/** In characters. */
export const MAX_URL_LENGTH = 2048;

/** A host name has at most 253 characters (RFC 1035); a user and a port may precede and follow it. */
export const LONGEST_HOST = 300;

/** Everything before the path, in any of the spellings that browsers accept. */
const BEFORE_PATH = /^[^:/?#\\]*:[/\\\s]*([^/\\?#]*)/;

/** The schemes without a host. */
const HOSTLESS = /^(?:mailto|tel):/i;

/** Parses an absolute URL; undefined for an invalid one, and for one that is too long or has too long a host. */
export function parsedUrl(text: string): URL | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  const [, host = ""] = HOSTLESS.test(text) ? [] : (BEFORE_PATH.exec(text) ?? []);
  return host.length > LONGEST_HOST ? undefined : (URL.parse(text) ?? undefined);
}
