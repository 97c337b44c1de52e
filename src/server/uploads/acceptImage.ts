/** Takes a picture from outside: decides by its content, and hands back clean bytes. */
import { MAX_UPLOAD_BYTES } from "../../schema/uploads.ts";
import { inDecodeSlot } from "./decodeQueue.ts";
import { MAX_IMAGE_PIXELS } from "./imageLimits.ts";
import { ImageRefused } from "./imageRefused.ts";
import type { ImageStructure, ImageType } from "./imageStructure.ts";
import { readStructure } from "./readStructure.ts";
import { type Tone, toneOf } from "./toneOf.ts";
import { turnUpright } from "./turnUpright.ts";

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
export type AcceptedImage = {
  mimetype: ImageType;
  extension: ImageExtension;
  /** Pixels, upright. */
  width: number;
  height: number;
  bytes: Uint8Array<ArrayBuffer>;
  animated: boolean;
  /** A blurred miniature as a data URL of some hundred bytes. */
  placeholder: string;
  /** How a see-through picture is drawn; empty for all others. */
  tone: Tone;
};

const QUALITY = 90;

/**
 * Checks a picture by its content (spec §5, design.md §7) and writes it anew without metadata.
 * JPEG, PNG and still WebP are decoded and encoded again, upright, in their own format; a GIF and
 * an animated WebP keep their frames byte for byte and lose everything else.
 * @throws {ImageRefused} `too_large`, `wrong_type`, `damaged` or `too_many_pixels`.
 */
export async function acceptImage(bytes: Uint8Array): Promise<AcceptedImage> {
  if (bytes.length > MAX_UPLOAD_BYTES) throw new ImageRefused("too_large");
  // A copy of our own: the decoder works on another thread while the caller may reuse its buffer.
  const structure = readStructure(new Uint8Array(bytes));
  return inDecodeSlot(() => decoded(structure).catch(refuseUndecodable));
}

async function decoded(structure: ImageStructure): Promise<AcceptedImage> {
  const { mimetype, animated } = structure;
  const isKept = animated || mimetype === "image/gif";
  const clean = isKept ? structure : readStructure(await encodedAgain(structure));
  // Decodes in full as well: for what is kept it is the proof that it can be decoded.
  const placeholder = await placeholderOf(clean);
  return {
    mimetype,
    extension: EXTENSIONS[mimetype],
    width: clean.width,
    height: clean.height,
    bytes: clean.body,
    animated,
    placeholder,
    tone: await toneOf(imageOf(clean.still), clean),
  };
}

/** Sixteen pixels across, as a data address of about 200 bytes: it rides in the HTML of every page. */
async function placeholderOf({ still, width, height }: ImageStructure): Promise<string> {
  const rows = Math.min(32, Math.max(1, Math.round((16 * height) / width)));
  // By way of Bun's own placeholder, which is without the colour profile of several kilobytes.
  const profileless = await imageOf(still).placeholder();
  const small = Buffer.from(profileless.slice(profileless.indexOf(",") + 1), "base64");
  const tiny = await new Bun.Image(small).resize(16, rows).webp({ quality: 30 }).bytes();
  return `data:image/webp;base64,${Buffer.from(tiny).toString("base64")}`;
}

async function encodedAgain(structure: ImageStructure): Promise<Uint8Array<ArrayBuffer>> {
  const { mimetype, lossless, orientation, still } = structure;
  const image = turnUpright(imageOf(still), orientation);
  if (mimetype === "image/jpeg") image.jpeg({ quality: QUALITY });
  else if (mimetype === "image/png") image.png();
  else image.webp(lossless ? { lossless } : { quality: QUALITY });
  return new Uint8Array(await image.bytes());
}

function imageOf(bytes: Uint8Array<ArrayBuffer>): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_IMAGE_PIXELS, autoOrient: false });
}

function refuseUndecodable(error: unknown): never {
  const code = (error as { code?: unknown }).code;
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw new ImageRefused("too_many_pixels", error);
  if (String(code).startsWith("ERR_IMAGE")) throw new ImageRefused("damaged", error);
  throw error;
}
