/** The style sheets of the fonts, and the part of the fonts that a page's first paint needs. */
import { getFallbackFamily } from "../../schema/sections/fonts.ts";
import {
  findFont,
  type FallbackFace,
  FONT_FILES_PATH,
  type FontCatalog,
  type FontFace,
} from "./fontCatalog.ts";

/** The weight of the body text above the fold. */
const TEXT_WEIGHT = 400;

/**
 * Returns the CSS of the fallback fonts. If the site serves the fonts itself (`areLocal`), also returns the
 * `@font-face` rules of `families`, and the files to preload. The headline's family is the first, with the given
 * `weight`.
 */
export function createFirstPaintFonts(
  catalog: FontCatalog,
  families: readonly string[],
  areLocal: boolean,
  weight = 700,
): { css: string; preloads: string[] } {
  const fallbacks = createFallbackRules(catalog, families);
  if (!areLocal) return { css: fallbacks, preloads: [] };
  const preloadUrls = families.map((family, index) =>
    findFontPreloadHref(catalog, family, index === 0 ? weight : TEXT_WEIGHT),
  );
  return {
    css: fallbacks + families.flatMap((family) => findFamilyRules(catalog, family) ?? []).join(""),
    preloads: preloadUrls.filter((url) => url !== undefined),
  };
}

/** Returns the `@font-face` rules of the fallback fonts, named `"<Family> Fallback"`. Skips unknown families. */
export function createFallbackRules(catalog: FontCatalog, families: readonly string[]): string {
  return [...new Set(families)]
    .flatMap((family) =>
      (findFont(catalog, family)?.fallbacks ?? []).map((face) => createFallbackRule(family, face)),
    )
    .join("");
}

function createFallbackRule(family: string, face: FallbackFace): string {
  return [
    "@font-face{",
    `font-family:"${getFallbackFamily(family)}";`,
    `font-weight:${face.weights.join(" ")};`,
    `src:${face.local.map((name) => `local("${name}")`).join(",")};`,
    `unicode-range:${face.unicodeRange};`,
    `size-adjust:${formatPercent(face.sizeAdjust)};`,
    `ascent-override:${formatPercent(face.ascent)};`,
    `descent-override:${formatPercent(face.descent)};`,
    `line-gap-override:${formatPercent(face.lineGap)}`,
    "}",
  ].join("");
}

function formatPercent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))}%`;
}

/** Returns the URL of a family's latin file nearest to a weight; undefined if the site doesn't carry the family. */
export function findFontPreloadHref(
  catalog: FontCatalog,
  family: string,
  weight: number,
): string | undefined {
  const faces = findFont(catalog, family)?.faces.filter((face) => face.subset === "latin");
  const distances = (faces ?? []).map(({ file, weights: [minWeight, maxWeight] }) => ({
    file,
    distance: Math.max(minWeight - weight, 0, weight - maxWeight),
  }));
  const nearest = distances.sort((a, b) => a.distance - b.distance)[0];
  return nearest && FONT_FILES_PATH + nearest.file;
}

/** The response to a request for a style sheet: CSS with 200, or a sentence in plain text with 400. */
type FontStylesheet = { status: 200 | 400; body: string };

const MAX_FAMILIES = 15;

const WRONG_COUNT_STYLESHEET: FontStylesheet = {
  status: 400,
  body: `Request 1 to ${MAX_FAMILIES} fonts, such as /fonts/css2?family=Inter.`,
};
const UNKNOWN_FONT_STYLESHEET: FontStylesheet = {
  status: 400,
  body: "Unknown font. Request one from the Styles tab, such as /fonts/css2?family=Inter.",
};

/** Returns the style sheet for `/fonts/css2?family=…`. It has all weights, and never repeats the query. */
export function createFontStylesheet(catalog: FontCatalog, query: URLSearchParams): FontStylesheet {
  const families = query.getAll("family").map((parameter) => parameter.replace(/:.*$/s, ""));
  if (families.length < 1 || families.length > MAX_FAMILIES) return WRONG_COUNT_STYLESHEET;
  const rules = families.map((family) => findFamilyRules(catalog, family));
  if (!rules.every((each) => each !== undefined)) return UNKNOWN_FONT_STYLESHEET;
  return { status: 200, body: `${rules.flat().join("\n")}\n` };
}

/** Returns the rules of a family's style sheet; undefined for a family that the site doesn't carry. */
const findFamilyRules = (catalog: FontCatalog, family: string): string[] | undefined =>
  findFont(catalog, family)?.faces.map((face) => createFontFaceRule(family, face));

function createFontFaceRule(family: string, face: FontFace): string {
  const [minWeight, maxWeight] = face.weights;
  return [
    "@font-face{",
    `font-family:"${family}";`,
    "font-style:normal;",
    `font-weight:${minWeight === maxWeight ? minWeight : `${minWeight} ${maxWeight}`};`,
    "font-display:swap;",
    `src:url(${FONT_FILES_PATH}${face.file}) format("woff2");`,
    `unicode-range:${face.unicodeRange}`,
    "}",
  ].join("");
}
