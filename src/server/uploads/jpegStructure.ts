/**
 * Parses a JPEG's segments and scans up to its end marker (ITU T.81, annex B). The decoder accepts a truncated JPEG
 * with just a warning, so the end has to be checked here.
 */
import {
  checkDimensions,
  exifOrientation,
  damaged,
  type ImageStructure,
  latin1,
  MAX_JPEG_SCANS,
  viewOf,
} from "./imageStructure.ts";

const END = 0xd9;
const SCAN = 0xda;
const EXIF = 0xe1;
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);

type Frame = { width: number; height: number };

/** @throws {Refusal} `damaged` or `tooManyPixels`. */
export function jpegStructure(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  const view = viewOf(bytes);
  let frame: Frame | undefined;
  let orientation = 1;
  let scans = 0;
  let offset = 2;
  for (;;) {
    offset = markerAt(view, offset);
    const marker = view.getUint8(offset++);
    if (marker === END) break;
    const segment = segmentAt(bytes, view, offset);
    offset += segment.length + 2;
    if (FRAMES.has(marker)) frame = onlyFrame(frame, segment);
    if (marker === EXIF && isExif(segment)) orientation = exifOrientation(segment);
    if (marker !== SCAN) continue;
    if (!frame || ++scans > MAX_JPEG_SCANS) throw damaged();
    offset = endOfScan(bytes, offset);
  }
  if (!frame || scans === 0) throw damaged();
  const body = bytes.subarray(0, offset);
  return {
    mimetype: "image/jpeg",
    ...frame,
    orientation,
    animated: false,
    lossless: false,
    body,
  };
}

/** The offset of the next marker's code, after any number of fill bytes. */
function markerAt(view: DataView, start: number): number {
  let offset = start;
  if (view.getUint8(offset) !== 0xff) throw damaged();
  while (view.getUint8(offset) === 0xff) offset++;
  return offset;
}

function segmentAt(bytes: Uint8Array, view: DataView, offset: number): Uint8Array {
  const length = view.getUint16(offset);
  if (length < 2 || offset + length > bytes.length) throw damaged();
  return bytes.subarray(offset + 2, offset + length);
}

function onlyFrame(earlier: Frame | undefined, segment: Uint8Array): Frame {
  if (earlier) throw damaged();
  const view = viewOf(segment);
  const frame = { height: view.getUint16(1), width: view.getUint16(3) };
  checkDimensions(frame.width, frame.height);
  return frame;
}

function isExif(segment: Uint8Array): boolean {
  return latin1(segment, 0, 4) === "Exif";
}

/** Compressed data ends at the first 0xFF that is neither stuffed nor a restart marker. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(0xff, start); offset >= 0;) {
    const next = bytes[offset + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return offset;
    offset = bytes.indexOf(0xff, offset + 2);
  }
  throw damaged();
}
