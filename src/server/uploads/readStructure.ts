/** Identifies a file by its first bytes, and parses its blocks to the end. */
import { WRONG_TYPE } from "../../schema/uploads.ts";
import { wrongType } from "../shared/errors.ts";
import {
  checkAnimation,
  checkDimensions,
  damaged,
  exifOrientation,
  type ImageStructure,
  joined,
  latin1,
  viewOf,
} from "./imageStructure.ts";
import { jpegStructure } from "./jpegStructure.ts";
import { webpStructure } from "./webpStructure.ts";

interface Format {
  readonly matches: (start: string) => boolean;
  readonly parse: (bytes: Uint8Array<ArrayBuffer>) => ImageStructure;
}

const FORMATS: readonly Format[] = [
  { matches: (start) => start.startsWith("\xff\xd8\xff"), parse: jpegStructure },
  { matches: (start) => start.startsWith("\x89PNG\r\n\x1a\n"), parse: pngStructure },
  { matches: (start) => start.startsWith("RIFF") && start.endsWith("WEBP"), parse: webpStructure },
  { matches: (start) => /^GIF8[79]a/.test(start), parse: gifStructure },
];

/**
 * Parses a picture's structure, regardless of its name or declared type.
 * @throws {Refusal} `wrongType`, `damaged` or `tooManyPixels`.
 */
export function readStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  if (bytes.length === 0) throw damaged();
  const start = latin1(bytes, 0, 12);
  const format = FORMATS.find(({ matches }) => matches(start));
  if (!format) throw wrongType(WRONG_TYPE);
  try {
    return format.parse(bytes);
  } catch (error) {
    // A read beyond the end: the file is truncated.
    if (error instanceof RangeError) throw damaged(error);
    throw error;
  }
}

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;

/** Only what pixels and colors need; the decoder never sees compressed text and the like. */
const KEPT = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP"]);

type Chunk = { type: string; data: Uint8Array; whole: Uint8Array };

/** Parses a PNG's chunks up to IEND (PNG specification, third edition, §5) and verifies their checksums. */
function pngStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const header = viewOf(chunkAt(bytes, SIGNATURE_BYTES, "IHDR").data);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  checkDimensions(width, height);
  const chunks = chunksOf(bytes);
  if (!chunks.some((chunk) => chunk.type === "IDAT")) throw damaged();
  const exif = chunks.find((chunk) => chunk.type === "eXIf");
  const kept = chunks.filter((chunk) => KEPT.has(chunk.type)).map((chunk) => chunk.whole);
  const body = joined([bytes.subarray(0, SIGNATURE_BYTES), ...kept]);
  return {
    mimetype: "image/png",
    width,
    height,
    orientation: exif ? exifOrientation(exif.data) : 1,
    animated: false,
    lossless: true,
    body,
  };
}

/** Every chunk up to IEND; anything after it isn't part of the picture. */
function chunksOf(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  let offset = SIGNATURE_BYTES;
  while (chunks.at(-1)?.type !== "IEND") {
    const chunk = chunkAt(bytes, offset);
    offset += chunk.whole.length;
    chunks.push(chunk);
  }
  return chunks;
}

function chunkAt(bytes: Uint8Array, offset: number, expected?: string): Chunk {
  const view = viewOf(bytes);
  const length = view.getUint32(offset);
  const sumAt = offset + 8 + length;
  const sum = view.getUint32(sumAt);
  if (Bun.hash.crc32(bytes.subarray(offset + 4, sumAt)) !== sum) throw damaged();
  const type = latin1(bytes, offset + 4, 4);
  if (expected && type !== expected) throw damaged();
  return {
    type,
    data: bytes.subarray(offset + 8, sumAt),
    whole: bytes.subarray(offset, offset + FRAME_BYTES + length),
  };
}

const SCREEN_BYTES = 13;
const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** The two application names that store the number of repeats. */
const LOOPING = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);

/**
 * Parses a GIF's blocks up to its trailer (GIF89a specification), and drops comments, embedded XMP and everything
 * else that isn't needed.
 */
function gifStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const view = viewOf(bytes);
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  checkDimensions(width, height);
  let offset = SCREEN_BYTES + colorTableBytes(view.getUint8(10));
  const kept: Uint8Array[] = [bytes.subarray(0, offset)];
  let frames = 0;
  for (;;) {
    const kind = view.getUint8(offset);
    if (kind === TRAILER) break;
    const end = kind === FRAME ? endOfFrame(view, offset) : endOfExtension(view, offset);
    if (kind === FRAME) checkAnimation(width, height, ++frames);
    if (kind === FRAME || isNeeded(bytes, offset)) kept.push(bytes.subarray(offset, end));
    offset = end;
  }
  if (frames === 0) throw damaged();
  const body = joined([...kept, bytes.subarray(offset, offset + 1)]);
  return {
    mimetype: "image/gif",
    width,
    height,
    orientation: 1,
    animated: frames > 1,
    lossless: true,
    body,
  };
}

function colorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function endOfFrame(view: DataView, offset: number): number {
  checkDimensions(view.getUint16(offset + 5, true), view.getUint16(offset + 7, true));
  const codes = offset + 10 + colorTableBytes(view.getUint8(offset + 9));
  const codeSize = view.getUint8(codes);
  if (codeSize < 1 || codeSize > 8) throw damaged();
  return endOfSubBlocks(view, codes + 1);
}

function endOfExtension(view: DataView, offset: number): number {
  if (view.getUint8(offset) !== EXTENSION) throw damaged();
  return endOfSubBlocks(view, offset + 2);
}

function endOfSubBlocks(view: DataView, start: number): number {
  let offset = start;
  for (let length = view.getUint8(offset++); length > 0; length = view.getUint8(offset++))
    offset += length;
  return offset;
}

function isNeeded(bytes: Uint8Array, offset: number): boolean {
  const label = bytes[offset + 1];
  if (label === GRAPHIC_CONTROL) return true;
  return label === APPLICATION && LOOPING.has(latin1(bytes, offset + 3, 11));
}
