/** What layout needs of a font, as HarfBuzz reads it: heights of a line, widths of letters at a weight. */
import { convert, detectFormat } from "fontverter";
import { Blob, Face, Font, Variation } from "harfbuzzjs";

/** A font's measures, as parts of its size: 0.5 is half an em. */
export type OpenedFont = {
  ascent: number;
  /** Positive. */
  descent: number;
  lineGap: number;
  /** From the lightest to the heaviest weight; undefined for a static font. */
  weightRange?: [number, number];
  /** How far a letter moves the pen, at a weight. Throws when the font does not have it. */
  advance(letter: string, weight: number): number;
};

/** Opens a WOFF2 file. Rejects when it is none, or varies in more than its weight. */
export async function openFont(bytes: Uint8Array): Promise<OpenedFont> {
  const file = Buffer.from(bytes);
  if (detectFormat(file) !== "woff2") throw new Error("This is not a WOFF2 file.");
  const face = new Face(new Blob(await convert(file, "sfnt", "woff2")));
  const font = new Font(face);
  const { wght: weights, ...others } = face.getAxisInfos();
  if (Object.keys(others).length > 0) throw new Error("The font varies in more than its weight.");
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
