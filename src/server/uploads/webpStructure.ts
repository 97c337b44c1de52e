/** Parses a WebP (RFC 9649). Of an animation, only the first frame is kept: the decoder doesn't support animations. */
import {
  assertBlockCount,
  assertDimensions,
  readExifOrientation,
  createDamagedImageRefusal,
  type ImageStructure,
  type PixelSize,
  concatBytes,
  readLatin1,
  toDataView,
} from "./imageStructure.ts";

/** A chunk of a WebP. `type` is a code of four letters; `data` doesn't include the padding. */
type Chunk = { type: string; data: Uint8Array };

/** The types of the chunks that a still picture needs. Other chunks, such as metadata, are dropped. */
const RETAINED_CHUNKS = new Set(["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L"]);

/** @throws {Refusal} `createDamagedImageRefusal` or `createTooManyPixelsRefusal`. */
export function parseWebp(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const end = toDataView(bytes).getUint32(4, true) + 8;
  if (end > bytes.length) throw createDamagedImageRefusal();
  const chunks = readChunks(bytes.subarray(WEBP_HEADER_BYTES, end));
  const canvas = parseExtendedHeader(chunks);
  if (canvas) assertDimensions(canvas.width, canvas.height);
  const frameChunks = canvas?.isAnimated ? extractFirstFrame(chunks) : chunks;
  const bitstream = findBitstream(frameChunks);
  const { width, height } = readSize(bitstream);
  assertDimensions(width, height);
  const exif = chunks.find((chunk) => chunk.type === "EXIF");
  return {
    mimetype: "image/webp",
    width,
    height,
    orientation: exif ? readExifOrientation(exif.data) : 1,
    isAnimated: false,
    isLossless: bitstream.type === "VP8L",
    cleanBytes: encodeWebp(frameChunks.filter((chunk) => RETAINED_CHUNKS.has(chunk.type))),
  };
}

const WEBP_HEADER_BYTES = 12;

/** Returns all chunks. Throws `createDamagedImageRefusal` if a chunk is longer than the remaining bytes. */
function readChunks(bytes: Uint8Array): Chunk[] {
  const view = toDataView(bytes);
  const chunks: Chunk[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const length = view.getUint32(offset + 4, true);
    const end = offset + 8 + length;
    if (end > bytes.length) throw createDamagedImageRefusal();
    assertBlockCount(chunks.length);
    chunks.push({ type: readLatin1(bytes, offset, 4), data: bytes.subarray(offset + 8, end) });
    offset = end + (length % 2);
  }
  return chunks;
}

/** Flags in the first byte of the extended header. */
const ANIMATION_FLAG = 0x02;
const ALPHA_FLAG = 0x10;
const COLOR_PROFILE_FLAG = 0x20;

/** Parses the extended header. Returns undefined for a simple file, which has none. */
function parseExtendedHeader([first]: Chunk[]) {
  if (first?.type !== "VP8X") return undefined;
  const view = toDataView(first.data);
  return {
    isAnimated: (view.getUint8(0) & ANIMATION_FLAG) !== 0,
    width: readUint24(view, 4) + 1,
    height: readUint24(view, 7) + 1,
  };
}

const FRAME_HEADER_BYTES = 16;

/** Returns an animation's first frame as the chunks of a still picture. */
function extractFirstFrame(chunks: Chunk[]): Chunk[] {
  const frame = chunks.find((chunk) => chunk.type === "ANMF");
  if (!frame) throw createDamagedImageRefusal();
  const view = toDataView(frame.data);
  const [width, height] = [readUint24(view, 6) + 1, readUint24(view, 9) + 1];
  const content = readChunks(frame.data.subarray(FRAME_HEADER_BYTES));
  const size = readSize(findBitstream(content));
  if (size.width !== width || size.height !== height) throw createDamagedImageRefusal();
  const alphaChunks = content.filter((chunk) => chunk.type === "ALPH");
  const profileChunks = chunks.filter((chunk) => chunk.type === "ICCP");
  const flags =
    (alphaChunks.length > 0 ? ALPHA_FLAG : 0) | (profileChunks.length > 0 ? COLOR_PROFILE_FLAG : 0);
  return [createExtendedHeader(flags, width, height), ...profileChunks, ...content];
}

function createExtendedHeader(flags: number, width: number, height: number): Chunk {
  const data = new Uint8Array(10);
  const view = toDataView(data);
  view.setUint8(0, flags);
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return { type: "VP8X", data };
}

function findBitstream(chunks: Chunk[]): Chunk {
  const bitstream = chunks.find((chunk) => chunk.type === "VP8 " || chunk.type === "VP8L");
  if (!bitstream) throw createDamagedImageRefusal();
  return bitstream;
}

function readSize({ type, data }: Chunk): PixelSize {
  return type === "VP8L" ? readLosslessSize(toDataView(data)) : readLossySize(toDataView(data));
}

const VP8_START_CODE = 0x9d012a;

/** Reads the size from the header of lossy data (RFC 6386, 9.1). */
function readLossySize(view: DataView): PixelSize {
  const startCode = view.getUint32(2) & 0xffffff;
  if (startCode !== VP8_START_CODE) throw createDamagedImageRefusal();
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

const VP8L_SIGNATURE = 0x2f;

/** Reads the size from the header of lossless data (RFC 9649, 3.4). */
function readLosslessSize(view: DataView): PixelSize {
  if (view.getUint8(0) !== VP8L_SIGNATURE) throw createDamagedImageRefusal();
  const bits = view.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function readUint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

function encodeWebp(chunks: Chunk[]): Uint8Array<ArrayBuffer> {
  const content = concatBytes(chunks.flatMap(encodeChunk));
  const header = new Uint8Array(WEBP_HEADER_BYTES);
  header.set(new TextEncoder().encode("RIFF\0\0\0\0WEBP"));
  toDataView(header).setUint32(4, content.length + 4, true);
  return concatBytes([header, content]);
}

/** Returns a chunk's header, its data, and the padding to an even length. */
function encodeChunk({ type, data }: Chunk): Uint8Array[] {
  const header = new Uint8Array(8);
  header.set(new TextEncoder().encode(type));
  toDataView(header).setUint32(4, data.length, true);
  return [header, data, new Uint8Array(data.length % 2)];
}
