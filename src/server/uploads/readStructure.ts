/** Identifies a file by its first bytes, and parses its blocks to the end. */
import { pictureKind } from "../../schema/pictures/pictureSignature.ts";
import { saveAsJpeg, wrongTypeOf } from "../../schema/pictures/uploadLimits.ts";
import { wrongType } from "../shared/errors.ts";
import {
  checkAnimation,
  checkBlocks,
  checkDimensions,
  damagedImage,
  exifOrientation,
  type ImageStructure,
  type ImageType,
  concatBytes,
  latin1,
  viewOf,
} from "./imageStructure.ts";
import { jpegStructure } from "./jpegStructure.ts";
import { webpStructure } from "./webpStructure.ts";

type Parse = (bytes: Uint8Array<ArrayBuffer>) => ImageStructure;

const PARSERS: Readonly<Record<string, Parse>> = {
  "image/jpeg": jpegStructure,
  "image/png": pngStructure,
  "image/webp": webpStructure,
  "image/gif": gifStructure,
} satisfies Record<ImageType, Parse>;

/**
 * Parses a picture's structure, regardless of its name or declared type.
 * @throws {Refusal} `wrongType`, `damaged` or `tooManyPixels`.
 */
export function readStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  if (bytes.length === 0) throw damagedImage();
  const kind = pictureKind(bytes);
  const parse = kind && PARSERS[kind];
  if (!parse) throw wrongType(wrongTypeOf(kind, saveAsJpeg));
  try {
    return parse(bytes);
  } catch (error) {
    // A read beyond the end: the file is truncated.
    if (error instanceof RangeError) throw damagedImage(error);
    throw error;
  }
}

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;

/** Only what pixels and colors need; the decoder never sees compressed text and the like. */
const RETAINED_CHUNKS = new Set(["IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP"]);

type Chunk = {
  type: string;
  data: Uint8Array;
  whole: Uint8Array;
  isIntact: boolean;
  isCritical: boolean;
};

/**
 * Parses a PNG's chunks up to IEND (PNG specification, third edition, §5). As libpng does, it drops an optional chunk
 * with a wrong checksum, and needs nothing after the pixels: whether they are whole, the decoder finds out.
 */
function pngStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const first = chunkAt(bytes, SIGNATURE_BYTES);
  if (first?.type !== "IHDR" || !first.isIntact) throw damagedImage();
  const header = viewOf(first.data);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  checkDimensions(width, height);
  const chunks = chunksOf(bytes);
  if (!chunks.some((chunk) => chunk.type === "IDAT")) throw damagedImage();
  const exif = chunks.find((chunk) => chunk.type === "eXIf");
  const retained = chunks
    .filter((chunk) => RETAINED_CHUNKS.has(chunk.type))
    .map((chunk) => chunk.whole);
  return {
    mimetype: "image/png",
    width,
    height,
    orientation: exif ? exifOrientation(exif.data) : 1,
    animated: false,
    lossless: true,
    body: concatBytes([bytes.subarray(0, SIGNATURE_BYTES), ...retained, PNG_END]),
  };
}

/** An empty IEND chunk. */
const PNG_END = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);

/** Every intact chunk before IEND, or before what is none: after the pixels that isn't part of the picture. */
function chunksOf(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  let offset = SIGNATURE_BYTES;
  for (let blocks = 0; ; blocks++) {
    checkBlocks(blocks);
    const chunk = chunkAt(bytes, offset);
    if (!chunk || chunk.type === "IEND") return chunks;
    offset += chunk.whole.length;
    if (chunk.isIntact) chunks.push(chunk);
    else if (chunk.isCritical) throw damagedImage();
  }
}

/** A chunk, whether or not its checksum is right; undefined where none is, or only the start of one. */
function chunkAt(bytes: Uint8Array, offset: number): Chunk | undefined {
  if (offset + FRAME_BYTES > bytes.length) return undefined;
  const view = viewOf(bytes);
  const dataAt = offset + 8;
  const sumAt = dataAt + view.getUint32(offset);
  const type = latin1(bytes, offset + 4, 4);
  if (sumAt + 4 > bytes.length || !/^[a-z]{4}$/i.test(type)) return undefined;
  return {
    type,
    data: bytes.subarray(dataAt, sumAt),
    whole: bytes.subarray(offset, sumAt + 4),
    isIntact: Bun.hash.crc32(bytes.subarray(offset + 4, sumAt)) === view.getUint32(sumAt),
    // The case of the first letter marks it (§5.4).
    isCritical: /^[A-Z]/.test(type),
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
 * else that isn't needed. As browsers do, it skips zeros between blocks, and needs no trailer after a whole frame.
 */
function gifStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const view = viewOf(bytes);
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  checkDimensions(width, height);
  let offset = SCREEN_BYTES + colorTableBytes(view.getUint8(10));
  const retained: Uint8Array[] = [bytes.subarray(0, offset)];
  let frames = 0;
  let blocks = 0;
  while (offset < bytes.length || frames === 0) {
    const kind = view.getUint8(offset);
    if (kind === TRAILER) break;
    if (kind === 0) {
      offset++;
      continue;
    }
    checkBlocks(++blocks);
    const end = kind === FRAME ? endOfFrame(view, offset) : endOfExtension(view, offset);
    if (kind === FRAME) checkAnimation(width, height, ++frames);
    if (kind === FRAME || isNeeded(bytes, offset)) retained.push(bytes.subarray(offset, end));
    offset = end;
  }
  if (frames === 0) throw damagedImage();
  const body = concatBytes([...retained, Uint8Array.of(TRAILER)]);
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
  if (codeSize < 1 || codeSize > 8) throw damagedImage();
  return endOfSubBlocks(view, codes + 1);
}

function endOfExtension(view: DataView, offset: number): number {
  if (view.getUint8(offset) !== EXTENSION) throw damagedImage();
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
