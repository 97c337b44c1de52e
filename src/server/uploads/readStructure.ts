/** Detects a picture's format by its first bytes, and parses it. PNG and GIF are parsed in this file. */
import { detectPictureType } from "../../schema/pictures/pictureSignature.ts";
import {
  createSaveAsJpegAdvice,
  createWrongTypeMessage,
} from "../../schema/pictures/uploadLimits.ts";
import { wrongType } from "../shared/errors.ts";
import {
  assertAnimation,
  assertBlockCount,
  assertDimensions,
  createDamagedImageRefusal,
  readExifOrientation,
  type ImageStructure,
  type ImageType,
  type PixelSize,
  concatBytes,
  encodeUint32,
  readLatin1,
  toDataView,
} from "./imageStructure.ts";
import { parseJpeg } from "./jpegStructure.ts";
import { createPngProfile } from "./screenProfile.ts";
import { parseWebp } from "./webpStructure.ts";

type ParseStructure = (bytes: Uint8Array<ArrayBuffer>) => ImageStructure;

const PARSERS_BY_TYPE: Readonly<Record<string, ParseStructure>> = {
  "image/jpeg": parseJpeg,
  "image/png": parsePng,
  "image/webp": parseWebp,
  "image/gif": parseGif,
} satisfies Record<ImageType, ParseStructure>;

/** @throws {Refusal} `wrongType`, `createDamagedImageRefusal` or `createTooManyPixelsRefusal`. */
export function readStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  if (bytes.length === 0) throw createDamagedImageRefusal();
  const kind = detectPictureType(bytes);
  const parse = kind && PARSERS_BY_TYPE[kind];
  if (!parse) throw wrongType(createWrongTypeMessage(kind, createSaveAsJpegAdvice));
  try {
    return parse(bytes);
  } catch (error) {
    // A RangeError means that the file is truncated: the parser read beyond its end.
    if (error instanceof RangeError) throw createDamagedImageRefusal(error);
    throw error;
  }
}

const PNG_SIGNATURE_BYTES = 8;
const CHUNK_FRAME_BYTES = 12;

/** The color types of PNGs in gray, without and with transparency. */
const COLORLESS_TYPES = new Set([0, 4]);

/** The chunks with pixels. Besides these, the decoder gets only the header and a color profile. */
const RETAINED_CHUNKS = new Set(["PLTE", "IDAT", "tRNS"]);

type Chunk = {
  type: string;
  data: Uint8Array;
  chunkBytes: Uint8Array;
  isIntact: boolean;
  isCritical: boolean;
};

/**
 * Parses a PNG's chunks (PNG specification, third edition, §5). As in libpng, an optional chunk with a wrong checksum
 * is dropped, and IEND may be missing.
 */
function parsePng(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const headerChunk = readChunk(bytes, PNG_SIGNATURE_BYTES);
  if (headerChunk?.type !== "IHDR" || !headerChunk.isIntact) throw createDamagedImageRefusal();
  const header = toDataView(headerChunk.data);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  assertDimensions(width, height);
  const chunks = readChunks(bytes);
  if (!chunks.some((chunk) => chunk.type === "IDAT")) throw createDamagedImageRefusal();
  const findChunkData = (type: string) => chunks.find((chunk) => chunk.type === type)?.data;
  const exif = findChunkData("eXIf");
  const profile = createPngProfile(findChunkData, COLORLESS_TYPES.has(header.getUint8(9)));
  const retainedChunks = chunks
    .filter((chunk) => RETAINED_CHUNKS.has(chunk.type))
    .map((chunk) => chunk.chunkBytes);
  return {
    mimetype: "image/png",
    width,
    height,
    orientation: exif ? readExifOrientation(exif) : 1,
    isAnimated: false,
    isLossless: true,
    cleanBytes: concatBytes([
      bytes.subarray(0, PNG_SIGNATURE_BYTES),
      headerChunk.chunkBytes,
      ...(profile ? [encodeChunk("iCCP", profile)] : []),
      ...retainedChunks,
      encodeChunk("IEND", new Uint8Array()),
    ]),
  };
}

function encodeChunk(type: string, data: Uint8Array): Uint8Array {
  const typeAndData = concatBytes([new TextEncoder().encode(type), data]);
  return concatBytes([
    encodeUint32(data.length),
    typeAndData,
    encodeUint32(Bun.hash.crc32(typeAndData)),
  ]);
}

/** Returns the intact chunks up to IEND, or up to the first bytes that aren't a chunk. */
function readChunks(bytes: Uint8Array): Chunk[] {
  const chunks: Chunk[] = [];
  let offset = PNG_SIGNATURE_BYTES;
  for (let blockCount = 0; ; blockCount++) {
    assertBlockCount(blockCount);
    const chunk = readChunk(bytes, offset);
    if (!chunk || chunk.type === "IEND") return chunks;
    offset += chunk.chunkBytes.length;
    if (chunk.isIntact) chunks.push(chunk);
    else if (chunk.isCritical) throw createDamagedImageRefusal();
  }
}

