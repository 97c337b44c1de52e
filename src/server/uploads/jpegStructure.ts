/**
 * Parses a JPEG's segments and scans (ITU T.81, annex B) until every coefficient has appeared in a scan. Like browsers,
 * skips stray bytes between segments, and ignores data after the picture, such as a camera maker's.
 */
import {
  assertBlockCount,
  assertDimensions,
  readExifOrientation,
  createDamagedImageRefusal,
  type ImageStructure,
  concatBytes,
  encodeUint32,
  readLatin1,
  MAX_JPEG_SCANS,
  toDataView,
} from "./imageStructure.ts";
import { convertGrayProfile } from "./screenProfile.ts";

const END_OF_IMAGE_CODE = 0xd9;
export const SCAN_MARKER = 0xda;
const EXIF_MARKER = 0xe1;
/** The markers of sequential and progressive frames, with Huffman or arithmetic coding. */
export const FRAME_MARKERS = new Set([0xc0, 0xc1, 0xc2, 0xc9, 0xca]);
const PROGRESSIVE_FRAME_MARKERS = new Set([0xc2, 0xca]);
const PROFILE_MARKER = 0xe2;
const END_MARKER = Uint8Array.of(0xff, END_OF_IMAGE_CODE);

/** @throws {Refusal} `createDamagedImageRefusal` or `createTooManyPixelsRefusal`. */
export function parseJpeg(bytes: Uint8Array<ArrayBuffer>): ImageStructure {
  let frame: JpegFrame | undefined;
  let orientation: number | undefined;
  let scanCount = 0;
  let offset = 2;
  let blockCount = 0;
  const retainedSegments = [bytes.subarray(0, 2)];
  const profileSegments: Uint8Array[] = [];
  while (!frame || !isComplete(frame)) {
    assertBlockCount(++blockCount);
    offset = findMarker(bytes, offset);
    const marker = bytes[offset] ?? END_OF_IMAGE_CODE;
    if (marker === END_OF_IMAGE_CODE) break;
    const start = offset++ - 1;
    if (isStandaloneMarker(marker)) continue;
    const segment = readSegment(bytes, offset);
    offset += segment.length + 2;
    if (FRAME_MARKERS.has(marker)) {
      if (frame) throw createDamagedImageRefusal();
      frame = readFrame(marker, segment);
    }
    // Only the first EXIF block is read, as in browsers. Some editors leave several blocks.
    if (marker === EXIF_MARKER && readLatin1(segment, 0, 4) === "Exif")
      orientation ??= readExifOrientation(segment);
    if (isProfileSegment(marker, segment)) profileSegments.push(segment);
    if (marker === SCAN_MARKER) {
      if (!frame || ++scanCount > MAX_JPEG_SCANS) throw createDamagedImageRefusal();
      recordScan(frame, segment);
      offset = findScanEnd(bytes, offset);
    }
    if (isNeededSegment(marker, segment)) retainedSegments.push(bytes.subarray(start, offset));
  }
  if (!frame || scanCount === 0) throw createDamagedImageRefusal();
  const isCmyk = frame.missingBits.size === 4;
  const colorProfile = joinProfile(profileSegments);
  const isGray = frame.missingBits.size === 1;
  const neededSegments =
    isCmyk || isGray ? replaceProfile(retainedSegments, isGray && colorProfile) : retainedSegments;
  return {
    mimetype: "image/jpeg",
    width: frame.width,
    height: frame.height,
    orientation: orientation ?? 1,
    isAnimated: false,
    isLossless: false,
    ...(isCmyk && { cmykProfile: colorProfile }),
    isMissingEnd: !hasEndMarkerAt(bytes, offset),
    cleanBytes: concatBytes([...neededSegments, END_MARKER]),
  };
}

interface JpegFrame {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  /** For each component, by its id: the number of bits of each coefficient that no scan has contained yet. */
  readonly missingBits: ReadonlyMap<number, Uint8Array>;
}

const isComplete = ({ missingBits }: JpegFrame) =>
  [...missingBits.values()].every((bits) => bits.every((count) => count === 0));

/** Returns the offset of the code of the next marker. Other bytes before the marker are skipped, as in libjpeg. */
function findMarker(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(0xff, start); offset >= 0; offset = bytes.indexOf(0xff, offset)) {
    while (bytes[offset] === 0xff) offset++;
    if (bytes[offset]) return offset;
  }
  throw createDamagedImageRefusal();
}

