/** Accepts an uploaded picture: identifies it by its content, and makes clean bytes, smaller variants and a list item of it. */
import pLimit from "p-limit";
import { removeInvisible } from "../../schema/core/invisibleCharacters.ts";
import type { Item } from "../../schema/index.ts";
import { MAX_UPLOAD_BYTES, FILE_TOO_LARGE_MESSAGE } from "../../schema/pictures/uploads.ts";
import { tooLarge } from "../shared/errors.ts";
import { LETTER_PICTURE_WIDTH_PX } from "../storage/pictures/pictureNames.ts";
import { computeChecksum } from "../storage/pictures/pictureIntegrity.ts";
import {
  createDamagedImageRefusal,
  createImage,
  type ImageStructure,
  type ImageType,
  concatBytes,
  createTooManyPixelsRefusal,
} from "./imageStructure.ts";
import { convertToScreenColors } from "./cmykPicture.ts";
import { analyzePicture, type PictureAnalysis } from "./pictureAnalysis.ts";
import { readStructure } from "./readStructure.ts";
import { errorCode } from "../shared/errorDetails.ts";

/** The file extensions of stored pictures, by type. */
const EXTENSION_BY_TYPE = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
} as const;

/** A stored picture's file extension. */
export type ImageExtension = (typeof EXTENSION_BY_TYPE)[ImageType];

/** A picture that was decoded and is safe to store and serve. */
export type AcceptedImage = PictureAnalysis & {
  mimetype: ImageType;
  extension: ImageExtension;
  /** Pixels, upright. */
  width: number;
  height: number;
  bytes: Uint8Array<ArrayBuffer>;
  isAnimated: boolean;
};

/**
 * Checks a picture by its content and rewrites it without metadata. JPEG, PNG and WebP are decoded and re-encoded,
 * upright, in the same format; of an animated WebP only the first frame, and a JPEG of more than 25 megapixels (12.5
 * on its side) smaller. Of a GIF the frames are copied byte for byte and everything else is removed.
 * @throws {Refusal} `tooLarge`, `wrongType`, `damaged` or `createTooManyPixelsRefusal`.
 */
export async function acceptImage(bytes: Uint8Array): Promise<AcceptedImage> {
  if (bytes.length > MAX_UPLOAD_BYTES) throw tooLarge(FILE_TOO_LARGE_MESSAGE);
  // A copy: the decoder runs on another thread, and the caller may reuse its buffer.
  const structure = readStructure(new Uint8Array(bytes));
  return decodeQueue(() => decodeImage(structure).catch(rethrowUndecodable));
}

/**
 * One at a time, first come first served: a small machine has the memory for one, and pages want a core as well.
 * Visitors' requests (icons, the pictures of shared links) don't wait for them.
 */
export const decodeQueue = pLimit(1);

async function decodeImage(structure: ImageStructure): Promise<AcceptedImage> {
  const { mimetype, isAnimated } = structure;
  if (structure.isMissingEnd) await assertComplete(structure);
  const clean = mimetype === "image/gif" ? structure : readStructure(await reencode(structure));
  return {
    mimetype,
    extension: EXTENSION_BY_TYPE[mimetype],
    width: clean.width,
    height: clean.height,
    bytes: clean.body,
    isAnimated: isAnimated,
    // For a GIF this also proves that it can be decoded.
    ...(await analyzePicture(clean)),
  };
}

/**
 * Throws `damaged` if a JPEG without an end marker ends within its last scan, of which the decoder only warns: more
 * compressed data then changes the picture, while after a whole scan it is ignored.
 */
async function assertComplete(structure: ImageStructure): Promise<void> {
  const { body } = structure;
  const { width, height } = computeStoredSize(structure);
  const longer = concatBytes([body.subarray(0, -2), PADDING_BYTES, body.subarray(-2)]);
  const [asItIs, withMore] = await Promise.all(
    [body, longer].map(async (each) =>
      Bun.hash(await createImage(each).resize(width, height).png({ compressionLevel: 1 }).bytes()),
    ),
  );
  if (asItIs !== withMore) throw createDamagedImageRefusal();
}

/** Any compressed data: no marker, and never the same few bytes. */
const PADDING_BYTES = Uint8Array.from(
  { length: 512 },
  (_, at) => ((at + 1) * 2_654_435_761) >>> 25,
);

const WEBP_QUALITY = 90;

async function reencode(picture: ImageStructure): Promise<Uint8Array<ArrayBuffer>> {
  const structure = await convertToScreenColors(picture, computeStoredSize(picture));
  const { mimetype, isLossless, orientation, body } = structure;
  const image = turnUpright(createImage(body), orientation);
  const { width, height } = computeStoredSize(structure);
  // The size applies to the turned picture.
  if (width < structure.width && isSideways(structure)) image.resize(height, width);
  else if (width < structure.width) image.resize(width, height);
  if (mimetype === "image/jpeg") image.jpeg({ quality: WEBP_QUALITY });
  else if (mimetype === "image/png") image.png();
  else image.webp(isLossless ? { lossless: isLossless } : { quality: WEBP_QUALITY });
  return new Uint8Array(await image.bytes());
}

/** In pixels of four bytes: 100 MB. */
const MAX_DECODED_PIXELS = 25_000_000;
/** Four inks are mixed in JavaScript: about a second, and still larger than any page shows it. */
const MAX_CMYK_PIXELS = 4_000_000;

/**
 * In pixels, before turning. A JPEG of more than 25 megapixels, or half of that on its side, is scaled by the most
 * eighths that fit, still more than any page shows: the decoder scales by eighths while reading, so the full picture
 * is never in memory (libjpeg, `scale_num`).
 */
