/** The extended header of a WebP (VP8X): flags, and the size of the canvas. */
import { viewOf } from "./bytes.ts";
import type { WebpChunk } from "./webpChunks.ts";

const ANIMATION = 0x02;
const METADATA = 0x04 | 0x08;
const ALPHA = 0x10;

/** What the extended header declares; sizes in pixels. */
export type WebpCanvas = { width: number; height: number; animated: boolean };

/** The canvas of a WebP with an extended header; simple files have none. */
export function canvasOf(chunks: WebpChunk[]): WebpCanvas | undefined {
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
export function withoutMetadataFlags(header: WebpChunk): WebpChunk {
  const data = header.data.slice();
  data[0] = data[0]! & ~METADATA;
  return { type: header.type, data };
}

/** An extended header for a still picture with an alpha channel; sizes in pixels. */
export function alphaHeader(width: number, height: number): WebpChunk {
  const data = new Uint8Array(10);
  const view = viewOf(data);
  view.setUint8(0, ALPHA);
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return { type: "VP8X", data };
}

/** Three bytes, the least significant first. */
export function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}
