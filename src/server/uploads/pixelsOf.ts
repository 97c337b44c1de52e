/** Reads the pixels of a small picture, which the decoder itself hands out encoded only. */
import { inflateSync } from "node:zlib";
import { joined } from "./bytes.ts";
import { chunksOf } from "./pngStructure.ts";

/** Red, green, blue and opacity, a byte each: what the decoder writes of every picture. */
const CHANNELS = 4;

/** A picture's pixels, row by row: four bytes each, opacity last. Meant for miniatures. */
export async function pixelsOf(image: Bun.Image, width: number): Promise<Uint8Array> {
  const rows = inflateSync(compressedRows(await image.png().bytes()));
  const stride = width * CHANNELS;
  const pixels = new Uint8Array((rows.length / (stride + 1)) * stride);
  for (let at = 0, from = 0; at < pixels.length; at += stride, from += stride + 1)
    unfilter(pixels, at, stride, rows[from]!, rows.subarray(from + 1, from + 1 + stride));
  return pixels;
}

function compressedRows(png: Uint8Array): Uint8Array {
  const rows = chunksOf(png).filter(({ type }) => type === "IDAT");
  return joined(rows.map(({ data }) => data));
}

/** Adds to each byte of a row what its filter foretold from the neighbours (PNG specification §9). */
function unfilter(
  to: Uint8Array,
  at: number,
  stride: number,
  filter: number,
  row: Uint8Array,
): void {
  for (let x = 0; x < stride; x++) {
    const left = x < CHANNELS ? 0 : to[at + x - CHANNELS]!;
    const above = at === 0 ? 0 : to[at + x - stride]!;
    const corner = at === 0 || x < CHANNELS ? 0 : to[at + x - stride - CHANNELS]!;
    to[at + x] = row[x]! + foretold(filter, left, above, corner);
  }
}

function foretold(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const near = (value: number) => Math.abs(left + above - corner - value);
  if (near(left) <= near(above) && near(left) <= near(corner)) return left;
  return near(above) <= near(corner) ? above : corner;
}
