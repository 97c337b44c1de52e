/**
 * Parses a WebP's chunks up to its declared length (RFC 9649), and finds its picture: for an animation the first
 * frame, since the decoder doesn't support animations.
 */
import {
  checkBlocks,
  checkDimensions,
  exifOrientation,
  damagedImage,
  type ImageStructure,
  concatBytes,
  latin1,
  viewOf,
} from "./imageStructure.ts";

/** A chunk: its four-letter code, and its data without padding. */
type Chunk = { type: string; data: Uint8Array };

/** The chunks that a still picture needs, without text and thumbnails. */
const RETAINED_CHUNKS = new Set(["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L"]);

/** @throws {Refusal} `damaged` or `tooManyPixels`. */
export function webpStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const chunks = chunksOf(bytes);
  const canvas = canvasOf(chunks);
  if (canvas) checkDimensions(canvas.width, canvas.height);
  const frameChunks = canvas?.isAnimated ? firstFrame(chunks) : chunks;
  const bitstream = bitstreamOf(frameChunks);
  const { width, height } = sizeOf(bitstream);
  checkDimensions(width, height);
  const exif = chunks.find((chunk) => chunk.type === "EXIF");
  return {
    mimetype: "image/webp",
    width,
    height,
    orientation: exif ? exifOrientation(exif.data) : 1,
    animated: false,
    lossless: bitstream.type === "VP8L",
    body: webpOf(frameChunks.filter((chunk) => RETAINED_CHUNKS.has(chunk.type))),
  };
}

const HEADER_BYTES = 12;

function chunksOf(bytes: Uint8Array): Chunk[] {
  const end = viewOf(bytes).getUint32(4, true) + 8;
  if (end > bytes.length) throw damagedImage();
  return readChunks(bytes.subarray(HEADER_BYTES, end));
}

/** The chunks in these bytes, which they have to fill exactly. */
function readChunks(bytes: Uint8Array): Chunk[] {
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = view.getUint32(offset + 4, true);
    const end = offset + 8 + length;
    if (end > bytes.length) throw damagedImage();
    checkBlocks(chunks.length);
    chunks.push({ type: latin1(bytes, offset, 4), data: bytes.subarray(offset + 8, end) });
    offset = end + (length % 2);
  }
  return chunks;
}

/** Flags of the extended header. */
const ANIMATION = 0x02;
const ALPHA = 0x10;
const COLOR_PROFILE = 0x20;

/** The extended header's fields; undefined for a simple file without one. */
function canvasOf([first]: Chunk[]) {
  if (first?.type !== "VP8X") return undefined;
  const view = viewOf(first.data);
  return {
    isAnimated: (view.getUint8(0) & ANIMATION) !== 0,
    width: uint24(view, 4) + 1,
    height: uint24(view, 7) + 1,
  };
}

const FRAME_HEADER_BYTES = 16;

/** An animation's first frame, as the chunks of a still picture. */
function firstFrame(chunks: Chunk[]): Chunk[] {
  const frame = chunks.find((chunk) => chunk.type === "ANMF");
  if (!frame) throw damagedImage();
  const view = viewOf(frame.data);
  const [width, height] = [uint24(view, 6) + 1, uint24(view, 9) + 1];
  const content = readChunks(frame.data.subarray(FRAME_HEADER_BYTES));
  const size = sizeOf(bitstreamOf(content));
  if (size.width !== width || size.height !== height) throw damagedImage();
  const alpha = content.filter((chunk) => chunk.type === "ALPH");
  const profile = chunks.filter((chunk) => chunk.type === "ICCP");
  const flags = (alpha.length > 0 ? ALPHA : 0) | (profile.length > 0 ? COLOR_PROFILE : 0);
  return [extendedHeader(flags, width, height), ...profile, ...content];
}

function extendedHeader(flags: number, width: number, height: number): Chunk {
  const data = new Uint8Array(10);
  const view = viewOf(data);
  view.setUint8(0, flags);
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return { type: "VP8X", data };
}

/** The chunk with the pixels. */
function bitstreamOf(chunks: Chunk[]): Chunk {
  const bitstream = chunks.find((chunk) => chunk.type === "VP8 " || chunk.type === "VP8L");
  if (!bitstream) throw damagedImage();
  return bitstream;
}

/** Width and height in pixels, from the compressed data. */
function sizeOf({ type, data }: Chunk): { width: number; height: number } {
  return type === "VP8L" ? losslessSize(viewOf(data)) : lossySize(viewOf(data));
}

const VP8_START_CODE = 0x9d012a;

/** RFC 6386, 9.1. */
function lossySize(view: DataView): { width: number; height: number } {
  const startCode = view.getUint32(2) & 0xffffff;
  if (startCode !== VP8_START_CODE) throw damagedImage();
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

const VP8L_SIGNATURE = 0x2f;

/** RFC 9649, 3.4. */
function losslessSize(view: DataView): { width: number; height: number } {
  if (view.getUint8(0) !== VP8L_SIGNATURE) throw damagedImage();
  const bits = view.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Three bytes, little-endian. */
function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

function webpOf(chunks: Chunk[]): Uint8Array<ArrayBuffer> {
  const content = concatBytes(chunks.flatMap(encodeChunk));
  const header = new Uint8Array(HEADER_BYTES);
  header.set(new TextEncoder().encode("RIFF\0\0\0\0WEBP"));
  viewOf(header).setUint32(4, content.length + 4, true);
  return concatBytes([header, content]);
}

/** A chunk's head, its data, and the padding to an even length. */
function encodeChunk({ type, data }: Chunk): Uint8Array[] {
  const head = new Uint8Array(8);
  head.set(new TextEncoder().encode(type));
  viewOf(head).setUint32(4, data.length, true);
  return [head, data, new Uint8Array(data.length % 2)];
}
