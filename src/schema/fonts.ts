/** How a page asks for a font: the address of a family's stylesheet at a provider (specification, section 3.10). */

/** The weights asked for (specification, section 9.6). */
export const FONT_WEIGHTS = [300, 400, 500, 600, 700, 800, 900] as const;

/** The provider when no other is configured: the site itself. */
const OWN_FONT_PROVIDER = "/fonts";

/**
 * The address of a family's stylesheet: all weights, display swap, spaces as plus signs (specification, section 3.10).
 * `provider` is an address without a slash at its end, `/fonts` or `https://…`.
 */
export function fontStylesheetHref(family: string, provider: string = OWN_FONT_PROVIDER): string {
  const name = encodeURIComponent(family).replaceAll("%20", "+").replaceAll("'", "%27");
  return `${provider}/css2?family=${name}:wght@${FONT_WEIGHTS.join(";")}&display=swap`;
}

/** The name of the local face that holds a family's place until it arrives. */
export function fallbackFamily(family: string): string {
  return `${family} Fallback`;
}
