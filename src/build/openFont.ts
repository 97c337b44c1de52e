/** Reads what layout needs of a font: heights of a line, and widths of letters at a weight. */
import { advanceDeltas } from "./advanceDeltas.ts";
import { glyphIndex } from "./glyphIndex.ts";
import { normalisedWeight, weightAxis } from "./weightAxis.ts";
import { woff2Tables } from "./woff2Tables.ts";

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

/** Opens a WOFF2 file (OpenType 1.9: head, hhea, hmtx, cmap, and HVAR for variable fonts). */
export function openFont(bytes: Uint8Array): OpenedFont {
  const tables = woff2Tables(bytes);
  const needed = (tag: string): DataView => {
    const table = tables.table(tag);
    if (!table) throw new Error(`The font has no ${tag} table.`);
    return table;
  };
  const [hhea, hmtx, cmap] = [needed("hhea"), needed("hmtx"), needed("cmap")];
  const em = needed("head").getUint16(18);
  const axis = weightAxis(tables.table("fvar"));
  const deltas = axis && advanceDeltas(needed("HVAR"));
  const advances = advanceReader(hmtx, hhea.getUint16(34), tables.isTransformed("hmtx"));
  return {
    ascent: hhea.getInt16(4) / em,
    descent: -hhea.getInt16(6) / em,
    lineGap: hhea.getInt16(8) / em,
    weightRange: axis && [axis.min, axis.max],
    advance(letter, weight) {
      const glyph = glyphIndex(cmap, letter.codePointAt(0)!);
      const delta =
        axis && deltas ? deltas(glyph, normalisedWeight(axis, weight, tables.table("avar"))) : 0;
      return (advances(glyph) + delta) / em;
    },
  };
}

/** In WOFF2's own form a byte of flags comes first, and the widths stand in a row (§5.4). */
function advanceReader(hmtx: DataView, count: number, transformed: boolean) {
  return (glyph: number): number => {
    const index = Math.min(glyph, count - 1);
    return hmtx.getUint16(transformed ? 1 + index * 2 : index * 4);
  };
}
