/** Accepts an uploaded picture: checks and re-encodes it, and creates its smaller variants and its list item. */
import { cutText } from "../../schema/core/boundedUnicode.ts";
import pLimit from "p-limit";
import { removeInvisible } from "../../schema/core/invisibleCharacters.ts";
import type { Item } from "../../schema/index.ts";
import { MAX_UPLOAD_BYTES, FILE_TOO_LARGE_MESSAGE } from "../../schema/pictures/uploads.ts";
import { tooLarge } from "../shared/errors.ts";
import { computeLetterPictureSize } from "../../schema/pictures/letterPicture.ts";
import { computeChecksum } from "../storage/pictures/pictureIntegrity.ts";
import {
  createDamagedImageRefusal,
  createImage,
  type ImageStructure,
  type ImageType,
  type PixelSize,
  concatBytes,
  createTooManyPixelsRefusal,
} from "./imageStructure.ts";
import { convertToScreenColors } from "./cmykPicture.ts";
import { analyzePicture, type PictureAnalysis } from "./pictureAnalysis.ts";
import { readStructure } from "./readStructure.ts";
import { getErrorCode } from "../shared/errorDetails.ts";

/** A picture that was decoded and re-encoded, and is safe to serve. */
export type AcceptedImage = PictureAnalysis & {
  mimetype: ImageType;
  /** The extension of the stored file: `jpg`, `png`, `webp` or `gif`. */
  extension: string;
  /** The width in pixels after the EXIF orientation is applied. */
  width: number;
  height: number;
  bytes: Uint8Array<ArrayBuffer>;
  isAnimated: boolean;
  hasSmallerFrame: boolean;
};

/**
 * Returns a picture that is safe to serve. JPEG, PNG and WebP are decoded and re-encoded, upright and without metadata.
 * An animated WebP is reduced to its first frame, and a JPEG to at most 25 megapixels (12.5 if it has to be turned by 90
 * degrees). Of a GIF, only the frames are kept, byte for byte.
 * @throws {Refusal} `tooLarge`, `wrongType`, `createDamagedImageRefusal` or `createTooManyPixelsRefusal`.
 */
export async function acceptImage(bytes: Uint8Array): Promise<AcceptedImage> {
  if (bytes.length > MAX_UPLOAD_BYTES) throw tooLarge(FILE_TOO_LARGE_MESSAGE);
  // The bytes are copied, since the decoder reads them on another thread while the caller may reuse its buffer.
  const structure = readStructure(new Uint8Array(bytes));
  return decodeQueue(() => decodeImage(structure).catch(rethrowUndecodable));
}

/**
 * Decodes one upload at a time. A small machine has memory for only one decoded picture, and pages need processor time
 * too. Icons and pictures of shared links don't wait here, since visitors request them.
 */
export const decodeQueue = pLimit(1);

async function decodeImage(structure: ImageStructure): Promise<AcceptedImage> {
  const { mimetype, isAnimated, hasSmallerFrame = false } = structure;
  if (structure.isMissingEnd) await assertComplete(structure);
  const encoded = mimetype === "image/gif" ? structure : readStructure(await reencode(structure));
  return {
    mimetype,
    extension: mimetype === "image/jpeg" ? "jpg" : mimetype.slice("image/".length),
    width: encoded.width,
    height: encoded.height,
    bytes: encoded.cleanBytes,
    isAnimated,
    hasSmallerFrame,
    // A GIF is decoded only here, so the analysis throws if the GIF is damaged.
    ...(await analyzePicture(encoded)),
  };
}

/**
 * Throws `createDamagedImageRefusal` if a JPEG ends within its last scan, which the decoder accepts. To find out,
 * compressed data is appended: the decoder uses it only if the scan is incomplete.
 */
