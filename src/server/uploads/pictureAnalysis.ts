/** The appearance of a whole picture: its blurred placeholder, its tone, its light. */
import type { Rgb } from "../../schema/core/hexColor.ts";
import { rgbLuminance } from "../../schema/core/luminance.ts";
import { GRID_CELLS, encodeBrightness } from "../../schema/looks/scrim.ts";
import { createImage, type ImageStructure } from "./imageStructure.ts";

type PixelSize = Pick<ImageStructure, "width" | "height">;

export interface PictureAnalysis {
  /** A blurred miniature as a data URL of a few hundred bytes. */
  readonly placeholder: string;
  /** The tone of a transparent picture; empty for all others. */
  readonly tone: TransparentTone;
  /** The darkest and lightest gray of each patch; empty for a transparent picture. */
  readonly light: string;
}

export async function analyzePicture(picture: ImageStructure): Promise<PictureAnalysis> {
  const miniature = await createMiniature(picture);
  const tone = await measureTone(miniature, picture);
  return {
    placeholder: await createPlaceholder(miniature, picture),
    tone,
    light: tone ? "" : await measureBrightness(miniature),
  };
}

/** The longer side in pixels; the shorter one is at least what the light needs. */
const MINIATURE_SIDE_PX = 192;

/** Lossless: everything is computed from it, since each analysis would otherwise decode the full picture. */
async function createMiniature({ body, width, height }: ImageStructure) {
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  const scale = Math.min(1, Math.max(MINIATURE_SIDE_PX / longer, BRIGHTNESS_SIDE_PX / shorter));
  return new Uint8Array(
    await createImage(body)
      .resize(...scaleSize({ width, height }, scale))
      .png()
      .bytes(),
  );
}

const scaleSize = ({ width, height }: PixelSize, scale: number) =>
  [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];

/** Sixteen pixels wide, as a data URL of about 200 bytes: it is part of every page's HTML. */
async function createPlaceholder(
  miniature: Uint8Array<ArrayBuffer>,
  { width, height }: ImageStructure,
) {
  const rows = Math.min(32, Math.max(1, Math.round((16 * height) / width)));
  // Bun's own placeholder lacks the color profile, which takes several kilobytes.
  const profileless = await createImage(miniature).placeholder();
  const small = Buffer.from(profileless.slice(profileless.indexOf(",") + 1), "base64");
  const tiny = await new Bun.Image(small).resize(16, rows).webp({ quality: 30 }).bytes();
  return `data:image/webp;base64,${Buffer.from(tiny).toString("base64")}`;
}

/** Whether a transparent picture, usually a logo, is dark or light; empty for others. */
type TransparentTone = "dark" | "light" | "";

/** The longer side of the analyzed picture, in pixels. */
const SAMPLE_SIDE_PX = 48;
/** The share of the area that must be transparent; rounded corners are less. */
const MIN_TRANSPARENT_SHARE = 0.1;

/** The tone of the visible part, weighted by opacity. */
async function measureTone(
  miniature: Uint8Array<ArrayBuffer>,
  size: ImageStructure,
): Promise<TransparentTone> {
  const sides = scaleSize(size, SAMPLE_SIDE_PX / Math.max(size.width, size.height));
  const spots = await readPixels(createImage(miniature).resize(...sides));
  let [opacity, light] = [0, 0];
  for (const { channels, alpha } of spots) {
    opacity += alpha;
    light += alpha * cssGray(channels);
  }
  if (opacity === 0 || opacity > (1 - MIN_TRANSPARENT_SHARE) * spots.length) return "";
  return light / opacity < 0.5 ? "dark" : "light";
}

interface Pixel {
  readonly channels: Rgb;
  /** From 0 to 1. */
  readonly alpha: number;
}

/** A picture's pixels, row by row. */
async function readPixels(image: Bun.Image): Promise<readonly Pixel[]> {
  // Loaded when first needed: it computes tables for milliseconds, and most starts add no picture.
  const { decode } = await import("fast-png");
  const { data, width, height, channels: each } = decode(await image.png().bytes());
  const isGray = each < 3;
  const hasAlpha = each % 2 === 0;
  return Array.from({ length: width * height }, (_, at) => {
    const spot = data.subarray(at * each, (at + 1) * each);
    const [red = 0, green = red, blue = red] = isGray ? spot.subarray(0, 1) : spot;
    const alpha = hasAlpha ? (spot.at(-1) ?? 255) : 255;
    return { channels: [red, green, blue], alpha: alpha / 255 };
  });
}

/** The gray, from 0 to 1, that CSS's grayscale() gives a color (Filter Effects, 6.1). */
function cssGray([red, green, blue]: Rgb): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** Pixels across and down a patch. */
const PATCH_SIDE_PX = 8;
const BRIGHTNESS_SIDE_PX = GRID_CELLS * PATCH_SIDE_PX;

/** The 10th and 90th percentile of gray in each patch of a photo, as `computeScrim` needs them. */
export async function measureBrightness(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const side = BRIGHTNESS_SIDE_PX;
  const grays = (await readPixels(createImage(bytes).resize(side, side))).map(
    ({ channels }) => 255 * luminanceGray(channels),
  );
  const tenths = Array.from({ length: GRID_CELLS * GRID_CELLS }, (_, cell) => {
    const [row, column] = [
      Math.floor(cell / GRID_CELLS) * PATCH_SIDE_PX,
      (cell % GRID_CELLS) * PATCH_SIDE_PX,
    ];
    const patch = Array.from({ length: PATCH_SIDE_PX }, (_, down) => {
      const from = (row + down) * side + column;
      return grays.slice(from, from + PATCH_SIDE_PX);
    });
    const sorted = patch.flat().toSorted((a, b) => a - b);
    const tenth = Math.floor(sorted.length / 10);
    return [sorted[tenth] ?? 0, sorted.at(-1 - tenth) ?? 0] as const;
  });
  return encodeBrightness(tenths);
}

/** The gray, from 0 to 1, with the luminance of three channels from 0 to 255 (IEC 61966-2-1). */
function luminanceGray(channels: Rgb): number {
  const light = rgbLuminance(channels);
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
}
