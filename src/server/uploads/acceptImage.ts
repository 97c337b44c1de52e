/** Takes a picture from outside: decides by its content, and hands back clean bytes and smaller copies of them. */
import { MAX_UPLOAD_BYTES, TOO_LARGE } from "../../schema/uploads.ts";
import { tooLarge } from "../shared/errors.ts";
import { inDecodeTurn } from "./decodeTurn.ts";
import {
  damaged,
  imageOf,
  type ImageStructure,
  type ImageType,
  tooManyPixels,
} from "./imageStructure.ts";
import { lookOf, type PictureLook } from "./pictureLook.ts";
import { readStructure } from "./readStructure.ts";

/** The ending under which a picture of each type is stored. */
const EXTENSIONS = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
} as const;

/** The ending of a stored picture's name. */
export type ImageExtension = (typeof EXTENSIONS)[ImageType];

/** A picture that was decoded and is safe to store and serve. */
export type AcceptedImage = PictureLook & {
  mimetype: ImageType;
  extension: ImageExtension;
  /** Pixels, upright. */
  width: number;
  height: number;
  bytes: Uint8Array<ArrayBuffer>;
  animated: boolean;
};

/**
 * Checks a picture by its content and writes it again without metadata. JPEG, PNG and WebP are decoded
 * and encoded again, upright, in their own format, of an animated WebP its first frame, a JPEG of more than
 * 25 megapixels (12.5 on its side) smaller; a GIF keeps its frames byte for byte and loses everything else.
 * @throws {Refusal} `tooLarge`, `wrongType`, `damaged` or `tooManyPixels`.
 */
export async function acceptImage(bytes: Uint8Array): Promise<AcceptedImage> {
  if (bytes.length > MAX_UPLOAD_BYTES) throw tooLarge(TOO_LARGE);
  // A copy, since the decoder works on another thread while the caller may reuse its buffer.
  const structure = readStructure(new Uint8Array(bytes));
  return inDecodeTurn(() => decoded(structure).catch(refuseUndecodable));
}

async function decoded(structure: ImageStructure): Promise<AcceptedImage> {
  const { mimetype, animated } = structure;
  const clean = mimetype === "image/gif" ? structure : readStructure(await encodedAgain(structure));
  return {
    mimetype,
    extension: EXTENSIONS[mimetype],
    width: clean.width,
    height: clean.height,
    bytes: clean.body,
    animated,
    // For a GIF it is the proof that it can be decoded.
    ...(await lookOf(clean)),
  };
}

const QUALITY = 90;

async function encodedAgain(structure: ImageStructure): Promise<Uint8Array<ArrayBuffer>> {
  const { mimetype, lossless, orientation, body } = structure;
  const image = turnedUpright(imageOf(body), orientation);
  const { width, height } = keptSize(structure);
  // The size is that of the picture once it is turned.
  if (width < structure.width && isSideways(structure)) image.resize(height, width);
  else if (width < structure.width) image.resize(width, height);
  if (mimetype === "image/jpeg") image.jpeg({ quality: QUALITY });
  else if (mimetype === "image/png") image.png();
  else image.webp(lossless ? { lossless } : { quality: QUALITY });
  return new Uint8Array(await image.bytes());
}

/** In points, each four bytes: 100 MB. */
const MOST_DECODED = 25_000_000;

/**
 * In pixels, before it is turned. A JPEG of more than 25 megapixels, or of half of that on its side, is kept in as
 * many eighths of its sides as are within them, which is more than any page shows: in those the decoder makes it
 * smaller while it reads, so that the whole is never in memory (libjpeg, `scale_num`).
 */
function keptSize(structure: ImageStructure): Size {
  const { mimetype, width, height } = structure;
  if (mimetype !== "image/jpeg") return { width, height };
  const sized = (eighths: number) => ({
    width: Math.ceil((width * eighths) / 8),
    height: Math.ceil((height * eighths) / 8),
  });
  let eighths = 8;
  while (pointsOf(structure, sized(eighths)) > MOST_DECODED) eighths -= 1;
  return sized(eighths);
}

type Size = Pick<ImageStructure, "width" | "height">;

/** How many points of such a size are in memory at most: what is turned is there twice. */
const pointsOf = (structure: ImageStructure, { width, height }: Size) =>
  width * height * (isSideways(structure) ? 2 : 1);

/** Stored on its side (EXIF orientation 5 to 8). */
const isSideways = ({ orientation }: ImageStructure) => orientation > 4;

/**
 * Turns a picture the way its camera was held, 1 to 8 (EXIF 2.32, tag 0x0112); the decoder would do it
 * for JPEG alone. It turns first and mirrors then, whatever the order of the calls.
 */
function turnedUpright(image: Bun.Image, orientation: number): Bun.Image {
  switch (orientation) {
    case 2:
      return image.flop();
    case 3:
      return image.rotate(180);
    case 4:
      return image.flip();
    case 5:
      return image.rotate(90).flop();
    case 6:
      return image.rotate(90);
    case 7:
      return image.rotate(90).flip();
    case 8:
      return image.rotate(270);
    default:
      return image;
  }
}

function refuseUndecodable(error: unknown): never {
  const code = (error as { code?: unknown }).code;
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw tooManyPixels(error);
  if (String(code).startsWith("ERR_IMAGE")) throw damaged(error);
  throw error;
}

/** A copy of a picture as WebP, which pages offer in `srcset`; sizes in pixels. */
export type ImageVariant = { width: number; height: number; bytes: Uint8Array<ArrayBuffer> };

const WIDTHS = [320, 640, 1280, 1920];
const WIDEST = 1920;
/** A name holds two to four digits of width; what is narrower needs no copy. */
const NARROWEST = 10;
const VARIANT_QUALITY = 80;

/** WebP copies, narrowest first; none of an animation, which would stand still. */
export async function makeVariants(image: AcceptedImage): Promise<ImageVariant[]> {
  if (image.animated) return [];
  return inDecodeTurn(async () => {
    const variants: ImageVariant[] = [];
    // One after another: each decodes the picture again, and this is one turn.
    for (const width of variantWidths(image.width)) variants.push(await variantOf(image, width));
    return variants;
  });
}

/** The widths a picture is offered at: those below its own, and its own when that is below 1920. */
function variantWidths(originalWidth: number): number[] {
  const narrower = WIDTHS.filter((width) => width < originalWidth);
  const own = originalWidth < WIDEST && originalWidth >= NARROWEST ? [originalWidth] : [];
  return [...narrower, ...own];
}

async function variantOf(image: AcceptedImage, width: number): Promise<ImageVariant> {
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  const source = imageOf(image.bytes);
  const bytes = await source.resize(width, height).webp({ quality: VARIANT_QUALITY }).bytes();
  return { width, height, bytes: new Uint8Array(bytes) };
}
