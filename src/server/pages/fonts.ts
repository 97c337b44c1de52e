/** The site's own fonts: their style sheets, and what a page's first paint needs of them. */
import { fallbackFamily, FONT_WEIGHTS } from "../../schema/sections/fonts.ts";
import {
  cataloguedFont,
  type FallbackFace,
  FONT_FILES_PATH,
  type FontCatalogue,
  type FontFace,
} from "./fontCatalog.ts";

/** The weight of the body text above the fold. */
const TEXT_WEIGHT = 400;

/**
 * For a page's families, the headline's first: the CSS of their fallbacks and, when the site serves the fonts itself
 * (`own`), their own rules and the files to preload. `weight` is the headline's.
 */
export function firstPaintFonts(
  catalogue: FontCatalogue,
  families: readonly string[],
  own: boolean,
  weight = 700,
): { css: string; preloads: string[] } {
  const standIns = fallbackFaces(catalogue, families);
  if (!own) return { css: standIns, preloads: [] };
  const files = families.map((family, index) =>
    fontPreloadHref(catalogue, family, index === 0 ? weight : TEXT_WEIGHT),
  );
  return {
    css: standIns + families.map((family) => ownRules(catalogue, family)).join(""),
    preloads: files.filter((file) => file !== undefined),
  };
}

/** The same rules as in the family's style sheet; empty for a family that the site doesn't carry. */
function ownRules(catalogue: FontCatalogue, family: string): string {
  const font = cataloguedFont(catalogue, family);
  const request = { family, weights: FONT_WEIGHTS };
  return font ? rulesOf(font.faces, request, "swap").join("") : "";
}

/**
 * The `@font-face` rules of `"<Family> Fallback"` for families that the site carries; a family is then written as
 * `"Inter", "Inter Fallback", sans-serif`. Other families are skipped.
 */
export function fallbackFaces(catalogue: FontCatalogue, families: readonly string[]): string {
  return [...new Set(families)]
    .flatMap((family) =>
      (cataloguedFont(catalogue, family)?.fallbacks ?? []).map((face) => rule(family, face)),
    )
    .join("");
}

function rule(family: string, face: FallbackFace): string {
  return [
    "@font-face{",
    `font-family:"${fallbackFamily(family)}";`,
    `font-weight:${face.weights.join(" ")};`,
    `src:${face.local.map((name) => `local("${name}")`).join(",")};`,
    `unicode-range:${face.unicodeRange};`,
    `size-adjust:${percent(face.sizeAdjust)};`,
    `ascent-override:${percent(face.ascent)};`,
    `descent-override:${percent(face.descent)};`,
    `line-gap-override:${percent(face.lineGap)}`,
    "}",
  ].join("");
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))}%`;
}

/**
 * The URL of a family's latin file for a weight; undefined when the site doesn't carry the family. Link it with
 * `rel=preload as=font type=font/woff2 crossorigin`.
 */
export function fontPreloadHref(
  catalogue: FontCatalogue,
  family: string,
  weight: number,
): string | undefined {
  const faces = cataloguedFont(catalogue, family)?.faces.filter((face) => face.subset === "latin");
  const distances = (faces ?? []).map(({ file, weights: [from, to] }) => ({
    file,
    distance: Math.max(from - weight, 0, weight - to),
  }));
  const nearest = distances.sort((a, b) => a.distance - b.distance)[0];
  return nearest && FONT_FILES_PATH + nearest.file;
}

/** A status and a body: CSS with 200, a sentence in plain text otherwise. */
type FontStylesheet = { status: 200 | 400; body: string };

const REFUSED: FontStylesheet = {
  status: 400,
  body:
    "Unknown font. Request /fonts/css2?family=Inter:wght@400;700&display=swap, " +
    "with a family from the Styles tab.",
};

/**
 * The style sheet for `/fonts/css2?family=…&display=…`; `family` may occur up to 15 times. Each requested weight maps
 * to the nearest one available; a variable file covers its whole range. Nothing of the query is echoed.
 */
export function fontStylesheet(catalogue: FontCatalogue, query: URLSearchParams): FontStylesheet {
  const parsed = fontQuery(query);
  if (!parsed) return REFUSED;
  const rules: string[] = [];
  for (const request of parsed.requests) {
    const font = cataloguedFont(catalogue, request.family);
    if (!font) return REFUSED;
    rules.push(...rulesOf(font.faces, request, parsed.display));
  }
  return { status: 200, body: rules.join("\n") + "\n" };
}

function rulesOf(faces: FontFace[], request: FontRequest, display: string): string[] {
  return facesFor(faces, request).map((face) => fontFaceRule(request.family, face, display));
}

function facesFor(faces: FontFace[], { weights }: FontRequest): FontFace[] {
  const wanted =
    "from" in weights
      ? FONT_WEIGHTS.filter((weight) => weight >= weights.from && weight <= weights.to)
      : weights;
  const nearest = wanted.map((weight) => nearestWeights(faces, weight));
  return faces.filter((face) => nearest.includes(face.weights[0]));
}

/** The lower end of the nearest face's weights; of two equally near, the lighter one. */
function nearestWeights(faces: FontFace[], weight: number): number {
  const least = Math.min(...faces.map((face) => distance(face, weight)));
  const nearest = faces.filter((face) => distance(face, weight) === least);
  return Math.min(...nearest.map(({ weights: [start] }) => start));
}

function distance({ weights: [from, to] }: FontFace, weight: number): number {
  return Math.max(from - weight, 0, weight - to);
}

function fontFaceRule(family: string, face: FontFace, display: string): string {
  const [from, to] = face.weights;
  return [
    "@font-face{",
    `font-family:"${family}";`,
    "font-style:normal;",
    `font-weight:${from === to ? from : `${from} ${to}`};`,
    `font-display:${display};`,
    `src:url(${FONT_FILES_PATH}${face.file}) format("woff2");`,
    `unicode-range:${face.unicodeRange}`,
    "}",
  ].join("");
}

/** A family and its weights: a list, or a range. */
type FontRequest = { family: string; weights: readonly number[] | { from: number; to: number } };

type FontQuery = { requests: FontRequest[]; display: string };

const DISPLAYS = ["auto", "block", "swap", "fallback", "optional"];
const MAX_FAMILIES = 15;
const FAMILY = /^(?<family>[\w ]{1,60})(?::wght@(?<weights>[\d.;]{3,80}))?$/;
const WEIGHT_LIST = /^[1-9]\d{0,3}(;[1-9]\d{0,3})*$/;
const WEIGHT_RANGE = /^([1-9]\d{0,3})\.\.([1-9]\d{0,3})$/;

/** The parsed query; undefined if malformed. Weights default to 400. */
function fontQuery(query: URLSearchParams): FontQuery | undefined {
  const requests = query.getAll("family").map(fontRequest);
  const display = query.get("display") ?? "swap";
  if (requests.length < 1 || requests.length > MAX_FAMILIES) return undefined;
  if (!DISPLAYS.includes(display) || !requests.every((request) => request !== undefined))
    return undefined;
  return { requests, display };
}

function fontRequest(parameter: string): FontRequest | undefined {
  const { family, weights = "400" } = FAMILY.exec(parameter)?.groups ?? {};
  if (!family) return undefined;
  const range = WEIGHT_RANGE.exec(weights);
  if (range) return { family, weights: { from: Number(range[1]), to: Number(range[2]) } };
  return WEIGHT_LIST.test(weights)
    ? { family, weights: weights.split(";").map(Number) }
    : undefined;
}
