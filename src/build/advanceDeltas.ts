/** How letters grow wider with the weight (OpenType 1.9, HVAR and item variation stores). */

/** The change of a glyph's width at a normalised weight, in the font's units. */
export type AdvanceDeltas = (glyph: number, coordinate: number) => number;

type Region = { start: number; peak: number; end: number };

const LONG_WORDS = 0x8000;

/** Reads the HVAR table of a font with one axis. */
export function advanceDeltas(hvar: DataView): AdvanceDeltas {
  const store = hvar.getUint32(4);
  const map = hvar.getUint32(8);
  const regions = regionsAt(hvar, store + hvar.getUint32(store + 2));
  return (glyph, coordinate) => {
    const [outer, inner] = map === 0 ? [0, glyph] : mapped(hvar, map, glyph);
    const data = store + hvar.getUint32(store + 8 + outer * 4);
    return deltasAt(hvar, data, inner)
      .map(({ region, delta }) => delta * influence(regions[region]!, coordinate))
      .reduce((sum, part) => sum + part, 0);
  };
}

function regionsAt(hvar: DataView, list: number): Region[] {
  return Array.from({ length: hvar.getUint16(list + 2) }, (_, index) => {
    const at = (offset: number) => hvar.getInt16(list + 4 + index * 6 + offset) / 16384;
    return { start: at(0), peak: at(2), end: at(4) };
  });
}

function influence({ start, peak, end }: Region, coordinate: number): number {
  if (peak === 0 || coordinate === peak) return 1;
  if (coordinate <= start || coordinate >= end) return 0;
  return coordinate < peak
    ? (coordinate - start) / (peak - start)
    : (end - coordinate) / (end - peak);
}

function mapped(hvar: DataView, map: number, glyph: number): [outer: number, inner: number] {
  const isLong = hvar.getUint8(map) === 1;
  const format = hvar.getUint8(map + 1);
  const count = isLong ? hvar.getUint32(map + 2) : hvar.getUint16(map + 2);
  const size = ((format >> 4) & 3) + 1;
  const start = map + (isLong ? 6 : 4) + Math.min(glyph, count - 1) * size;
  let entry = 0;
  for (let byte = 0; byte < size; byte++) entry = entry * 256 + hvar.getUint8(start + byte);
  const innerBits = (format & 15) + 1;
  return [Math.floor(entry / 2 ** innerBits), entry % 2 ** innerBits];
}

/** A row of deltas: the first ones are wide numbers, the rest are half as wide. */
function deltasAt(hvar: DataView, data: number, item: number): { region: number; delta: number }[] {
  const words = hvar.getUint16(data + 2);
  const isLong = (words & LONG_WORDS) !== 0;
  const wide = words & ~LONG_WORDS;
  const count = hvar.getUint16(data + 4);
  const narrowBytes = isLong ? 2 : 1;
  const rows = data + 6 + count * 2;
  let at = rows + item * (wide + count) * narrowBytes;
  return Array.from({ length: count }, (_, index) => {
    const bytes = index < wide ? narrowBytes * 2 : narrowBytes;
    const delta = signed(hvar, at, bytes);
    at += bytes;
    return { region: hvar.getUint16(data + 6 + index * 2), delta };
  });
}

function signed(view: DataView, at: number, bytes: number): number {
  if (bytes === 4) return view.getInt32(at);
  return bytes === 2 ? view.getInt16(at) : view.getInt8(at);
}
