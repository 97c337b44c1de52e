/** Unpacks the tables of a WOFF2 file (W3C WOFF File Format 2.0, §4 and §5). */
import { brotliDecompressSync } from "node:zlib";

/** The tables of a font by tag; `isTransformed` names those stored in WOFF2's own form. */
export type FontTables = {
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
export function woff2Tables(bytes: Uint8Array): FontTables {
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
