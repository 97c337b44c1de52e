/** Walks a WebP's chunks to the length its header declares. */
import { checkDimensions } from "./checkDimensions.ts";
import { exifOrientation } from "./exifOrientation.ts";
import { ImageRefused } from "./imageRefused.ts";
import type { ImageStructure } from "./imageStructure.ts";
import { webpAnimation } from "./webpAnimation.ts";
import { bitstreamOf, bitstreamSize } from "./webpBitstream.ts";
import { type WebpChunk, webpChunks, webpOf } from "./webpChunks.ts";
import { canvasOf } from "./webpCanvas.ts";

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
