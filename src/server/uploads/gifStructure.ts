/**
 * Walks a GIF block by block to its trailer (GIF89a specification), and leaves out comments,
 * embedded XMP and whatever else a picture can do without.
 */
import { joined, latin1, viewOf } from "./bytes.ts";
import { checkDimensions } from "./checkDimensions.ts";
import { ImageRefused } from "./imageRefused.ts";
import type { ImageStructure } from "./imageStructure.ts";

const SCREEN_BYTES = 13;
const EXTENSION = 0x21;
const FRAME = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** The two names under which the number of repeats is kept. */
const LOOPING = new Set(["NETSCAPE2.0", "ANIMEXTS1.0"]);

/** @throws {ImageRefused} `damaged` or `too_many_pixels`. */
export function gifStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const view = viewOf(bytes);
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  checkDimensions(width, height);
  let offset = SCREEN_BYTES + colourTableBytes(view.getUint8(10));
  const kept: Uint8Array[] = [bytes.subarray(0, offset)];
  let frames = 0;
  for (;;) {
    const kind = view.getUint8(offset);
    if (kind === TRAILER) break;
    const end = kind === FRAME ? endOfFrame(view, offset) : endOfExtension(view, offset);
    if (kind === FRAME) frames++;
    if (kind === FRAME || isNeeded(bytes, offset)) kept.push(bytes.subarray(offset, end));
    offset = end;
  }
  if (frames === 0) throw new ImageRefused("damaged");
  const body = joined([...kept, bytes.subarray(offset, offset + 1)]);
  return {
    mimetype: "image/gif",
    width,
    height,
    orientation: 1,
    animated: frames > 1,
    lossless: true,
    body,
    still: body,
  };
}

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function endOfFrame(view: DataView, offset: number): number {
  checkDimensions(view.getUint16(offset + 5, true), view.getUint16(offset + 7, true));
  const codes = offset + 10 + colourTableBytes(view.getUint8(offset + 9));
  const codeSize = view.getUint8(codes);
  if (codeSize < 1 || codeSize > 8) throw new ImageRefused("damaged");
  return endOfSubBlocks(view, codes + 1);
}

function endOfExtension(view: DataView, offset: number): number {
  if (view.getUint8(offset) !== EXTENSION) throw new ImageRefused("damaged");
  return endOfSubBlocks(view, offset + 2);
}

function endOfSubBlocks(view: DataView, start: number): number {
  let offset = start;
  for (let length = view.getUint8(offset++); length > 0; length = view.getUint8(offset++))
    offset += length;
  return offset;
}

function isNeeded(bytes: Uint8Array, offset: number): boolean {
  const label = bytes[offset + 1];
  if (label === GRAPHIC_CONTROL) return true;
  return label === APPLICATION && LOOPING.has(latin1(bytes, offset + 3, 11));
}
