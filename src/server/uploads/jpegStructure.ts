/**
 * Parses a JPEG's segments and scans (ITU T.81, annex B) until every coefficient has been in a scan. As browsers do, it
 * skips stray bytes between segments, and ignores whatever follows the picture, such as a camera maker's trailer.
 */
import {
  checkBlockCount,
  checkDimensions,
  readExifOrientation,
  createDamagedImageRefusal,
  type ImageStructure,
  concatBytes,
  readLatin1,
  MAX_JPEG_SCANS,
  toDataView,
} from "./imageStructure.ts";

const END_OF_IMAGE_CODE = 0xd9;
const SCAN_MARKER = 0xda;
const EXIF_MARKER = 0xe1;
const FRAME_MARKERS = new Set([0xc0, 0xc1, 0xc2]);
const PROGRESSIVE_FRAME_MARKER = 0xc2;
const PROFILE_MARKER = 0xe2;
const END_MARKER = Uint8Array.of(0xff, END_OF_IMAGE_CODE);

/** @throws {Refusal} `damaged` or `createTooManyPixelsRefusal`. */
export function parseJpeg(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  let frame: JpegFrame | undefined;
  let orientation: number | undefined;
  let scans = 0;
  let offset = 2;
  let blocks = 0;
  const retained = [bytes.subarray(0, 2)];
  const profile: ProfilePart[] = [];
  while (!frame || !isComplete(frame)) {
    checkBlockCount(++blocks);
    offset = findMarker(bytes, offset);
    const marker = bytes[offset] ?? END_OF_IMAGE_CODE;
    if (marker === END_OF_IMAGE_CODE) break;
    const start = offset++ - 1;
    if (isStandaloneMarker(marker)) continue;
    const segment = readSegment(bytes, offset);
    offset += segment.length + 2;
    if (FRAME_MARKERS.has(marker)) frame = readOnlyFrame(frame, marker, segment);
    // Of several, which editors leave behind, browsers read the first.
    if (marker === EXIF_MARKER && readLatin1(segment, 0, 4) === "Exif")
      orientation ??= readExifOrientation(segment);
    if (isProfileSegment(marker, segment)) profile.push(parseProfilePart(segment));
    if (marker === SCAN_MARKER) {
      if (!frame || ++scans > MAX_JPEG_SCANS) throw createDamagedImageRefusal();
      recordScan(frame, segment);
      offset = findScanEnd(bytes, offset);
    }
    if (isNeededSegment(marker, segment)) retained.push(bytes.subarray(start, offset));
  }
  if (!frame || scans === 0) throw createDamagedImageRefusal();
  const hasInks = frame.missing.size === 4;
  // The profile of four inks doesn't describe the decoder's result.
  const needed = hasInks ? retained.filter((each) => each[1] !== PROFILE_MARKER) : retained;
  return {
    mimetype: "image/jpeg",
    width: frame.width,
    height: frame.height,
    orientation: orientation ?? 1,
    isAnimated: false,
    isLossless: false,
    ...(hasInks && { inkProfile: concatBytes(joinInOrder(profile)) }),
    isMissingEnd: !hasEndMarkerAt(bytes, offset),
    body: concatBytes([...needed, END_MARKER]),
  };
}

interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  /** For each component, the number of bits of each of its 64 coefficients that are missing. */
  readonly missing: ReadonlyMap<number, Uint8Array>;
}

const isComplete = ({ missing }: JpegFrame) =>
  [...missing.values()].every((bits) => bits.every((count) => count === 0));

/** The offset of the next marker's code. Bytes before it are skipped, as libjpeg does with a warning. */
function findMarker(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at)) {
    while (bytes[at] === 0xff) at++;
    if (bytes[at]) return at;
  }
  throw createDamagedImageRefusal();
}

/** Markers without a segment: restarts, and the temporary one. */
const isStandaloneMarker = (marker: number) =>
  (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

function readSegment(bytes: Uint8Array, offset: number): Uint8Array {
  // Libjpeg, too, reads a length below its own two bytes as an empty segment.
  const length = Math.max(2, toDataView(bytes).getUint16(offset));
  if (offset + length > bytes.length) throw createDamagedImageRefusal();
  return bytes.subarray(offset + 2, offset + length);
}

const ALL_BITS = 255;

function readOnlyFrame(
  earlier: JpegFrame | undefined,
  marker: number,
  segment: Uint8Array,
): JpegFrame {
  if (earlier) throw createDamagedImageRefusal();
  const view = toDataView(segment);
  const [height, width] = [view.getUint16(1), view.getUint16(3)];
  checkDimensions(width, height);
  const missing = new Map<number, Uint8Array>();
  for (let index = 0; index < view.getUint8(5); index++)
    missing.set(view.getUint8(6 + 3 * index), new Uint8Array(64).fill(ALL_BITS));
  return { width, height, isProgressive: marker === PROGRESSIVE_FRAME_MARKER, missing };
}

/** Notes which coefficients a scan brings (T.81, B.2.3): in a sequential frame all of its components'. */
function recordScan({ isProgressive, missing }: JpegFrame, segment: Uint8Array): void {
  const view = toDataView(segment);
  const components = view.getUint8(0);
  const selection = 1 + 2 * components;
  const [from, to] = [view.getUint8(selection), view.getUint8(selection + 1)];
  const lowestBit = view.getUint8(selection + 2) & 15;
  for (let index = 0; index < components; index++) {
    const bits = missing.get(view.getUint8(1 + 2 * index));
    if (isProgressive) bits?.fill(lowestBit, from, to + 1);
    else bits?.fill(0);
  }
}

/** Compressed data ends at the first 0xFF that is neither stuffed nor a restart marker, or with the file. */
function findScanEnd(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(0xff, start); offset >= 0;) {
    const next = bytes[offset + 1] ?? 0xff;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return offset;
    offset = bytes.indexOf(0xff, offset + 2);
  }
  return bytes.length;
}

/** Whether the end marker follows, after any number of fill bytes. */
function hasEndMarkerAt(bytes: Uint8Array, start: number): boolean {
  let offset = start;
  while (bytes[offset] === 0xff) offset++;
  return bytes[offset] === END_OF_IMAGE_CODE;
}

type ProfilePart = { readonly position: number; readonly data: Uint8Array };

const PROFILE_SIGNATURE = "ICC_PROFILE\0";

const isProfileSegment = (marker: number, segment: Uint8Array) =>
  marker === PROFILE_MARKER &&
  readLatin1(segment, 0, PROFILE_SIGNATURE.length) === PROFILE_SIGNATURE;

/** A profile of more than 64 KB is in several segments, which are numbered (ICC.1, B.4). */
const parseProfilePart = (segment: Uint8Array): ProfilePart => ({
  position: segment[PROFILE_SIGNATURE.length] ?? 0,
  data: segment.subarray(PROFILE_SIGNATURE.length + 2),
});

const joinInOrder = (parts: ProfilePart[]) =>
  parts.toSorted((a, b) => a.position - b.position).map(({ data }) => data);

/** Of the application's segments only those that define the colors: JFIF, ICC and Adobe. No comments. */
function isNeededSegment(marker: number, segment: Uint8Array): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  return marker === 0xe0 || marker === 0xee || isProfileSegment(marker, segment);
}
