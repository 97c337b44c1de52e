/** What a page's first paint needs of its fonts, so that it waits for no style sheet of theirs. */
import { fontStylesheetHref } from "../../../schema/fonts.ts";
import { fallbackFaces } from "./fallbackFaces.ts";
import type { FontCatalogue } from "./fontCatalogue.ts";
import { fontPreloadHref } from "./fontPreload.ts";
import { fontStylesheet } from "./fontStylesheet.ts";

/** The weights of the first words: the headline's, and the text's around it. */
const HEADLINE_WEIGHT = 700;
const TEXT_WEIGHT = 400;

/**
 * For a page's families, the headline's first: the CSS of their stand-ins, with their own rules when
 * the site carries them, and the files to preload. Of fonts from another provider (`own` false) the
 * page knows neither.
 */
export function firstPaintFonts(
  catalogue: FontCatalogue,
  families: readonly string[],
  own: boolean,
): { css: string; preloads: string[] } {
  const standIns = fallbackFaces(catalogue, families);
  if (!own) return { css: standIns, preloads: [] };
  const files = families.map((family, place) =>
    fontPreloadHref(catalogue, family, place === 0 ? HEADLINE_WEIGHT : TEXT_WEIGHT),
  );
  return {
    css: standIns + families.map((family) => ownRules(catalogue, family)).join(""),
    preloads: files.filter((file) => file !== undefined),
  };
}

/** What the family's own style sheet link answers; nothing when the site does not carry it. */
function ownRules(catalogue: FontCatalogue, family: string): string {
  const { searchParams } = new URL(fontStylesheetHref(family), "http://localhost");
  const { status, body } = fontStylesheet(catalogue, searchParams);
  return status === 200 ? body.replaceAll("\n", "") : "";
}
