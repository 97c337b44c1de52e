/** Takes a picture from outside: decides by its content, and hands back clean bytes. */
import { inflateSync } from "node:zlib";
import { MAX_UPLOAD_BYTES } from "../../schema/uploads.ts";
import {
  ImageRefused,
  type ImageStructure,
  type ImageType,
  joined,
  MAX_IMAGE_PIXELS,
} from "./imageStructure.ts";
import { chunksOf, readStructure } from "./readStructure.ts";

// Lets two pictures be decoded at a time: 50 megapixels take 200 MB while they are in memory.

const SLOTS = 2;
let busy = 0;
const waiting: (() => void)[] = [];

/** Runs the work as soon as a slot is free, first come first served, and answers what it answers. */
export async function inDecodeSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (busy < SLOTS) busy++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // A waiter takes the slot over, so that nobody slips in between.
    if (next) next();
    else busy--;
  }
}

// Reads the pixels of a small picture, which the decoder itself hands out encoded only.

/** Red, green, blue and opacity, a byte each: what the decoder writes of every picture. */
const CHANNELS = 4;

/** A picture's pixels, row by row: four bytes each, opacity last. Meant for miniatures. */
export async function pixelsOf(image: Bun.Image, width: number): Promise<Uint8Array> {
  const rows = inflateSync(compressedRows(await image.png().bytes()));
  const stride = width * CHANNELS;
  const pixels = new Uint8Array((rows.length / (stride + 1)) * stride);
  for (let at = 0, from = 0; at < pixels.length; at += stride, from += stride + 1)
    unfilter(pixels, at, stride, rows[from]!, rows.subarray(from + 1, from + 1 + stride));
  return pixels;
}

function compressedRows(png: Uint8Array): Uint8Array {
  const rows = chunksOf(png).filter(({ type }) => type === "IDAT");
  return joined(rows.map(({ data }) => data));
}

/** Adds to each byte of a row what its filter foretold from the neighbours (PNG specification §9). */
function unfilter(
  to: Uint8Array,
  at: number,
  stride: number,
  filter: number,
  row: Uint8Array,
): void {
  for (let x = 0; x < stride; x++) {
    const left = x < CHANNELS ? 0 : to[at + x - CHANNELS]!;
    const above = at === 0 ? 0 : to[at + x - stride]!;
    const corner = at === 0 || x < CHANNELS ? 0 : to[at + x - stride - CHANNELS]!;
    to[at + x] = row[x]! + foretold(filter, left, above, corner);
  }
}

function foretold(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? paeth(left, above, corner) : 0;
}

function paeth(left: number, above: number, corner: number): number {
  const near = (value: number) => Math.abs(left + above - corner - value);
  if (near(left) <= near(above) && near(left) <= near(corner)) return left;
  return near(above) <= near(corner) ? above : corner;
}

// Finds out whether a see-through picture, a logo most of the time, is drawn dark or light.

/** Empty when next to nothing shows through. */
type Tone = "dark" | "light" | "";

/** The miniature's longer side, in pixels. */
const SIDE = 48;
/** The share of the area that must show through; corners that were rounded are less. */
const SEE_THROUGH = 0.1;

/** The tone of what is drawn, each spot weighed by its opacity. */
async function toneOf(
  image: Bun.Image,
  { width, height }: { width: number; height: number },
): Promise<Tone> {
  const scale = SIDE / Math.max(width, height);
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
  const pixels = await pixelsOf(image.resize(columns!, rows!), columns!);
  let [opacity, light] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3]! / 255;
    opacity += alpha;
    light += alpha * greyOf(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!);
  }
  if (opacity === 0 || opacity > (1 - SEE_THROUGH) * (pixels.length / 4)) return "";
  return light / opacity < 0.5 ? "dark" : "light";
}

/** The grey from 0 to 1 that CSS's grayscale() makes of a colour (Filter Effects §6.1). */
function greyOf(red: number, green: number, blue: number): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

// Turns a picture the way its camera was held (EXIF 2.32, tag 0x0112).

/**
 * Adds what an orientation of 1 to 8 asks for; the decoder would do it for JPEG alone.
 * It turns first and mirrors then, whatever the order of the calls.
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

// Makes the smaller WebP copies that pages offer in `srcset` (design.md §7).

/** A copy of a picture as WebP; sizes in pixels. */
export type ImageVariant = { width: number; height: number; bytes: Uint8Array<ArrayBuffer> };

const WIDTHS = [320, 640, 1280, 1920];
const WIDEST = 1920;
/** A name holds two to four digits of width; what is narrower needs no copy. */
const NARROWEST = 10;
const VARIANT_QUALITY = 80;

/** The widths a picture is offered at: those below its own, and its own when that is below 1920. */
function variantWidths(originalWidth: number): number[] {
  const narrower = WIDTHS.filter((width) => width < originalWidth);
  const own = originalWidth < WIDEST && originalWidth >= NARROWEST ? [originalWidth] : [];
  return [...narrower, ...own];
}

/** WebP copies, narrowest first; none of an animation, which would stand still. */
export async function makeVariants(image: AcceptedImage): Promise<ImageVariant[]> {
  if (image.animated) return [];
  return inDecodeSlot(async () => {
    const variants: ImageVariant[] = [];
    // One after another: each decodes the picture again, and this is one slot.
    for (const width of variantWidths(image.width)) variants.push(await variantOf(image, width));
    return variants;
  });
}

async function variantOf(image: AcceptedImage, width: number): Promise<ImageVariant> {
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  const source = new Bun.Image(image.bytes, { maxPixels: MAX_IMAGE_PIXELS });
  const bytes = await source.resize(width, height).webp({ quality: VARIANT_QUALITY }).bytes();
  return { width, height, bytes: new Uint8Array(bytes) };
}
