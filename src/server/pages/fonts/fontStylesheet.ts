/** Answers a `css2` address with the `@font-face` rules of the families the site carries. */
import { FONT_WEIGHTS } from "../../../schema/fonts.ts";
import {
  cataloguedFont,
  FONT_FILES_PATH,
  type FontCatalogue,
  type FontFace,
} from "./fontCatalogue.ts";
import { fontQuery, type FontRequest } from "./fontQuery.ts";

/** A status and a body: CSS with 200, a sentence in plain text otherwise. */
export type FontStylesheet = { status: 200 | 400; body: string };

const REFUSED: FontStylesheet = {
  status: 400,
  body:
    "This site has no such font. Ask as /fonts/css2?family=Inter:wght@400;700&display=swap, " +
    "with a family that the Styles tab offers.",
};

/**
 * The stylesheet for `/fonts/css2?family=…&display=…`; `family` may come several times, up to 15.
 * Each weight asked for is met by the nearest one there is; a variable file meets all in its range.
 * Nothing of the query appears in the answer.
 */
export function fontStylesheet(catalogue: FontCatalogue, query: URLSearchParams): FontStylesheet {
  const asked = fontQuery(query);
  if (!asked) return REFUSED;
  const rules: string[] = [];
  for (const request of asked.requests) {
    const font = cataloguedFont(catalogue, request.family);
    if (!font) return REFUSED;
    for (const face of facesFor(font.faces, request))
      rules.push(fontFaceRule(request.family, face, asked.display));
  }
  return { status: 200, body: rules.join("\n") + "\n" };
}

function facesFor(faces: FontFace[], { weights }: FontRequest): FontFace[] {
  const wanted = Array.isArray(weights)
    ? weights
    : FONT_WEIGHTS.filter((weight) => weight >= weights.from && weight <= weights.to);
  const nearest = wanted.map((weight) => nearestWeights(faces, weight));
  return faces.filter((face) => nearest.includes(face.weights[0]));
}

/** The lower end of the face nearest to a weight; of two as near, the lighter one. */
function nearestWeights(faces: FontFace[], weight: number): number {
  const byDistance = faces
    .map((face) => ({ start: face.weights[0], distance: distance(face, weight) }))
    .sort((a, b) => a.distance - b.distance || a.start - b.start);
  return byDistance[0]!.start;
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
