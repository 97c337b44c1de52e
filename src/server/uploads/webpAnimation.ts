/** Checks an animated WebP frame by frame and keeps the frames alone, byte for byte. */
import { joined, viewOf } from "./bytes.ts";
import { checkDimensions } from "./checkDimensions.ts";
import { ImageRefused } from "./imageRefused.ts";
import type { ImageStructure } from "./imageStructure.ts";
import { bitstreamOf, bitstreamSize } from "./webpBitstream.ts";
import { alphaHeader, uint24, type WebpCanvas, withoutMetadataFlags } from "./webpCanvas.ts";
import { chunksIn, type WebpChunk, webpOf, writtenChunks } from "./webpChunks.ts";

const FRAME_HEADER_BYTES = 16;
const KEPT = new Set(["ICCP", "ANIM"]);
const KEPT_IN_FRAME = new Set(["ALPH", "VP8 ", "VP8L"]);

type Frame = { width: number; height: number; header: Uint8Array; content: WebpChunk[] };

/** @throws {ImageRefused} `damaged` or `too_many_pixels`. */
export function webpAnimation(chunks: WebpChunk[], canvas: WebpCanvas): ImageStructure {
  const frames = chunks.filter((chunk) => chunk.type === "ANMF").map((c) => frameOf(c, canvas));
  const first = frames[0];
  if (!first || !chunks.some((chunk) => chunk.type === "ANIM")) throw new ImageRefused("damaged");
  const body = webpOf([
    withoutMetadataFlags(chunks[0]!),
    ...chunks.filter((chunk) => KEPT.has(chunk.type)),
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
