/** Takes a picture from outside: decides by its content, and hands back clean bytes and smaller copies. */
import { decode } from "fast-png";
import pLimit from "p-limit";
import { luminanceOf } from "../../schema/luminance.ts";
import { MAX_UPLOAD_BYTES, TOO_LARGE } from "../../schema/uploads.ts";
import { CELLS, writtenLight } from "../../schema/veil.ts";
import { tooLarge } from "../shared/errors.ts";
import {
  damaged,
  type ImageStructure,
  type ImageType,
  MAX_IMAGE_PIXELS,
  tooManyPixels,
} from "./imageStructure.ts";
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
  /** How dark and light it is, patch by patch; empty for what one can see through. */
  light: string;
};

const twoAtOnce = pLimit(2);
let pixelsInMemory = 0;
let released = Promise.withResolvers<void>();
const fits = (pixels: number) =>
  pixelsInMemory === 0 || pixelsInMemory + pixels <= MAX_IMAGE_PIXELS;

/**
 * Two pictures are decoded at a time, and a second one only while both together are within what a single
 * one may have: 50 megapixels take 200 MB, and as much again to be turned.
 */
export function inDecodeSlot<T>(pixels: number, work: () => Promise<T>): Promise<T> {
  return twoAtOnce(async () => {
    while (!fits(pixels)) await released.promise;
    pixelsInMemory += pixels;
    try {
      return await work();
    } finally {
      pixelsInMemory -= pixels;
      released.resolve();
      released = Promise.withResolvers();
    }
  });
}

/**
 * Checks a picture by its content and writes it again without metadata. JPEG, PNG and WebP are decoded
 * and encoded again, upright, in their own format, of an animated WebP its first frame; a GIF keeps its
 * frames byte for byte and loses everything else.
 * @throws {Refusal} `tooLarge`, `wrongType`, `damaged` or `tooManyPixels`.
 */
export async function acceptImage(bytes: Uint8Array): Promise<AcceptedImage> {
  if (bytes.length > MAX_UPLOAD_BYTES) throw tooLarge(TOO_LARGE);
  // A copy, since the decoder works on another thread while the caller may reuse its buffer.
  const structure = readStructure(new Uint8Array(bytes));
  const pixels = structure.width * structure.height;
  return inDecodeSlot(pixels, () => decoded(structure).catch(refuseUndecodable));
}

async function decoded(structure: ImageStructure): Promise<AcceptedImage> {
  const { mimetype, animated } = structure;
  const clean = mimetype === "image/gif" ? structure : readStructure(await encodedAgain(structure));
  // Decodes in full as well: for a GIF it is the proof that it can be decoded.
  const placeholder = await placeholderOf(clean);
  const tone = await toneOf(clean);
  return {
    mimetype,
    extension: EXTENSIONS[mimetype],
    width: clean.width,
    height: clean.height,
    bytes: clean.body,
    animated,
    placeholder,
    tone,
    light: tone ? "" : await lightOf(clean.body),
  };
}

const QUALITY = 90;

async function encodedAgain(structure: ImageStructure): Promise<Uint8Array<ArrayBuffer>> {
  const { mimetype, lossless, orientation, body } = structure;
  const image = turnedUpright(imageOf(body), orientation);
  if (mimetype === "image/jpeg") image.jpeg({ quality: QUALITY });
  else if (mimetype === "image/png") image.png();
  else image.webp(lossless ? { lossless } : { quality: QUALITY });
  return new Uint8Array(await image.bytes());
}

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

function imageOf(bytes: Uint8Array<ArrayBuffer>): Bun.Image {
  return new Bun.Image(bytes, { maxPixels: MAX_IMAGE_PIXELS, autoOrient: false });
}

function refuseUndecodable(error: unknown): never {
  const code = (error as { code?: unknown }).code;
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw tooManyPixels(error);
  if (String(code).startsWith("ERR_IMAGE")) throw damaged(error);
  throw error;
}

/** Sixteen pixels across, as a data address of about 200 bytes: it rides in the HTML of every page. */
async function placeholderOf({ body, width, height }: ImageStructure): Promise<string> {
  const rows = Math.min(32, Math.max(1, Math.round((16 * height) / width)));
  // By way of Bun's own placeholder, which is without the color profile of several kilobytes.
  const profileless = await imageOf(body).placeholder();
  const small = Buffer.from(profileless.slice(profileless.indexOf(",") + 1), "base64");
  const tiny = await new Bun.Image(small).resize(16, rows).webp({ quality: 30 }).bytes();
  return `data:image/webp;base64,${Buffer.from(tiny).toString("base64")}`;
}

/** Whether a see-through picture, a logo most of the time, is drawn dark or light; else empty. */
export type Tone = "dark" | "light" | "";

/** The miniature's longer side, in pixels. */
const MINIATURE = 48;
/** The share of the area that must show through; corners that were rounded are less. */
const SEE_THROUGH = 0.1;

/** The tone of what is drawn, each spot weighed by its opacity. */
async function toneOf({ body, width, height }: ImageStructure): Promise<Tone> {
  const scale = MINIATURE / Math.max(width, height);
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const { data } = decode(await imageOf(body).resize(columns!, rows!).png().bytes());
  let [opacity, light] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]! / 255;
    opacity += alpha;
    light += alpha * greyOf(data[at]!, data[at + 1]!, data[at + 2]!);
  }
  if (opacity === 0 || opacity > (1 - SEE_THROUGH) * (data.length / 4)) return "";
  return light / opacity < 0.5 ? "dark" : "light";
}

/** The grey from 0 to 1 that CSS's grayscale() makes of a color (Filter Effects, 6.1). */
function greyOf(red: number, green: number, blue: number): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** Pixels across a patch, and as many down. */
const PATCH = 8;

/**
 * How dark and light a photograph is in each of its patches, as `veilOf` wants it: the gray that a tenth of a
 * patch is darker than, and that which a tenth is lighter than.
 */
export async function lightOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const side = CELLS * PATCH;
  const { data, channels } = decode(await imageOf(bytes).resize(side, side).png().bytes());
  const patches: number[][] = Array.from({ length: CELLS * CELLS }, () => []);
  for (let at = 0; at < side * side; at += 1) {
    const [column, row] = [Math.floor((at % side) / PATCH), Math.floor(at / side / PATCH)];
    const pixel = [0, 1, 2].map((channel) => data[at * channels + channel]!);
    patches[row * CELLS + column]!.push(255 * grayAsLightAs(pixel));
  }
  const tenths = patches.map((patch) => {
    const grays = patch.toSorted((a, b) => a - b);
    const tenth = Math.floor(grays.length / 10);
    return [grays[tenth]!, grays.at(-1 - tenth)!] as const;
  });
  return writtenLight(tenths);
}

/** The gray, from 0 to 1, of the same luminance as three channels from 0 to 255 (IEC 61966-2-1). */
function grayAsLightAs(channels: readonly number[]): number {
  const light = luminanceOf(channels);
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
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
  return inDecodeSlot(image.width * image.height, async () => {
    const variants: ImageVariant[] = [];
    // One after another: each decodes the picture again, and this is one slot.
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
  const source = new Bun.Image(image.bytes, { maxPixels: MAX_IMAGE_PIXELS });
  const bytes = await source.resize(width, height).webp({ quality: VARIANT_QUALITY }).bytes();
  return { width, height, bytes: new Uint8Array(bytes) };
}
