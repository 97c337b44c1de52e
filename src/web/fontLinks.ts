/** The font style sheets of a theme (spec section 7, /api/styles). */

/** The weights asked for (spec section 9). */
const WEIGHTS = "300;400;500;600;700;800;900";

/** The address of a family's style sheet: weights 300 to 900, display swap, spaces as plus signs. */
export function fontStylesheetHref(family: string, provider: string): string {
  return `${provider}/css2?family=${family.replaceAll(" ", "+")}:wght@${WEIGHTS}&display=swap`;
}

/** The heading's family and, if different, the body's. */
export function familiesOf(styles: { headingFont: string; bodyFont: string }): string[] {
  return [...new Set([styles.headingFont, styles.bodyFont])];
}

/** Asks for a family in a living page; an earlier link for the same font is removed first. */
export function requestFont(family: string, provider: string): void {
  const links = document.querySelectorAll<HTMLLinkElement>("link[data-font]");
  const earlier = [...links].filter((link) => link.dataset["font"] === family);
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = fontStylesheetHref(family, provider);
  link.dataset["font"] = family;
  for (const old of earlier) old.remove();
  document.head.append(link);
}