/** Whether a marker has no segment after it, like RST0 to RST7 and TEM. */
const isStandaloneMarker = (marker: number) =>
  (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

function readSegment(bytes: Uint8Array, offset: number): Uint8Array {
  // The length includes the two bytes of the length field. As in libjpeg, a length below two means an empty segment.
  const length = Math.max(2, toDataView(bytes).getUint16(offset));
  if (offset + length > bytes.length) throw createDamagedImageRefusal();
  return bytes.subarray(offset + 2, offset + length);
}

const ALL_BITS = 255;

function readFrame(marker: number, segment: Uint8Array): JpegFrame {
  const view = toDataView(segment);
  const [height, width] = [view.getUint16(1), view.getUint16(3)];
  assertDimensions(width, height);
  const missingBits = new Map<number, Uint8Array>();
  for (let index = 0; index < view.getUint8(5); index++)
    missingBits.set(view.getUint8(6 + 3 * index), new Uint8Array(64).fill(ALL_BITS));
  return { width, height, isProgressive: PROGRESSIVE_FRAME_MARKERS.has(marker), missingBits };
}

/** Removes a scan's bits from `missingBits` (T.81, B.2.3). A sequential scan has all bits of its components. */
function recordScan({ isProgressive, missingBits }: JpegFrame, segment: Uint8Array): void {
  const view = toDataView(segment);
  const componentCount = view.getUint8(0);
  const selectionOffset = 1 + 2 * componentCount;
  const [firstCoefficient, lastCoefficient] = [
    view.getUint8(selectionOffset),
    view.getUint8(selectionOffset + 1),
  ];
  const lowestBit = view.getUint8(selectionOffset + 2) & 15;
  for (let index = 0; index < componentCount; index++) {
    const bits = missingBits.get(view.getUint8(1 + 2 * index));
    if (isProgressive) bits?.fill(lowestBit, firstCoefficient, lastCoefficient + 1);
    else bits?.fill(0);
  }
}

/** Returns the end of a scan's data: a marker other than a restart marker (0xFF 0x00 isn't one), or the file's end. */
function findScanEnd(bytes: Uint8Array, start: number): number {
  for (let offset = bytes.indexOf(0xff, start); offset >= 0;) {
    const nextByte = bytes[offset + 1] ?? 0xff;
    if (nextByte !== 0 && (nextByte < 0xd0 || nextByte > 0xd7)) return offset;
    offset = bytes.indexOf(0xff, offset + 2);
  }
  return bytes.length;
}

/** Whether there is an end marker at an offset. Any number of 0xFF bytes may precede the marker's code. */
function hasEndMarkerAt(bytes: Uint8Array, start: number): boolean {
  let offset = start;
  while (bytes[offset] === 0xff) offset++;
  return bytes[offset] === END_OF_IMAGE_CODE;
}

const PROFILE_SIGNATURE = "ICC_PROFILE\0";

const isProfileSegment = (marker: number, segment: Uint8Array) =>
  marker === PROFILE_MARKER &&
  readLatin1(segment, 0, PROFILE_SIGNATURE.length) === PROFILE_SIGNATURE;

const getProfileNumber = (segment: Uint8Array) => segment[PROFILE_SIGNATURE.length] ?? 0;

/** Joins the segments of a color profile, which are numbered if it has more than 64 KB (ICC.1, B.4). */
function joinProfile(segments: readonly Uint8Array[]): Uint8Array {
  const sorted = segments.toSorted((a, b) => getProfileNumber(a) - getProfileNumber(b));
  return concatBytes(sorted.map((segment) => segment.subarray(PROFILE_SIGNATURE.length + 2)));
}

/** Removes a CMYK profile, which doesn't apply to the decoder's RGB, and replaces a gray one by its RGB equivalent. */
function replaceProfile(segments: Uint8Array[], grayProfile: Uint8Array | false): Uint8Array[] {
  const [startOfImage = new Uint8Array(), ...rest] = segments.filter(
    (each) => each[1] !== PROFILE_MARKER,
  );
  const profile = grayProfile && convertGrayProfile(grayProfile);
  if (!profile) return [startOfImage, ...rest];
  const content = concatBytes([
    new TextEncoder().encode(PROFILE_SIGNATURE),
    Uint8Array.of(1, 1),
    profile,
  ]);
  const length = encodeUint32(content.length + 2).subarray(2);
  return [startOfImage, Uint8Array.of(0xff, PROFILE_MARKER), length, content, ...rest];
}

/** Whether the decoder needs a segment. Of the application segments, JFIF, ICC and Adobe define the colors. */
function isNeededSegment(marker: number, segment: Uint8Array): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  return marker === 0xe0 || marker === 0xee || isProfileSegment(marker, segment);
}
