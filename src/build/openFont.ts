/** A font's metrics, read by HarfBuzz: line heights, and advance widths at a weight. */
import { convert, detectFormat } from "fontverter";
import { Blob, Face, Font, Variation } from "harfbuzzjs";

/** Metrics as fractions of the font size: 0.5 is half an em. */
export type OpenedFont = {
  ascent: number;
  /** The depth below the baseline, as a positive number. */
  descent: number;
  lineGap: number;
  /** The lightest and the heaviest weight; undefined for a static font. */
  weightRange?: [number, number];
  /** Returns a letter's advance width at a weight. Throws if the font lacks the letter. */
  advance(letter: string, weight: number): number;
};

/** Opens a WOFF2 file. Rejects other formats, and fonts that vary in more than weight. */
export async function openFont(bytes: Uint8Array): Promise<OpenedFont> {
  const file = Buffer.from(bytes);
  if (detectFormat(file) !== "woff2") throw new Error("This is not a WOFF2 file.");
  const face = new Face(new Blob(await convert(file, "sfnt", "woff2")));
  const font = new Font(face);
  const { wght: weights, ...others } = face.getAxisInfos();
  if (Object.keys(others).length > 0)
    throw new Error("The font has variable axes besides its weight.");
  const { ascender, descender, lineGap } = font.hExtents();
  const em = face.upem;
  return {
    ascent: ascender / em,
    descent: -descender / em,
    lineGap: lineGap / em,
    ...(weights && { weightRange: [weights.min, weights.max] }),
    advance(letter, weight) {
      const codePoint = letter.codePointAt(0);
      const glyph = codePoint === undefined ? undefined : font.nominalGlyph(codePoint);
      if (glyph === undefined) throw new Error(`The font has no glyph for "${letter}".`);
      font.setVariations([new Variation("wght", weight)]);
      return font.glyphHAdvance(glyph) / em;
    },
  };
}
