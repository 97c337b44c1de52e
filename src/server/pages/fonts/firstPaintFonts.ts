/** What a page's first paint needs of its fonts beyond their style sheets. */
import { fallbackFaces } from "./fallbackFaces.ts";
import type { FontCatalogue } from "./fontCatalogue.ts";
import { fontPreloadHref } from "./fontPreload.ts";

/** The weight of headlines; it decides which file of a family without a variable one comes early. */
const HEADLINE_WEIGHT = 700;

/**
 * For a page's families, the headline's first. From this site the headline font is preloaded (no
 * other, so that the hero's picture is not held up), and its style sheet brings the stand-ins; from
 * another provider (`own` false) the page has to bring the stand-ins itself.
 */
export function firstPaintFonts(
  catalogue: FontCatalogue,
  families: readonly string[],
  own: boolean,
): { fallbacks: string; preloads: string[] } {
  if (!own) return { fallbacks: fallbackFaces(catalogue, families), preloads: [] };
  const headline = families[0] && fontPreloadHref(catalogue, families[0], HEADLINE_WEIGHT);
  return { fallbacks: "", preloads: headline ? [headline] : [] };
}
