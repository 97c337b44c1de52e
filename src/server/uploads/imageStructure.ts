/** The structure of a picture, as our parsers read it before a decoder sees it. */
import type { UPLOAD_TYPES } from "../../schema/pictures/uploads.ts";
import { Refusal } from "../shared/errors.ts";

/** The accepted formats (specification, section 5.6), by MIME type. */
export type ImageType = (typeof UPLOAD_TYPES)[number];

/** A picture whose blocks were all parsed. */
export type ImageStructure = {
  mimetype: ImageType;
  /** Pixels, as stored: before the orientation is applied. */
  width: number;
  height: number;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  isAnimated: boolean;
  isLossless: boolean;
  /** A JPEG without an end marker, whose last scan may be cut off. */
  isMissingEnd?: boolean;
  /** The color profile of a JPEG with four inks; empty if it has none. */
  inkProfile?: Uint8Array;
  /** Only the picture: nothing after its end, no metadata of a GIF, one frame of an animated WebP. */
  body: Uint8Array<ArrayBuffer>;
};

const MAX_IMAGE_SIDE_PX = 12_000;

/** The most pixels accepted: each takes four bytes of memory when decoded. */
const MAX_IMAGE_PIXELS = 50_000_000;

/** The limits of an animation, of which browsers draw every frame in full, however little changes. */
const MAX_FRAMES = 2000;
const MAX_ANIMATED_PIXELS = 500_000_000;

/** @throws {Refusal} `createTooMuchAnimationRefusal` if all frames together exceed the limits. */
export function checkAnimation(width: number, height: number, frames: number): void {
  if (frames > MAX_FRAMES || (frames > 1 && width * height * frames > MAX_ANIMATED_PIXELS))
    throw createTooMuchAnimationRefusal();
}

/**
 * The most segments, chunks or blocks accepted in a file: encoders write some hundreds, while a file of empty ones
 * would occupy the parser for seconds.
 */
const MAX_BLOCKS = 10_000;

/** @throws {Refusal} `damaged` beyond the limit. */
export function checkBlockCount(count: number): void {
  if (count > MAX_BLOCKS) throw createDamagedImageRefusal();
}

/**
 * The most scans accepted in a progressive JPEG. Cameras and encoders write about ten, some one for each of the 64
 * coefficients; each one makes the decoder process the whole picture for a few bytes of file.
 */
export const MAX_JPEG_SCANS = 100;

/**
 * Checks the dimensions in a header against the limits, before decoding.
 * @throws {Refusal} `damaged` for an empty side, `createTooManyPixelsRefusal` beyond the limits.
 */
export function checkDimensions(width: number, height: number): void {
  if (width < 1 || height < 1) throw createDamagedImageRefusal();
  if (Math.max(width, height) > MAX_IMAGE_SIDE_PX || width * height > MAX_IMAGE_PIXELS)
    throw createTooManyPixelsRefusal();
}

/** 422: a truncated picture, or one that no program would write. */
export const createDamagedImageRefusal = (cause?: unknown) =>
  new Refusal(
    "invalid",
    "This image is damaged or incomplete. Export it again, or choose another one.",
    { cause },
  );

/** 422: a picture that would take too much memory to decode. */
export const createTooManyPixelsRefusal = (cause?: unknown) =>
  new Refusal(
    "invalid",
    "This image is too large: at most 12,000 pixels per side and 50 megapixels. " +
      "Make it smaller and try again.",
    { cause },
  );

/** 422: an animation that would overload a browser. */
const createTooMuchAnimationRefusal = () =>
  new Refusal(
    "invalid",
    "This animation is too large: at most 2,000 frames, and 500 megapixels in total. " +
      "Make it smaller or shorter and try again.",
  );

/** For decoding: with our size limit, and without turning. */
export function createImage(bytes: Uint8Array<ArrayBuffer>): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_IMAGE_PIXELS, autoOrient: false });
}

/** The bytes as a DataView; reads beyond the end throw a RangeError. */
export function toDataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** `length` bytes from `offset` as Latin-1 text: four-letter codes and signatures. */
export function readLatin1(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

export function concatBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(parts, Infinity, true);
}

const ORIENTATION_TAG = 0x0112;
const EXIF_ENTRY_BYTES = 12;
const EXIF_LONG_TYPE = 4;

/**
 * The orientation (1 to 8) in an EXIF block, with or without its `Exif\0\0` prefix. An invalid block counts as
 * upright: it is dropped anyway.
 */
export function readExifOrientation(block: Uint8Array): number {
  const tiff = readLatin1(block, 0, 4) === "Exif" ? block.subarray(6) : block;
  try {
    const value = findOrientationEntry(toDataView(tiff));
    return value >= 1 && value <= 8 ? value : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

function findOrientationEntry(view: DataView): number {
  const littleEndian = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, littleEndian);
  const entries = view.getUint16(directory, littleEndian);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * EXIF_ENTRY_BYTES;
    if (view.getUint16(entry, littleEndian) !== ORIENTATION_TAG) continue;
    // A short by the standard; some programs write a long.
    const isLong = view.getUint16(entry + 2, littleEndian) === EXIF_LONG_TYPE;
    return isLong
      ? view.getUint32(entry + 8, littleEndian)
      : view.getUint16(entry + 8, littleEndian);
  }
  return 1;
}
