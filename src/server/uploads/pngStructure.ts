/** Walks a PNG's chunks to IEND (PNG specification, third edition, §5) and checks their sums. */
import { joined, latin1, viewOf } from "./bytes.ts";
import { checkDimensions } from "./checkDimensions.ts";
import { exifOrientation } from "./exifOrientation.ts";
import { ImageRefused } from "./imageRefused.ts";
import type { ImageStructure } from "./imageStructure.ts";

const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;

/** What the pixels and their colours need; the decoder never sees compressed texts and the like. */
const KEPT = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP"]);

type Chunk = { type: string; data: Uint8Array; whole: Uint8Array };

/** @throws {ImageRefused} `damaged` or `too_many_pixels`. */
export function pngStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const header = viewOf(chunkAt(bytes, SIGNATURE_BYTES, "IHDR").data);
  const [width, height] = [header.getUint32(0), header.getUint32(4)];
  checkDimensions(width, height);
  const chunks = chunksOf(bytes);
  if (!chunks.some((chunk) => chunk.type === "IDAT")) throw new ImageRefused("damaged");
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
    still: body,
  };
}

/** Every chunk up to IEND; what stands behind it is not part of the picture. */
export function chunksOf(bytes: Uint8Array): Chunk[] {
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
  if (Bun.hash.crc32(bytes.subarray(offset + 4, sumAt)) !== sum) throw new ImageRefused("damaged");
  const type = latin1(bytes, offset + 4, 4);
  if (expected && type !== expected) throw new ImageRefused("damaged");
  return {
    type,
    data: bytes.subarray(offset + 8, sumAt),
    whole: bytes.subarray(offset, offset + FRAME_BYTES + length),
  };
}
