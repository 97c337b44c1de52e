/** What our own parsers learn of a picture before a decoder sees a byte of it. */
import type { UPLOAD_TYPES } from "../../schema/uploads.ts";

/** The formats taken (spec §5), by their MIME type. */
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
  /** The picture alone: nothing behind its end, and for GIF and animated WebP no metadata. */
  body: Uint8Array<ArrayBuffer>;
  /** What the decoder is given: the body, or a still that stands for an animation. */
  still: Uint8Array<ArrayBuffer>;
};
