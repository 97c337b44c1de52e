/** Reads the dimensions out of a WebP's compressed picture (RFC 6386 §9.1; RFC 9649 §3.4). */
import { viewOf } from "./bytes.ts";
import { ImageRefused } from "./imageRefused.ts";
import type { WebpChunk } from "./webpChunks.ts";

const VP8_START_CODE = 0x9d012a;
const VP8L_SIGNATURE = 0x2f;

/** The chunk that carries the pixels, or undefined. */
export function bitstreamOf(chunks: WebpChunk[]): WebpChunk | undefined {
  return chunks.find((chunk) => chunk.type === "VP8 " || chunk.type === "VP8L");
}

/** Width and height in pixels. Throws `damaged` when the chunk does not begin as it must. */
export function bitstreamSize({ type, data }: WebpChunk): { width: number; height: number } {
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