function computeStoredSize(structure: ImageStructure): PixelSize {
  const { mimetype, width, height, inkProfile } = structure;
  const most = inkProfile?.length ? MAX_CMYK_PIXELS : MAX_DECODED_PIXELS;
  if (mimetype !== "image/jpeg") return { width, height };
  const sizeAt = (eighths: number) => ({
    width: Math.ceil((width * eighths) / 8),
    height: Math.ceil((height * eighths) / 8),
  });
  let eighths = 8;
  while (decodedPixels(structure, sizeAt(eighths)) > most) eighths -= 1;
  return sizeAt(eighths);
}

type PixelSize = Pick<ImageStructure, "width" | "height">;

/** The most pixels in memory for this size: turning needs two copies. */
const decodedPixels = (structure: ImageStructure, { width, height }: PixelSize) =>
  width * height * (isSideways(structure) ? 2 : 1);

/** Stored on its side (EXIF orientation 5 to 8). */
const isSideways = ({ orientation }: ImageStructure) => orientation > 4;

/**
 * Turns a picture upright by its EXIF orientation, 1 to 8 (EXIF 2.32, tag 0x0112); the decoder would do that only for
 * JPEG. It always turns before it mirrors, whatever the order of the calls.
 */
function turnUpright(image: Bun.Image, orientation: number): Bun.Image {
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

function rethrowUndecodable(error: unknown): never {
  const code = errorCode(error);
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw createTooManyPixelsRefusal(error);
  if (String(code).startsWith("ERR_IMAGE")) throw createDamagedImageRefusal(error);
  throw error;
}

/** A WebP variant for `srcset`; sizes in pixels. */
export type ImageVariant = { width: number; height: number; bytes: Uint8Array<ArrayBuffer> };

const VARIANT_WIDTHS_PX = [320, 640, 1280, 1920];
const MAX_VARIANT_WIDTH_PX = 1920;
/** A name has two to four digits for the width; narrower pictures need no variant. */
const MIN_VARIANT_WIDTH_PX = 10;
const VARIANT_QUALITY = 80;

/** WebP variants, narrowest first; none for an animation, which would freeze. */
export async function createVariants(image: AcceptedImage): Promise<ImageVariant[]> {
  if (image.isAnimated) return [];
  return decodeQueue(async () => {
    const variants: ImageVariant[] = [];
    // Sequentially: each decodes the picture again, and this is a single turn.
    for (const width of variantWidths(image.width))
      variants.push(await createVariant(image, width));
    return variants;
  });
}

/** The variants' widths: those below the picture's own, and its own if that is below 1920. */
function variantWidths(originalWidth: number): number[] {
  const narrower = VARIANT_WIDTHS_PX.filter((width) => width < originalWidth);
  const original =
    originalWidth < MAX_VARIANT_WIDTH_PX && originalWidth >= MIN_VARIANT_WIDTH_PX
      ? [originalWidth]
      : [];
  return [...narrower, ...original];
}

async function createVariant(image: AcceptedImage, width: number): Promise<ImageVariant> {
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  const source = createImage(image.bytes);
  const bytes = await source.resize(width, height).webp({ quality: VARIANT_QUALITY }).bytes();
  return { width, height, bytes: new Uint8Array(bytes) };
}

/** The copy of a stored picture for messages, as wide as `LETTER_PICTURE_WIDTH_PX` at most. Call it in a decode turn. */
export async function createLetterCopy(
  bytes: Uint8Array<ArrayBuffer>,
  { width, height, tone }: LetterSize,
) {
  const image = createImage(bytes);
  if (width > LETTER_PICTURE_WIDTH_PX)
    image.resize(
      LETTER_PICTURE_WIDTH_PX,
      Math.max(1, Math.round((height * LETTER_PICTURE_WIDTH_PX) / width)),
    );
  const encoded = tone ? image.png() : image.jpeg({ quality: LETTER_QUALITY });
  return new Uint8Array(await encoded.bytes());
}

type LetterSize = Pick<Item<"uploads">, "width" | "height" | "tone">;

const LETTER_QUALITY = 85;

/** Stores a picture and its copies, and returns the name it got. */
type StoreFiles = (image: AcceptedImage, variants: ImageVariant[]) => Promise<string>;

/** Accepts a picture and stores its files. Throws what `acceptImage` and `store` throw. */
export async function acceptUpload(
  bytes: Uint8Array,
  originalName: string | undefined,
  createdAt: string,
  store: StoreFiles,
): Promise<Item<"uploads">> {
  const image = await acceptImage(bytes);
  const variants = await createVariants(image);
  const filename = await store(image, variants);
  return {
    id: Bun.randomUUIDv7(),
    filename,
    originalName: cleanFileName(originalName),
    mimetype: image.mimetype,
    size: image.bytes.length,
    createdAt,
    url: `/uploads/${filename}`,
    width: image.width,
    height: image.height,
    widths: variants.map(({ width }) => width),
    placeholder: image.placeholder,
    tone: image.tone,
    light: image.light,
    checksum: computeChecksum([image.bytes, ...variants.map(({ bytes: each }) => each)]),
    alt: "",
    decorative: false,
    // A transparent picture is usually a logo.
    kind: image.tone ? "logo" : "photo",
    focus: null,
    cuts: null,
  };
}

// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER_PATTERN = /[\u0000-\u001f\u007f]/g;

/**
 * The name as people saw it, without folders, invisible characters and excess length. A part with
 * `filename=""` has none: Bun then leaves out the name that the type promises.
 */
function cleanFileName(name: string | undefined): string {
  const file = (name ?? "").replace(/^.*[/\\]/, "").replace(CONTROL_CHARACTER_PATTERN, "");
  return removeInvisible(file.trim().slice(0, 200)) || "picture";
}
