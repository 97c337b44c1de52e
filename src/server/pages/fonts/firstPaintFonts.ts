/** What a page's first paint needs of its fonts: stand-ins, and the headline's file early. */
import { fallbackFaces } from "./fallbackFaces.ts";
import type { FontCatalogue } from "./fontCatalogue.ts";
import { fontPreloadHref } from "./fontPreload.ts";

/** The weight of headlines; it decides which file of a family without a variable one comes early. */
const HEADLINE_WEIGHT = 700;

/**
 * For a page's families, the headline's first: the CSS of their stand-ins, and the files to preload.
 * Only the headline's is among these, so that the hero's picture is not held up, and none when the
 * fonts come from another provider (`own` false).
 */
export function firstPaintFonts(
  catalogue: FontCatalogue,
  families: readonly string[],
  own: boolean,
): { standIns: string; preloads: string[] } {
  const headline = own && families[0] && fontPreloadHref(catalogue, families[0], HEADLINE_WEIGHT);
  return { standIns: fallbackFaces(catalogue, families), preloads: headline ? [headline] : [] };
}
