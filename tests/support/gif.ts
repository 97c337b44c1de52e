/** Writes real GIFs, whose frames any decoder shows. */
import { bytesOf } from "./pictures.ts";

const CODE_SIZE = 7;
const CLEAR = 128;
const END = 129;
/** A decoder would switch to nine bits after this many codes; a clear code keeps it at eight. */
const CODES_BETWEEN_CLEARS = 120;

/** A comment and an XMP block for a GIF. */
export type GifExtras = { comment?: string; xmp?: string };

/** A GIF of plain frames, one color (0 to 127) each, that repeats forever. */
export function gifOf(
  width: number,
  height: number,
  colors: number[],
  extras: GifExtras = {},
): Uint8Array<ArrayBuffer> {
  return bytesOf(
    "GIF89a",
    uint16(width),
    uint16(height),
    bytesOf(0xf6, 0, 0),
    Uint8Array.from({ length: 128 * 3 }, (_, index) => 255 - index / 2),
    extension(0xff, ["NETSCAPE2.0", "\x01\0\0"]),
    extras.comment ? extension(0xfe, [extras.comment]) : "",
    extras.xmp ? extension(0xff, ["XMP DataXMP", extras.xmp]) : "",
    ...colors.map((color) => frame(width, height, color)),
    ";",
  );
}

function frame(width: number, height: number, color: number): Uint8Array {
  return bytesOf(
    extension(0xf9, ["\x04\x0a\0\0"]),
    ",\0\0\0\0",
    uint16(width),
    uint16(height),
    0,
    CODE_SIZE,
    subBlocks(codesOf(width * height, color)),
  );
}

function codesOf(pixels: number, color: number): Uint8Array {
  const codes: number[] = [];
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (pixel % CODES_BETWEEN_CLEARS === 0) codes.push(CLEAR);
    codes.push(color);
  }
  return Uint8Array.from([...codes, END]);
}

function subBlocks(data: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let offset = 0; offset < data.length; offset += 255) {
    const block = data.subarray(offset, offset + 255);
    blocks.push(bytesOf(block.length, block));
  }
  return bytesOf(...blocks, 0);
}

function extension(label: number, blocks: string[]): Uint8Array {
  return bytesOf("!", label, ...blocks.flatMap((block) => [block.length, block]), 0);
}

function uint16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >> 8);
}
