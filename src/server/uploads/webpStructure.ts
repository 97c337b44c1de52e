/** Walks a WebP's chunks to the length its header declares. */
import {
  checkDimensions,
  exifOrientation,
  ImageRefused,
  type ImageStructure,
  joined,
  latin1,
  viewOf,
} from "./imageStructure.ts";

// Reads and writes the RIFF chunks of a WebP (WebP Container Specification, Google, 2023).

/** A chunk: its four-letter code, its data without the padding, and where the next one begins. */
type WebpChunk = { type: string; data: Uint8Array };

const HEADER_BYTES = 12;

/** Every chunk of a WebP file. Throws `damaged` when the file is shorter than it says. */
function webpChunks(bytes: Uint8Array): WebpChunk[] {
  const end = viewOf(bytes).getUint32(4, true) + 8;
  if (end > bytes.length) throw new ImageRefused("damaged");
  return chunksIn(bytes.subarray(HEADER_BYTES, end));
}

/** The chunks that fill these bytes to the last; also used for what is inside a frame. */
function chunksIn(bytes: Uint8Array): WebpChunk[] {
  const view = viewOf(bytes);
  const chunks: WebpChunk[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = view.getUint32(offset + 4, true);
    const end = offset + 8 + length;
    if (end > bytes.length) throw new ImageRefused("damaged");
    chunks.push({ type: latin1(bytes, offset, 4), data: bytes.subarray(offset + 8, end) });
    offset = end + (length % 2);
  }
  return chunks;
}

/** A WebP file of these chunks. */
function webpOf(chunks: WebpChunk[]): Uint8Array<ArrayBuffer> {
  const content = writtenChunks(chunks);
  const header = new Uint8Array(HEADER_BYTES);
  header.set(new TextEncoder().encode("RIFF\0\0\0\0WEBP"));
  viewOf(header).setUint32(4, content.length + 4, true);
  return joined([header, content]);
}

/** The chunks one after another, each padded to an even length. */
function writtenChunks(chunks: WebpChunk[]): Uint8Array<ArrayBuffer> {
  return joined(chunks.map(writtenChunk));
}

function writtenChunk({ type, data }: WebpChunk): Uint8Array {
  const written = new Uint8Array(8 + data.length + (data.length % 2));
  written.set(new TextEncoder().encode(type));
  viewOf(written).setUint32(4, data.length, true);
  written.set(data, 8);
  return written;
}

// Reads the dimensions out of a WebP's compressed picture (RFC 6386 §9.1; RFC 9649 §3.4).

const VP8_START_CODE = 0x9d012a;
const VP8L_SIGNATURE = 0x2f;

/** The chunk that carries the pixels, or undefined. */
function bitstreamOf(chunks: WebpChunk[]): WebpChunk | undefined {
  return chunks.find((chunk) => chunk.type === "VP8 " || chunk.type === "VP8L");
}

/** Width and height in pixels. Throws `damaged` when the chunk does not begin as it must. */
function bitstreamSize({ type, data }: WebpChunk): { width: number; height: number } {
  return type === "VP8L" ? losslessSize(viewOf(data)) : lossySize(viewOf(data));
}

