/** The properties of a picture that our parsers read before it is decoded, and the limits that they check. */
import type { UPLOAD_TYPES } from "../../schema/pictures/uploads.ts";
import { Refusal } from "../shared/errors.ts";

/** The MIME types of the accepted formats (specification, section 5.6). */
export type ImageType = (typeof UPLOAD_TYPES)[number];

export type ImageStructure = {
  mimetype: ImageType;
  /** The width in pixels before the orientation is applied. */
  width: number;
  height: number;
  /** The EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  isAnimated: boolean;
  /** True for a GIF with a frame that covers only a part of the picture. The decoder would return only this part. */
  hasSmallerFrame?: boolean;
  isLossless: boolean;
  /** True for a JPEG without an end marker, whose last scan may be truncated. */
  isMissingEnd?: boolean;
  /** The color profile of a CMYK JPEG; empty if the JPEG has no profile. Undefined for other pictures. */
  cmykProfile?: Uint8Array;
  /** A file with only the picture: no metadata, no data after its end, only the first frame of an animated WebP. */
  cleanBytes: Uint8Array<ArrayBuffer>;
};

export type PixelSize = Pick<ImageStructure, "width" | "height">;

const MAX_IMAGE_SIDE_PX = 12_000;

/** The maximum number of pixels of a picture. Each pixel takes four bytes of memory when the picture is decoded. */
const MAX_IMAGE_PIXELS = 50_000_000;

const MAX_FRAMES = 2000;
/** The maximum number of pixels of all frames. Browsers draw each frame in full, even if few pixels change. */
const MAX_ANIMATED_PIXELS = 500_000_000;

/** @throws {Refusal} if an animation with this size and number of frames exceeds the limits. */
export function assertAnimation(width: number, height: number, frameCount: number): void {
  if (
    frameCount > MAX_FRAMES ||
    (frameCount > 1 && width * height * frameCount > MAX_ANIMATED_PIXELS)
  )
    throw new Refusal("invalid", TOO_MUCH_ANIMATION_MESSAGE);
}

/** Encoders write some hundreds of segments, chunks or blocks. A file of empty blocks would take seconds to parse. */
const MAX_BLOCKS = 10_000;

/** @throws {Refusal} `createDamagedImageRefusal` */
export function assertBlockCount(count: number): void {
  if (count > MAX_BLOCKS) throw createDamagedImageRefusal();
}

/**
 * Cameras write about ten scans in a progressive JPEG, and some encoders write 64, one for each coefficient. The
 * decoder processes the whole picture for each scan, so a small file with many scans would take long.
 */
export const MAX_JPEG_SCANS = 100;

/** @throws {Refusal} `createDamagedImageRefusal` for a side of 0 pixels, else `createTooManyPixelsRefusal`. */
export function assertDimensions(width: number, height: number): void {
  if (width < 1 || height < 1) throw createDamagedImageRefusal();
  if (Math.max(width, height) > MAX_IMAGE_SIDE_PX || width * height > MAX_IMAGE_PIXELS)
    throw createTooManyPixelsRefusal();
}

/** Returns the refusal (422) of a picture that is truncated or invalid. */
export const createDamagedImageRefusal = (cause?: unknown) =>
  new Refusal("invalid", DAMAGED_MESSAGE, { cause });

/** Returns the refusal (422) of a picture that would take too much memory to decode. */
export const createTooManyPixelsRefusal = (cause?: unknown) =>
  new Refusal("invalid", TOO_MANY_PIXELS_MESSAGE, { cause });

const DAMAGED_MESSAGE =
  "This image is damaged or incomplete. Export it again, or choose another one.";
const TOO_MANY_PIXELS_MESSAGE =
  "This image is too large: at most 12,000 pixels per side and 50 megapixels. Make it smaller and try again.";
const TOO_MUCH_ANIMATION_MESSAGE =
  "This animation is too large: at most 2,000 frames, and 500 megapixels in total. Make it smaller or shorter and try again.";

/** Decoding the image throws if it has more pixels than `MAX_IMAGE_PIXELS`, and doesn't apply the orientation. */
export function createImage(bytes: Uint8Array<ArrayBuffer>): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_IMAGE_PIXELS, autoOrient: false });
}

/** Reads beyond the end of the view throw a RangeError. */
export function toDataView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function readLatin1(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

export function concatBytes(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(parts, Infinity, true);
}

/** Big-endian, as in PNG, color profiles and the virus scanner's protocol. */
export function encodeUint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  toDataView(bytes).setUint32(0, value);
  return bytes;
}

const ORIENTATION_TAG = 0x0112;
const EXIF_ENTRY_BYTES = 12;
const EXIF_LONG_TYPE = 4;

/** Reads the orientation (1 to 8) of an EXIF block, with or without `Exif\0\0` before it; 1 if the block is invalid. */
export function readExifOrientation(block: Uint8Array): number {
  const tiff = readLatin1(block, 0, 4) === "Exif" ? block.subarray(6) : block;
  try {
    const value = findOrientation(toDataView(tiff));
    return value >= 1 && value <= 8 ? value : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

function findOrientation(view: DataView): number {
  const isLittleEndian = view.getUint16(0) === 0x4949;
  const directoryOffset = view.getUint32(4, isLittleEndian);
  const entryCount = view.getUint16(directoryOffset, isLittleEndian);
  for (let index = 0; index < entryCount; index++) {
    const entryOffset = directoryOffset + 2 + index * EXIF_ENTRY_BYTES;
    if (view.getUint16(entryOffset, isLittleEndian) !== ORIENTATION_TAG) continue;
    // EXIF prescribes two bytes for the value, but some programs write four.
    const isLong = view.getUint16(entryOffset + 2, isLittleEndian) === EXIF_LONG_TYPE;
    return isLong
      ? view.getUint32(entryOffset + 8, isLittleEndian)
      : view.getUint16(entryOffset + 8, isLittleEndian);
  }
  return 1;
}
