/** The weights of fonts, the URL of a font family's style sheet, and the name of its fallback. */

/** The weights that pages request for each font (specification, section 9.6). */
export const FONT_WEIGHTS = [300, 400, 500, 600, 700, 800, 900] as const;

/** Returns the URL of a font family's style sheet (specification, section 3.10). `provider` has no trailing slash. */
export function createFontStylesheetHref(family: string, provider: string): string {
  const name = encodeURIComponent(family).replaceAll("%20", "+").replaceAll("'", "%27");
  return `${provider}/css2?family=${name}:wght@${FONT_WEIGHTS.join(";")}&display=swap`;
}

/** Returns the name of the local font that is shown until the family has loaded. */
export function getFallbackFamily(family: string): string {
  return `${family} Fallback`;
}