async function assertComplete(structure: ImageStructure): Promise<void> {
  const { cleanBytes } = structure;
  const { width, height } = computeStoredSize(structure);
  const paddedBody = concatBytes([cleanBytes.subarray(0, -2), PADDING, cleanBytes.subarray(-2)]);
  const [originalHash, paddedHash] = await Promise.all(
    [cleanBytes, paddedBody].map(async (each) =>
      Bun.hash(await createImage(each).resize(width, height).png({ compressionLevel: 1 }).bytes()),
    ),
  );
  if (originalHash !== paddedHash) throw createDamagedImageRefusal();
}

/** Compressed data for the decoder. No byte is 0xFF, which would begin a marker. */
const PADDING = Uint8Array.from(
  { length: 512 },
  (_, index) => ((index + 1) * 2_654_435_761) >>> 25,
);

/** The quality with which JPEG and lossy WebP are re-encoded, 0 to 100. */
const ORIGINAL_QUALITY = 90;

async function reencode(picture: ImageStructure): Promise<Uint8Array<ArrayBuffer>> {
  const structure = await convertToScreenColors(picture, computeStoredSize(picture));
  const { mimetype, isLossless, orientation, cleanBytes } = structure;
  const image = turnUpright(createImage(cleanBytes), orientation);
  const { width, height } = computeStoredSize(structure);
  // `resize` expects the size of the turned picture.
  if (width < structure.width && isSideways(structure)) image.resize(height, width);
  else if (width < structure.width) image.resize(width, height);
  if (mimetype === "image/jpeg") image.jpeg({ quality: ORIGINAL_QUALITY });
  else if (mimetype === "image/png") image.png();
  else image.webp(isLossless ? { lossless: isLossless } : { quality: ORIGINAL_QUALITY });
  return new Uint8Array(await image.bytes());
}

/** The maximum number of decoded pixels in memory. A pixel needs four bytes, so this many pixels need 100 MB. */
const MAX_DECODED_PIXELS = 25_000_000;
/** JavaScript needs about a second to convert this many pixels of a CMYK picture, and no page shows more. */
const MAX_CMYK_PIXELS = 4_000_000;

/**
 * Returns the size in pixels before the picture is turned. A large JPEG is scaled down by eighths, which libjpeg does
 * while it reads (`scale_num`), so the full picture is never in memory.
 */
function computeStoredSize(structure: ImageStructure): PixelSize {
  const { mimetype, width, height, cmykProfile } = structure;
  const maxPixels = cmykProfile?.length ? MAX_CMYK_PIXELS : MAX_DECODED_PIXELS;
  if (mimetype !== "image/jpeg") return { width, height };
  const computeSizeAt = (eighths: number) => ({
    width: Math.ceil((width * eighths) / 8),
    height: Math.ceil((height * eighths) / 8),
  });
  let eighths = 8;
  while (countDecodedPixels(structure, computeSizeAt(eighths)) > maxPixels) eighths -= 1;
  return computeSizeAt(eighths);
}

/** Turning a picture by 90 degrees needs two copies in memory. */
const countDecodedPixels = (structure: ImageStructure, { width, height }: PixelSize) =>
  width * height * (isSideways(structure) ? 2 : 1);

/** Whether the picture has to be turned by 90 degrees: EXIF orientations 5 to 8 swap width and height. */
const isSideways = ({ orientation }: ImageStructure) => orientation > 4;

/**
 * Turns a picture upright by its EXIF orientation, 1 to 8 (EXIF 2.32, tag 0x0112), since Bun would turn only JPEGs. Bun
 * rotates before it mirrors, whatever the order of the calls.
 */
function turnUpright(image: Bun.Image, orientation: number): Bun.Image {
  const degrees = CLOCKWISE_DEGREES[orientation];
  if (degrees) image.rotate(degrees);
  if (orientation === 2 || orientation === 5) image.flop();
  if (orientation === 4 || orientation === 7) image.flip();
  return image;
}

const CLOCKWISE_DEGREES: Readonly<Record<number, 90 | 180 | 270>> = {
  3: 180,
  5: 90,
  6: 90,
  7: 90,
  8: 270,
};

