/** The font style sheets of a page in the browser. */
import { createFontStylesheetHref } from "../../schema/sections/fonts.ts";

export { createFontStylesheetHref };

/** Returns the font families of headings and text; one family if they are the same. */
export function findFontFamilies(styles: { headingFont: string; bodyFont: string }): string[] {
  return [...new Set([styles.headingFont, styles.bodyFont])];
}

/** Adds a link that loads a font family. Removes an earlier link for the same family. */
export function loadFont(family: string, provider: string): void {
  const links = document.querySelectorAll<HTMLLinkElement>("link[data-font]");
  const oldLinks = [...links].filter((link) => link.dataset["font"] === family);
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = createFontStylesheetHref(family, provider);
  link.dataset["font"] = family;
  for (const old of oldLinks) old.remove();
  document.head.append(link);
}
