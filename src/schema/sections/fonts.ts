/** The weights of fonts, and the names and URLs that a family has in style sheets. */

/** The requested weights (specification, section 9.6). */
export const FONT_WEIGHTS = [300, 400, 500, 600, 700, 800, 900] as const;

/**
 * The URL of a family's style sheet: all weights, display swap, spaces as plus signs (specification, section 3.10).
 * `provider` is `/fonts` or `https://…`, without a trailing slash.
 */
export function createFontStylesheetHref(family: string, provider: string): string {
  const name = encodeURIComponent(family).replaceAll("%20", "+").replaceAll("'", "%27");
  return `${provider}/css2?family=${name}:wght@${FONT_WEIGHTS.join(";")}&display=swap`;
}

/** The name of the local face used until the family has loaded. */
export function getFallbackFamily(family: string): string {
  return `${family} Fallback`;
}