function rethrowUndecodable(error: unknown): never {
  const code = getErrorCode(error);
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw createTooManyPixelsRefusal(error);
  if (String(code).startsWith("ERR_IMAGE")) throw createDamagedImageRefusal(error);
  throw error;
}

/** A smaller copy of a picture, as WebP, for `srcset`. Width and height are in pixels. */
export type ImageVariant = { width: number; height: number; bytes: Uint8Array<ArrayBuffer> };

const VARIANT_WIDTHS_PX = [320, 640, 1280, 1920];
const MAX_VARIANT_WIDTH_PX = 1920;
/** A variant's file name contains its width, which must have two to four digits. */
const MIN_VARIANT_WIDTH_PX = 10;
const VARIANT_QUALITY = 80;

/**
 * Returns variants, narrowest first. An animation has none, since a variant would show only one frame. A GIF with a
 * smaller frame has none either, since its frame would be stretched.
 */
export async function createVariants(image: AcceptedImage): Promise<ImageVariant[]> {
  if (image.isAnimated || image.hasSmallerFrame) return [];
  return decodeQueue(async () => {
    const variants: ImageVariant[] = [];
    // Variants are created one after the other: each decodes the picture again, and memory is short.
    for (const width of listVariantWidths(image.width))
      variants.push(await createVariant(image, width));
    return variants;
  });
}

/** Returns the standard widths below the picture's width, and the picture's width if it is below 1920. */
const listVariantWidths = (originalWidth: number) => [
  ...VARIANT_WIDTHS_PX.filter((width) => width < originalWidth),
  ...(originalWidth < MAX_VARIANT_WIDTH_PX && originalWidth >= MIN_VARIANT_WIDTH_PX
    ? [originalWidth]
    : []),
];

async function createVariant(image: AcceptedImage, width: number): Promise<ImageVariant> {
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  const source = createImage(image.bytes);
  const bytes = await source.resize(width, height).webp({ quality: VARIANT_QUALITY }).bytes();
  return { width, height, bytes: new Uint8Array(bytes) };
}

/** Creates the copy of a stored picture for emails and shared links. Call this only within `decodeQueue`. */
export async function createLetterCopy(
  bytes: Uint8Array<ArrayBuffer>,
  original: Pick<Item<"uploads">, "width" | "height" | "tone">,
) {
  const image = createImage(bytes);
  const { width, height } = computeLetterPictureSize(original);
  if (width < original.width) image.resize(width, height);
  const encoded = original.tone ? image.png() : image.jpeg({ quality: LETTER_JPEG_QUALITY });
  return new Uint8Array(await encoded.bytes());
}

const LETTER_JPEG_QUALITY = 85;

/** Returns the list item of a new picture. `storeFiles` stores the files, and returns the original's file name. */
export async function acceptUpload(
  bytes: Uint8Array,
  originalName: string | undefined,
  createdAt: string,
  storeFiles: (image: AcceptedImage, variants: ImageVariant[]) => Promise<string>,
): Promise<Item<"uploads">> {
  const image = await acceptImage(bytes);
  const variants = await createVariants(image);
  const filename = await storeFiles(image, variants);
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
    // Only a transparent picture has a tone, and such a picture is usually a logo.
    kind: image.tone ? "logo" : "photo",
    focus: null,
    cuts: null,
  };
}

// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER_PATTERN = /[\u0000-\u001f\u007f]/g;

const MAX_FILE_NAME_LENGTH = 200;

/** Browsers send a quotation mark in a file's name as %22 (HTML, multipart form data). */
function cleanFileName(name: string | undefined): string {
  const cleanName = removeInvisible(
    (name ?? "")
      .replace(/^.*[/\\]/, "")
      .replaceAll("%22", '"')
      .replace(CONTROL_CHARACTER_PATTERN, "")
      .trim(),
  );
  if (cleanName.length <= MAX_FILE_NAME_LENGTH) return cleanName || "picture";
  const [extension = ""] = /\.\w{1,5}$/.exec(cleanName) ?? [];
  return cutText(cleanName, MAX_FILE_NAME_LENGTH - extension.length) + extension;
}
