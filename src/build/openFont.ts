/** Reads what layout needs of a font: heights of a line, and widths of letters at a weight. */
import { brotliDecompressSync } from "node:zlib";

// How letters grow wider with the weight (OpenType 1.9, HVAR and item variation stores).

/** The change of a glyph's width at a normalised weight, in the font's units. */
type AdvanceDeltas = (glyph: number, coordinate: number) => number;

type Region = { start: number; peak: number; end: number };

const LONG_WORDS = 0x8000;

/** Reads the HVAR table of a font with one axis. */
function advanceDeltas(hvar: DataView): AdvanceDeltas {
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

// Finds the glyph of a letter in a font's character map (OpenType 1.9, cmap format 4).

const WINDOWS = 3;
const UNICODE_BMP = 1;

/** The glyph's number. Throws when the font has none for the letter. */
function glyphIndex(cmap: DataView, codePoint: number): number {
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

// The weight axis of a variable font and its coordinates (OpenType 1.9, fvar and avar).

/** The ends and the middle of the axis, in CSS weights. */
type WeightAxis = { min: number; normal: number; max: number };

/** The weight axis; undefined for a static font. Throws when the font varies in something else. */
function weightAxis(fvar: DataView | undefined): WeightAxis | undefined {
  if (!fvar) return undefined;
  const axis = fvar.getUint16(4);
  if (fvar.getUint16(8) !== 1 || fvar.getUint32(axis) !== 0x77676874)
    throw new Error("The font varies in more than its weight.");
  const at = (offset: number) => fvar.getInt32(axis + offset) / 65536;
  return { min: at(4), normal: at(8), max: at(12) };
}

/** A weight as the font's tables count: -1 the lightest, 0 the middle, 1 the heaviest. */
function normalisedWeight(
  { min, normal, max }: WeightAxis,
  weight: number,
  avar: DataView | undefined,
): number {
  const clamped = Math.min(max, Math.max(min, weight));
  if (clamped === normal) return 0;
  const linear =
    clamped < normal ? (clamped - normal) / (normal - min) : (clamped - normal) / (max - normal);
  return avar ? bent(linear, avar) : linear;
}

/** The axis follows a bent line through the points in avar. */
function bent(value: number, avar: DataView): number {
  const points = Array.from({ length: avar.getUint16(8) }, (_, index) => ({
    from: avar.getInt16(10 + index * 4) / 16384,
    to: avar.getInt16(12 + index * 4) / 16384,
  }));
  const next = points.findIndex((point) => point.from >= value);
  const [low, high] = [points[next - 1], points[next]];
  if (!low || !high) return value;
  return low.to + ((value - low.from) / (high.from - low.from)) * (high.to - low.to);
}

// Unpacks the tables of a WOFF2 file (W3C WOFF File Format 2.0, §4 and §5).

/** The tables of a font by tag; `isTransformed` names those stored in WOFF2's own form. */
type FontTables = {
  table(tag: string): DataView | undefined;
  isTransformed(tag: string): boolean;
};

type Entry = { tag: string; length: number; transformed: boolean };

const HEADER_BYTES = 48;
const OWN_TAG = 63;
/** The tags that have a number of their own, in the order of the standard's table (§4.1). */
const KNOWN_TAGS = (
  "cmap,head,hhea,hmtx,maxp,name,OS/2,post,cvt ,fpgm,glyf,loca,prep,CFF ,VORG,EBDT,EBLC,gasp,hdmx," +
  "kern,LTSH,PCLT,VDMX,vhea,vmtx,BASE,GDEF,GPOS,GSUB,EBSC,JSTF,MATH,CBDT,CBLC,COLR,CPAL,SVG ," +
  "sbix,acnt,avar,bdat,bloc,bsln,cvar,fdsc,feat,fmtx,fvar,gvar,hsty,just,lcar,mort,morx,opbd," +
  "prop,trak,Zapf,Silf,Glat,Gloc,Feat,Sill"
).split(",");

/** Throws when the bytes are no WOFF2 file. */
function woff2Tables(bytes: Uint8Array): FontTables {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0) !== 0x774f4632) throw new Error("This is not a WOFF2 file.");
  const { entries, end } = directory(bytes, view.getUint16(12));
  const data = brotliDecompressSync(bytes.subarray(end, end + view.getUint32(20)));
  const found = new Map<string, { view: DataView; transformed: boolean }>();
  let offset = data.byteOffset;
  for (const { tag, length, transformed } of entries) {
    found.set(tag, { view: new DataView(data.buffer, offset, length), transformed });
    offset += length;
  }
  return {
    table: (tag) => found.get(tag)?.view,
    isTransformed: (tag) => found.get(tag)?.transformed ?? false,
  };
}

function directory(bytes: Uint8Array, count: number): { entries: Entry[]; end: number } {
  const entries: Entry[] = [];
  let end = HEADER_BYTES;
  for (let index = 0; index < count; index++) {
    const flags = bytes[end++]!;
    let tag = KNOWN_TAGS[flags & OWN_TAG];
    if (tag === undefined) {
      tag = String.fromCharCode(...bytes.subarray(end, end + 4));
      end += 4;
    }
    const transformed = isTransformed(tag, flags >> 6);
    let length: number;
    [length, end] = base128(bytes, end);
    if (transformed) [length, end] = base128(bytes, end);
    entries.push({ tag, length, transformed });
  }
  return { entries, end };
}

/** For outlines version 3 is the plain form, for every other table it is version 0. */
function isTransformed(tag: string, version: number): boolean {
  return tag === "glyf" || tag === "loca" ? version !== 3 : version !== 0;
}

function base128(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  let offset = start;
  for (;;) {
    const byte = bytes[offset++]!;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, offset];
  }
}

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
