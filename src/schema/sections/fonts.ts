/** The URL of a font family's style sheet at a provider (specification, section 3.10). */

/** The requested weights (specification, section 9.6). */
export const FONT_WEIGHTS = [300, 400, 500, 600, 700, 800, 900] as const;

/** The default provider: the site itself. */
const LOCAL_FONT_PROVIDER = "/fonts";

/**
 * The URL of a family's style sheet: all weights, display swap, spaces as plus signs (specification, section 3.10).
 * `provider` is `/fonts` or `https://…`, without a trailing slash.
 */
export function createFontStylesheetHref(
  family: string,
  provider: string = LOCAL_FONT_PROVIDER,
): string {
  const name = encodeURIComponent(family).replaceAll("%20", "+").replaceAll("'", "%27");
  return `${provider}/css2?family=${name}:wght@${FONT_WEIGHTS.join(";")}&display=swap`;
}

/** The name of the local face used until the family has loaded. */
export function getFallbackFamily(family: string): string {
  return `${family} Fallback`;
}
