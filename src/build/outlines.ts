/** Writes the glyph outlines of the fonts, with which the server draws text into pictures. */
import { Buffer as Text, Feature, type Font, shape, Variation } from "harfbuzzjs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DRAWABLE_CODE_POINTS } from "../schema/looks/sharePictures.ts";
import { assertDefined } from "../schema/core/assertDefined.ts";
import {
  type FontCatalog,
  type FontFace,
  type FontOutlines,
  OUTLINED_WEIGHTS,
  getOutlinesFileName,
  BROADEST_FAMILY,
} from "../server/pages/fontCatalog.ts";
import { findNearestFont, readFont } from "./fontFallbacks.ts";

const OUTLINED_CODE_POINTS = DRAWABLE_CODE_POINTS.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index),
);
/** The Greek, Cyrillic and Vietnamese fonts, which only the server uses. */
const FURTHER_SUBSET_PATHS = ["greek", "cyrillic", "cyrillic-ext", "vietnamese"].map((subset) =>
  join(
    import.meta.dir,
    `../../node_modules/@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`,
  ),
);
const KERNED_LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

/** Writes a file of outlines for each family and weight into `directory`. `fontDirectory` contains the font files. */
export async function writeOutlines(
  { families }: FontCatalog,
  fontDirectory: string,
  directory: string,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [family, { faces }] of Object.entries(families))
    for (const weight of OUTLINED_WEIGHTS) {
      const openSubset = (subset: FontFace["subset"]) => {
        const subsetFaces = faces.filter((face) => face.subset === subset);
        return openFontAt(join(fontDirectory, findNearestFont(subsetFaces, weight).file), weight);
      };
      const furtherPaths = family === BROADEST_FAMILY ? FURTHER_SUBSET_PATHS : [];
      const otherFonts = [
        openSubset("latin-ext"),
        ...furtherPaths.map((path) => openFontAt(path, weight)),
      ];
      const json = JSON.stringify(
        extractOutlines(await openSubset("latin"), await Promise.all(otherFonts)),
      );
      await Bun.write(
        join(directory, getOutlinesFileName(family, weight)),
        gzipSync(json, { level: 9 }),
      );
    }
}

async function openFontAt(path: string, weight: number): Promise<Font> {
  const font = await readFont(Buffer.from(await Bun.file(path).bytes()));
  if (font.face.getAxisInfos()["wght"]) font.setVariations([new Variation("wght", weight)]);
  return font;
}

/** Returns the outlines of `mainFont`, and of `fallbacks` for characters that it lacks. */
function extractOutlines(mainFont: Font, fallbacks: readonly Font[]): FontOutlines {
  const glyphs: Record<string, readonly [number, string]> = {};
  for (const codePoint of OUTLINED_CODE_POINTS)
    for (const font of [mainFont, ...fallbacks]) {
      const character = String.fromCodePoint(codePoint);
      const glyph = font.nominalGlyph(codePoint);
      if (!glyph || glyphs[character]) continue;
      const path = font.glyphToPath(glyph).replace(/-?\d*\.\d+/g, (n) => String(Math.round(+n)));
      glyphs[character] = [Math.round(font.glyphHAdvance(glyph)), path];
    }
  return { em: mainFont.face.upem, glyphs, kern: extractKerning(mainFont) };
}

/** Returns the kerning by letter pair, without pairs that have none. */
function extractKerning(font: Font): Record<string, number> {
  // Contains each letter next to every other letter, in both orders.
  const sequence = KERNED_LETTERS.flatMap((first, index) => [
    first,
    ...KERNED_LETTERS.slice(index + 1).flatMap((second) => [first, second]),
  ]);
  const text = new Text();
  const [firstLetter = ""] = sequence;
  text.addText(sequence.join("") + firstLetter);
  text.guessSegmentProperties();
  shape(font, text, [new Feature("liga", 0), new Feature("clig", 0), new Feature("calt", 0)]);
  const glyphs = text.getGlyphInfos();
  const positions = text.getGlyphPositions();
  if (glyphs.length !== sequence.length + 1) throw new Error("A pair of letters became one glyph.");
  const adjustments = glyphs.slice(0, -1).flatMap(({ codepoint: glyph }, index) => {
    const { xAdvance } = assertDefined(positions[index], "position of a glyph");
    const kern = Math.round(xAdvance - font.glyphHAdvance(glyph));
    return kern === 0
      ? []
      : [[`${sequence[index]}${sequence[index + 1] ?? firstLetter}`, kern] as const];
  });
  return Object.fromEntries(adjustments);
}
