/** Writes and reads PNG chunks. */
import { deflateSync } from "node:zlib";
import { concatBytes, encodeUint32 } from "./pictures.ts";

const SIGNATURE = "\x89PNG\r\n\x1a\n";

/** Creates a chunk with its length and checksum. */
function createPngChunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = concatBytes(type, data);
  return concatBytes(encodeUint32(data.length), content, encodeUint32(Bun.hash.crc32(content)));
}

/** Returns the types and data of a PNG's chunks. */
export function readPngChunks(png: Uint8Array): { type: string; data: Uint8Array }[] {
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  const chunks = [];
  for (let offset = 8; offset < png.length; offset += 12 + view.getUint32(offset)) {
    const type = Buffer.from(png.subarray(offset + 4, offset + 8)).toString("latin1");
    chunks.push({ type, data: png.slice(offset + 8, offset + 8 + view.getUint32(offset)) });
  }
  return chunks;
}

/** Creates a PNG of these chunks. */
export function createPng(chunks: { type: string; data: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  return concatBytes(SIGNATURE, ...chunks.map(({ type, data }) => createPngChunk(type, data)));
}

/** Creates a black-and-white PNG whose rows are all zero: a huge picture in a small file. */
export function createEmptyPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((Math.ceil(width / 8) + 1) * Math.min(height, 20_000));
  return createPng([
    { type: "IHDR", data: concatBytes(encodeUint32(width), encodeUint32(height), 1, 0, 0, 0, 0) },
    { type: "IDAT", data: new Uint8Array(deflateSync(rows)) },
    { type: "IEND", data: new Uint8Array() },
  ]);
}

/** Creates a gray PNG. It is fast even for a large PNG, for which fast-png takes seconds. */
export function createGrayPng(
  width: number,
  height: number,
  getGray: (x: number, y: number) => number,
): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = getGray(x, y);
  return createPng([
    { type: "IHDR", data: concatBytes(encodeUint32(width), encodeUint32(height), 8, 0, 0, 0, 0) },
    { type: "IDAT", data: new Uint8Array(deflateSync(rows, { level: 1 })) },
    { type: "IEND", data: new Uint8Array() },
  ]);
}