/** Returns the chunk at an offset, even if its checksum is wrong. Undefined if there is no complete chunk. */
function readChunk(bytes: Uint8Array, offset: number): Chunk | undefined {
  if (offset + CHUNK_FRAME_BYTES > bytes.length) return undefined;
  const view = toDataView(bytes);
  const dataOffset = offset + 8;
  const checksumOffset = dataOffset + view.getUint32(offset);
  const type = readLatin1(bytes, offset + 4, 4);
  if (checksumOffset + 4 > bytes.length || !/^[a-z]{4}$/i.test(type)) return undefined;
  return {
    type,
    data: bytes.subarray(dataOffset, checksumOffset),
    chunkBytes: bytes.subarray(offset, checksumOffset + 4),
    isIntact:
      Bun.hash.crc32(bytes.subarray(offset + 4, checksumOffset)) === view.getUint32(checksumOffset),
    // A capital first letter means that the chunk is critical (PNG specification, §5.4).
    isCritical: /^[A-Z]/.test(type),
  };
}

const GIF_SCREEN_BYTES = 13;
const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;
const GIF_TRAILER = 0x3b;
const GIF_GRAPHIC_CONTROL = 0xf9;
const GIF_APPLICATION = 0xff;
/** The names of the application extensions that store how often the animation repeats. */
const LOOPING_APPLICATIONS = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);

/**
 * Parses a GIF's blocks (GIF89a specification), and drops comments and the like. As in browsers, zeros between blocks
 * are skipped, and the trailer may be missing after a complete frame.
 */
function parseGif(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const view = toDataView(bytes);
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  assertDimensions(width, height);
  let offset = GIF_SCREEN_BYTES + computeColorTableBytes(view.getUint8(10));
  const retainedBlocks: Uint8Array[] = [bytes.subarray(0, offset)];
  let frameCount = 0;
  let blockCount = 0;
  let hasSmallerFrame = false;
  while (offset < bytes.length || frameCount === 0) {
    const blockType = view.getUint8(offset);
    if (blockType === GIF_TRAILER) break;
    if (blockType === 0) {
      offset++;
      continue;
    }
    assertBlockCount(++blockCount);
    const end =
      blockType === GIF_FRAME ? findFrameEnd(view, offset) : findExtensionEnd(view, offset);
    if (blockType === GIF_FRAME) {
      assertAnimation(width, height, ++frameCount);
      hasSmallerFrame ||= !coversScreen(view, offset, { width, height });
    }
    if (blockType === GIF_FRAME || isNeededExtension(bytes, offset))
      retainedBlocks.push(bytes.subarray(offset, end));
    offset = end;
  }
  if (frameCount === 0) throw createDamagedImageRefusal();
  const cleanBytes = concatBytes([...retainedBlocks, Uint8Array.of(GIF_TRAILER)]);
  return {
    mimetype: "image/gif",
    width,
    height,
    orientation: 1,
    isAnimated: frameCount > 1,
    hasSmallerFrame,
    isLossless: true,
    cleanBytes,
  };
}

const coversScreen = (view: DataView, frameOffset: number, screen: PixelSize) =>
  view.getUint32(frameOffset + 1) === 0 &&
  view.getUint16(frameOffset + 5, true) === screen.width &&
  view.getUint16(frameOffset + 7, true) === screen.height;

function computeColorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function findFrameEnd(view: DataView, offset: number): number {
  assertDimensions(view.getUint16(offset + 5, true), view.getUint16(offset + 7, true));
  const codesOffset = offset + 10 + computeColorTableBytes(view.getUint8(offset + 9));
  const codeSize = view.getUint8(codesOffset);
  if (codeSize < 1 || codeSize > 8) throw createDamagedImageRefusal();
  return findSubBlocksEnd(view, codesOffset + 1);
}

function findExtensionEnd(view: DataView, offset: number): number {
  if (view.getUint8(offset) !== GIF_EXTENSION) throw createDamagedImageRefusal();
  return findSubBlocksEnd(view, offset + 2);
}

function findSubBlocksEnd(view: DataView, start: number): number {
  let offset = start;
  for (let length = view.getUint8(offset++); length > 0; length = view.getUint8(offset++))
    offset += length;
  return offset;
}

function isNeededExtension(bytes: Uint8Array, offset: number): boolean {
  const label = bytes[offset + 1];
  if (label === GIF_GRAPHIC_CONTROL) return true;
  return label === GIF_APPLICATION && LOOPING_APPLICATIONS.has(readLatin1(bytes, offset + 3, 11));
}