function lossySize(view: DataView): { width: number; height: number } {
  const startCode = view.getUint32(2) & 0xffffff;
  if (startCode !== VP8_START_CODE) throw new ImageRefused("damaged");
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

function losslessSize(view: DataView): { width: number; height: number } {
  if (view.getUint8(0) !== VP8L_SIGNATURE) throw new ImageRefused("damaged");
  const bits = view.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

// The extended header of a WebP (VP8X): flags, and the size of the canvas.

const ANIMATION = 0x02;
const METADATA = 0x04 | 0x08;
const ALPHA = 0x10;

/** What the extended header declares; sizes in pixels. */
type WebpCanvas = { width: number; height: number; animated: boolean };

/** The canvas of a WebP with an extended header; simple files have none. */
function canvasOf(chunks: WebpChunk[]): WebpCanvas | undefined {
  const first = chunks[0];
  if (first?.type !== "VP8X") return undefined;
  const view = viewOf(first.data);
  return {
    animated: (view.getUint8(0) & ANIMATION) !== 0,
    width: uint24(view, 4) + 1,
    height: uint24(view, 7) + 1,
  };
}

/** The extended header without the flags that announce EXIF and XMP. */
function withoutMetadataFlags(header: WebpChunk): WebpChunk {
  const data = header.data.slice();
  data[0] = data[0]! & ~METADATA;
  return { type: header.type, data };
}

/** An extended header for a still picture with an alpha channel; sizes in pixels. */
function alphaHeader(width: number, height: number): WebpChunk {
  const data = new Uint8Array(10);
  const view = viewOf(data);
  view.setUint8(0, ALPHA);
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return { type: "VP8X", data };
}

/** Three bytes, the least significant first. */
function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

// Checks an animated WebP frame by frame and keeps the frames alone, byte for byte.

const FRAME_HEADER_BYTES = 16;
const KEPT_OF_ANIMATION = new Set(["ICCP", "ANIM"]);
const KEPT_IN_FRAME = new Set(["ALPH", "VP8 ", "VP8L"]);

type Frame = { width: number; height: number; header: Uint8Array; content: WebpChunk[] };

/** @throws {ImageRefused} `damaged` or `too_many_pixels`. */
function webpAnimation(chunks: WebpChunk[], canvas: WebpCanvas): ImageStructure {
  const frames = chunks.filter((chunk) => chunk.type === "ANMF").map((c) => frameOf(c, canvas));
  const first = frames[0];
  if (!first || !chunks.some((chunk) => chunk.type === "ANIM")) throw new ImageRefused("damaged");
  const body = webpOf([
    withoutMetadataFlags(chunks[0]!),
    ...chunks.filter((chunk) => KEPT_OF_ANIMATION.has(chunk.type)),
    ...frames.map(writtenFrame),
  ]);
  return {
    mimetype: "image/webp",
    width: canvas.width,
    height: canvas.height,
    orientation: 1,
    animated: true,
    lossless: true,
    body,
    still: stillOf(first),
  };
}

function frameOf({ data }: WebpChunk, canvas: WebpCanvas): Frame {
  const view = viewOf(data);
  const [width, height] = [uint24(view, 6) + 1, uint24(view, 9) + 1];
  checkDimensions(width, height);
  const content = chunksIn(data.subarray(FRAME_HEADER_BYTES)).filter((chunk) =>
    KEPT_IN_FRAME.has(chunk.type),
  );
  const fits =
    uint24(view, 0) * 2 + width <= canvas.width && uint24(view, 3) * 2 + height <= canvas.height;
  const bitstream = bitstreamOf(content);
  if (!fits || !bitstream) throw new ImageRefused("damaged");
  const size = bitstreamSize(bitstream);
  if (size.width !== width || size.height !== height) throw new ImageRefused("damaged");
  return { width, height, header: data.subarray(0, FRAME_HEADER_BYTES), content };
}

function writtenFrame({ header, content }: Frame): WebpChunk {
  return { type: "ANMF", data: joined([header, writtenChunks(content)]) };
}

/** A frame as a file of its own: the decoder knows no animations. */
function stillOf({ width, height, content }: Frame): Uint8Array<ArrayBuffer> {
  const hasAlphaChunk = content.some((chunk) => chunk.type === "ALPH");
  return webpOf(hasAlphaChunk ? [alphaHeader(width, height), ...content] : content);
}

/** What a still picture needs of its file; texts and thumbnails are not among it. */
const KEPT = new Set(["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L"]);

/** @throws {ImageRefused} `damaged` or `too_many_pixels`. */
export function webpStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const chunks = webpChunks(bytes);
  const canvas = canvasOf(chunks);
  if (canvas) checkDimensions(canvas.width, canvas.height);
  return canvas?.animated ? webpAnimation(chunks, canvas) : stillStructure(chunks);
}

function stillStructure(chunks: WebpChunk[]): ImageStructure {
  const bitstream = bitstreamOf(chunks);
  if (!bitstream) throw new ImageRefused("damaged");
  const { width, height } = bitstreamSize(bitstream);
  checkDimensions(width, height);
  const exif = chunks.find((chunk) => chunk.type === "EXIF");
  const body = webpOf(chunks.filter((chunk) => KEPT.has(chunk.type)));
  return {
    mimetype: "image/webp",
    width,
    height,
    orientation: exif ? exifOrientation(exif.data) : 1,
    animated: false,
    lossless: bitstream.type === "VP8L",
    body,
    still: body,
  };
}
