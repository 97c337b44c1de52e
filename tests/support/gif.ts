/** Writes real GIFs whose frames any decoder shows. */
import { concatBytes } from "./pictures.ts";

const CODE_SIZE = 7;
const CLEAR_CODE = 128;
const END_CODE = 129;
/** After this many codes, a decoder would switch to nine bits. A clear code keeps it at eight. */
const CODES_BETWEEN_CLEARS = 120;

/** A comment and an XMP block for a GIF. */
export type GifExtras = { comment?: string; xmp?: string };

/** Creates a GIF that repeats forever, with frames of one color each (0 to 127). */
export function createGif(
  width: number,
  height: number,
  colors: number[],
  extras: GifExtras = {},
): Uint8Array<ArrayBuffer> {
  return concatBytes(
    "GIF89a",
    encodeUint16(width),
    encodeUint16(height),
    concatBytes(0xf6, 0, 0),
    Uint8Array.from({ length: 128 * 3 }, (_, index) => 255 - index / 2),
    createExtension(0xff, ["NETSCAPE2.0", "\x01\0\0"]),
    extras.comment ? createExtension(0xfe, [extras.comment]) : "",
    extras.xmp ? createExtension(0xff, ["XMP DataXMP", extras.xmp]) : "",
    ...colors.map((color) => createFrame(width, height, color)),
    ";",
  );
}

function createFrame(width: number, height: number, color: number): Uint8Array {
  return concatBytes(
    createExtension(0xf9, ["\x04\x0a\0\0"]),
    ",\0\0\0\0",
    encodeUint16(width),
    encodeUint16(height),
    0,
    CODE_SIZE,
    createSubBlocks(createCodes(width * height, color)),
  );
}

function createCodes(pixels: number, color: number): Uint8Array {
  const codes: number[] = [];
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (pixel % CODES_BETWEEN_CLEARS === 0) codes.push(CLEAR_CODE);
    codes.push(color);
  }
  return Uint8Array.from([...codes, END_CODE]);
}

function createSubBlocks(data: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let offset = 0; offset < data.length; offset += 255) {
    const block = data.subarray(offset, offset + 255);
    blocks.push(concatBytes(block.length, block));
  }
  return concatBytes(...blocks, 0);
}

function createExtension(label: number, blocks: string[]): Uint8Array {
  return concatBytes("!", label, ...blocks.flatMap((block) => [block.length, block]), 0);
}

function encodeUint16(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, value >> 8);
}
