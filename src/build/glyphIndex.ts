/** Finds the glyph of a letter in a font's character map (OpenType 1.9, cmap format 4). */

const WINDOWS = 3;
const UNICODE_BMP = 1;

/** The glyph's number. Throws when the font has none for the letter. */
export function glyphIndex(cmap: DataView, codePoint: number): number {
  const table = formatFour(cmap);
  const segments = cmap.getUint16(table + 6) / 2;
  const [ends, starts] = [table + 14, table + 16 + segments * 2];
  const [deltas, offsets] = [starts + segments * 2, starts + segments * 4];
  for (let segment = 0; segment < segments; segment++) {
    const at = segment * 2;
    const start = cmap.getUint16(starts + at);
    if (cmap.getUint16(ends + at) < codePoint) continue;
    if (start > codePoint) break;
    const offset = cmap.getUint16(offsets + at);
    const delta = cmap.getUint16(deltas + at);
    const base =
      offset === 0 ? codePoint : cmap.getUint16(offsets + at + offset + (codePoint - start) * 2);
    return (base + delta) & 0xffff;
  }
  throw new Error(`The font has no glyph for U+${codePoint.toString(16)}.`);
}

function formatFour(cmap: DataView): number {
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const record = 4 + index * 8;
    const isUnicode =
      cmap.getUint16(record) === WINDOWS && cmap.getUint16(record + 2) === UNICODE_BMP;
    const table = cmap.getUint32(record + 4);
    if (isUnicode && cmap.getUint16(table) === 4) return table;
  }
  throw new Error("The font has no Unicode character map of format 4.");
}
