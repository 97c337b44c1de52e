/** Text as glyph outlines, since pictures are rendered without fonts. */
import { normalizedText } from "../../schema/core/boundedUnicode.ts";
import { LONGEST_DRAWN } from "../../schema/looks/sharePictureText.ts";
import { join } from "node:path";
import {
  cataloguedFont,
  OUTLINED_WEIGHTS,
  type Outlines,
  OUTLINES_FOLDER,
  outlinesFile,
  WIDEST_FAMILY,
} from "./fontCatalog.ts";
import type { WebBuild } from "./webBuild.ts";

/** A family's glyphs in the nearest weight; undefined for a family that the site doesn't carry. */
export async function loadOutlines(
  build: WebBuild,
  family: string,
  weight: number,
): Promise<Outlines | undefined> {
  return cataloguedFont(build.fonts, family) && (await readOutlines(build, family, weight));
}

async function readOutlines(
  { directory }: WebBuild,
  family: string,
  weight: number,
): Promise<Outlines> {
  const distance = (each: number) => Math.abs(each - weight);
  const nearest = OUTLINED_WEIGHTS.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  const file = Bun.file(join(directory, OUTLINES_FOLDER, outlinesFile(family, nearest)));
  return JSON.parse(Buffer.from(Bun.gunzipSync(await file.bytes())).toString()) as Outlines;
}

/** The glyphs for a text: the family's own, or the widest family's where that has more of its letters. */
export async function glyphsFor(
  build: WebBuild,
  text: string,
  family: string,
  weight: number,
): Promise<Outlines> {
  const outlines = await loadOutlines(build, family, weight);
  if (outlines && drawable(text, outlines) === text) return outlines;
  // A display face's only weight is as heavy as a text face's bold.
  const widest = await readOutlines(build, WIDEST_FAMILY, weight === 400 ? 700 : weight);
  return outlines && drawable(text, outlines).length >= drawable(text, widest).length
    ? outlines
    : widest;
}

/** Text in given outlines; `size` is the font size in pixels. */
export interface TextRun {
  readonly text: string;
  readonly font: Outlines;
  readonly size: number;
}

/** The part of a text that the font has glyphs for; empty when most of it is in another script. */
export function drawable(text: string, { glyphs }: Outlines): string {
  const characters = [...(normalizedText(text, "NFC", LONGEST_DRAWN) ?? "")];
  const drawn = characters.filter((each) => Object.hasOwn(glyphs, each));
  return drawn.length * 2 < characters.length ? "" : drawn.join("").replace(/\s+/g, " ").trim();
}

/** In pixels, kerning included; missing glyphs have no width. */
export const widthOf = (run: TextRun): number => laidOut(run).width * scaleOf(run);

/** As SVG: starts at x, on the baseline y. */
export function textPath(run: TextRun, x: number, y: number): string {
  const scale = scaleOf(run);
  const letters = laidOut(run).letters.map(
    ({ from, path }) => `<path transform="translate(${from})" d="${path}"/>`,
  );
  // Font coordinates point upwards.
  return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})">${letters.join("")}</g>`;
}

const scaleOf = ({ size, font }: TextRun) => size / font.em;

/** Each glyph with its offset, in font units. */
function laidOut({ text, font }: TextRun) {
  const characters = [...text];
  let width = 0;
  const letters = characters.map((each, at) => {
    const from = width;
    const [advance, path] = font.glyphs[each] ?? [0, ""];
    width += advance + (font.kern[each + (characters[at + 1] ?? "")] ?? 0);
    return { from, path };
  });
  return { letters, width };
}
