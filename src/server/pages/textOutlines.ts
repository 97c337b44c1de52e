/** Text as glyph outlines, since pictures are rendered without fonts. */
import { normalizeText } from "../../schema/core/boundedUnicode.ts";
import { MAX_DRAWN_LENGTH } from "../../schema/looks/sharePictures.ts";
import { join } from "node:path";
import {
  findFont,
  OUTLINED_WEIGHTS,
  type FontOutlines,
  OUTLINES_FOLDER,
  getOutlinesFileName,
  BROADEST_FAMILY,
} from "./fontCatalog.ts";
import type { WebBuild } from "./webBuild.ts";

/** Loads a family's glyphs in the nearest weight; undefined if the site doesn't carry the family. */
export async function loadOutlines(
  build: WebBuild,
  family: string,
  weight: number,
): Promise<FontOutlines | undefined> {
  return findFont(build.fonts, family) && (await readOutlines(build, family, weight));
}

async function readOutlines(
  { directory }: WebBuild,
  family: string,
  weight: number,
): Promise<FontOutlines> {
  const computeDistance = (each: number) => Math.abs(each - weight);
  const nearest = OUTLINED_WEIGHTS.reduce((a, b) =>
    computeDistance(b) < computeDistance(a) ? b : a,
  );
  const file = Bun.file(join(directory, OUTLINES_FOLDER, getOutlinesFileName(family, nearest)));
  return JSON.parse(Buffer.from(Bun.gunzipSync(await file.bytes())).toString()) as FontOutlines;
}

/** Returns the glyphs of the family, or of the broadest family if that has more of the text's letters. */
export async function chooseOutlines(
  build: WebBuild,
  text: string,
  family: string,
  weight: number,
): Promise<FontOutlines> {
  const outlines = await loadOutlines(build, family, weight);
  if (outlines && selectDrawableText(text, outlines) === text) return outlines;
  // A heading of weight 400 is in a display face with a single weight, which looks as heavy as a text face in bold.
  const broadest = await readOutlines(build, BROADEST_FAMILY, weight === 400 ? 700 : weight);
  return outlines &&
    selectDrawableText(text, outlines).length >= selectDrawableText(text, broadest).length
    ? outlines
    : broadest;
}

export interface TextRun {
  readonly text: string;
  readonly font: FontOutlines;
  readonly size: number;
}

/** Returns those letters of a text that the font has; "" if the font lacks more than half of them. */
export function selectDrawableText(text: string, { glyphs }: FontOutlines): string {
  const characters = [...(normalizeText(text, "NFC", MAX_DRAWN_LENGTH) ?? "")];
  const drawableCharacters = characters.filter((each) => Object.hasOwn(glyphs, each));
  return drawableCharacters.length * 2 < characters.length
    ? ""
    : drawableCharacters.join("").replace(/\s+/g, " ").trim();
}

/** Returns the width of a text in pixels, kerning included. Missing glyphs have no width. */
export const measureTextWidth = (run: TextRun): number =>
  layOutGlyphs(run).width * computeGlyphScale(run);

/** Returns a text as SVG paths. `x` is its left edge, `y` its baseline. */
export function createTextPath(run: TextRun, x: number, y: number): string {
  const scale = computeGlyphScale(run);
  const letters = layOutGlyphs(run).letters.map(
    ({ from, path }) => `<path transform="translate(${from})" d="${path}"/>`,
  );
  // The scale is negative for y, since y points upward in fonts and downward in SVG.
  return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})">${letters.join("")}</g>`;
}

const computeGlyphScale = ({ size, font }: TextRun) => size / font.em;

/** Returns each glyph with its horizontal offset, in font units. */
function layOutGlyphs({ text, font }: TextRun) {
  const characters = [...text];
  let width = 0;
  const letters = characters.map((each, index) => {
    const offset = width;
    const [advance, path] = font.glyphs[each] ?? [0, ""];
    width += advance + (font.kern[each + (characters[index + 1] ?? "")] ?? 0);
    return { from: offset, path };
  });
  return { letters, width };
}
