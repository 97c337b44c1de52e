/** What our own parsers learn of a picture before a decoder sees a byte of it. */
import type { UPLOAD_TYPES } from "../../schema/uploads.ts";
import { Refusal } from "../shared/errors.ts";

/** The formats taken (specification, section 5.6), by their MIME type. */
export type ImageType = (typeof UPLOAD_TYPES)[number];

/** A picture whose blocks were walked from the first to the last. */
export type ImageStructure = {
  mimetype: ImageType;
  /** Pixels, as stored: before the orientation is applied. */
  width: number;
  height: number;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
  animated: boolean;
  lossless: boolean;
  /** The picture alone: nothing behind its end, for a GIF no metadata, of an animated WebP one frame. */
  body: Uint8Array<ArrayBuffer>;
};

const MAX_IMAGE_SIDE = 12_000;

/** The most pixels taken, over all: a decoded pixel costs four bytes of memory. */
const MAX_IMAGE_PIXELS = 50_000_000;

/** The most of an animation, which browsers draw whole for each frame, however little changes in it. */
const MAX_FRAMES = 2000;
const MAX_ANIMATED_PIXELS = 500_000_000;

/** @throws {Refusal} `tooMuchAnimation` beyond the limits of all frames together. */
export function checkAnimation(width: number, height: number, frames: number): void {
  if (frames > MAX_FRAMES || (frames > 1 && width * height * frames > MAX_ANIMATED_PIXELS))
    throw tooMuchAnimation();
}

/**
 * The most scans taken of a progressive JPEG. Cameras and encoders write about ten; each further
 * one costs the decoder a walk over the whole picture for a few bytes of file.
 */
export const MAX_JPEG_SCANS = 50;

/**
 * Holds the dimensions that a header declares against the limits, before anything is decoded.
 * @throws {Refusal} `damaged` for an empty side, `tooManyPixels` beyond the limits.
 */
export function checkDimensions(width: number, height: number): void {
  if (width < 1 || height < 1) throw damaged();
  if (Math.max(width, height) > MAX_IMAGE_SIDE || width * height > MAX_IMAGE_PIXELS)
    throw tooManyPixels();
}

/** 422: a picture that is cut short, or is put together as no program would. */
export const damaged = (cause?: unknown) =>
  new Refusal(
    "invalid",
    "This picture is damaged or incomplete. Export it again, or choose another one.",
    { cause },
  );

/** 422: a picture that would take too much memory to decode. */
export const tooManyPixels = (cause?: unknown) =>
  new Refusal(
    "invalid",
    "This picture is too large: at most 12,000 pixels per side and 50 megapixels. " +
      "Make it smaller and try again.",
    { cause },
  );

/** 422: an animation that would keep a browser busy, or out of memory. */
const tooMuchAnimation = () =>
  new Refusal(
    "invalid",
    "This animation is too large: at most 2,000 frames, and 500 megapixels in all of them together. " +
      "Make it smaller or shorter and try again.",
  );

/** For decoding: as large as any that is taken, and not turned by itself. */
export function imageOf(bytes: Uint8Array<ArrayBuffer>): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_IMAGE_PIXELS, autoOrient: false });
}

/** The bytes as a view for numbers; reads behind the end throw a RangeError. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** `length` bytes from `offset` as Latin-1 text: four-letter codes and signatures. */
export function latin1(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

export function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Bun.concatArrayBuffers(parts, Infinity, true);
}

const ORIENTATION_TAG = 0x0112;
const ENTRY_BYTES = 12;

/**
 * The orientation (1 to 8) in an EXIF block, with or without its `Exif\0\0` lead.
 * A block that makes no sense counts as upright: it is thrown away in any case.
 */
export function exifOrientation(block: Uint8Array): number {
  const tiff = latin1(block, 0, 4) === "Exif" ? block.subarray(6) : block;
  try {
    const value = orientationEntry(viewOf(tiff));
    return value >= 1 && value <= 8 ? value : 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

function orientationEntry(view: DataView): number {
  const littleEndian = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, littleEndian);
  const entries = view.getUint16(directory, littleEndian);
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * ENTRY_BYTES;
    if (view.getUint16(entry, littleEndian) === ORIENTATION_TAG)
      return view.getUint16(entry + 8, littleEndian);
  }
  return 1;
}
