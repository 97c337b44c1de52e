/** Computes a picture's blurred placeholder, its tone and its brightness. */
import { type Rgb, computeRgbLuminance, encodeChannel } from "../../schema/core/hexColor.ts";
import { GRID_CELLS_PER_SIDE, encodeBrightness } from "../../schema/looks/scrim.ts";
import { createImage, type ImageStructure, type PixelSize } from "./imageStructure.ts";

export interface PictureAnalysis {
  /** A blurred miniature as a data URL of a few hundred bytes. */
  readonly placeholder: string;
  /** Whether a transparent picture is dark or light; empty for a picture that isn't transparent. */
  readonly tone: TransparentTone;
  /** The darkest and lightest gray in each cell of a grid (`encodeBrightness`); empty for a transparent picture. */
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

/** The longer side of the miniature. A miniature is larger if its shorter side would be below `BRIGHTNESS_SIDE_PX`. */
const MINIATURE_SIDE_PX = 192;

/** All values are computed from this lossless miniature, so the full picture is decoded only once. */
async function createMiniature({ cleanBytes, width, height }: ImageStructure) {
  const [longerSide, shorterSide] = [Math.max(width, height), Math.min(width, height)];
  const scale = Math.min(
    1,
    Math.max(MINIATURE_SIDE_PX / longerSide, BRIGHTNESS_SIDE_PX / shorterSide),
  );
  const image = createImage(cleanBytes).resize(...scaleSize({ width, height }, scale));
  return new Uint8Array(await image.png().bytes());
}

const scaleSize = ({ width, height }: PixelSize, scale: number) =>
  [width, height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number];

/** Creates a placeholder of about 200 bytes, since pages have it in their HTML. */
async function createPlaceholder(
  miniature: Uint8Array<ArrayBuffer>,
  { width, height }: ImageStructure,
) {
  const rows = Math.min(32, Math.max(1, Math.round((16 * height) / width)));
  // Bun's placeholder has no color profile, which could have several kilobytes.
  const placeholderUrl = await createImage(miniature).placeholder();
  const placeholderBytes = Buffer.from(
    placeholderUrl.slice(placeholderUrl.indexOf(",") + 1),
    "base64",
  );
  const webp = await new Bun.Image(placeholderBytes).resize(16, rows).webp({ quality: 30 }).bytes();
  return `data:image/webp;base64,${Buffer.from(webp).toString("base64")}`;
}

type TransparentTone = "dark" | "light" | "";

/** The longer side of the scaled picture on which the tone is measured. */
const SAMPLE_SIDE_PX = 48;
/** The transparent share from which a picture is treated as transparent. Rounded corners have a smaller share. */
const MIN_TRANSPARENT_SHARE = 0.1;

async function measureTone(miniature: Uint8Array<ArrayBuffer>, size: ImageStructure) {
  const sides = scaleSize(size, SAMPLE_SIDE_PX / Math.max(size.width, size.height));
  const pixels = await readPixels(createImage(miniature).resize(...sides));
  let [opacitySum, graySum] = [0, 0];
  for (const { channels, alpha } of pixels) {
    opacitySum += alpha;
    graySum += alpha * computeCssGray(channels);
  }
  if (opacitySum === 0 || opacitySum > (1 - MIN_TRANSPARENT_SHARE) * pixels.length) return "";
  return graySum / opacitySum < 0.5 ? "dark" : "light";
}

interface Pixel {
  readonly channels: Rgb;
  /** The opacity, from 0 to 1. */
  readonly alpha: number;
}

async function readPixels(image: Bun.Image): Promise<readonly Pixel[]> {
  // Loaded only when a picture is added. Loading takes milliseconds, and after most starts no picture is added.
  const { decode } = await import("fast-png");
  const { data, width, height, channels: channelCount } = decode(await image.png().bytes());
  const isGray = channelCount < 3;
  const hasAlpha = channelCount % 2 === 0;
  return Array.from({ length: width * height }, (_, index) => {
    const samples = data.subarray(index * channelCount, (index + 1) * channelCount);
    const [red = 0, green = red, blue = red] = isGray ? samples.subarray(0, 1) : samples;
    const alpha = hasAlpha ? (samples.at(-1) ?? 255) : 255;
    return { channels: [red, green, blue], alpha: alpha / 255 };
  });
}

/** Returns the gray, 0 to 1, to which the CSS filter `grayscale()` converts a color (Filter Effects, 6.1). */
function computeCssGray([red, green, blue]: Rgb): number {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

/** The side of a cell of the grid in pixels, after the picture is scaled to a square. */
const PATCH_SIDE_PX = 8;
const BRIGHTNESS_SIDE_PX = GRID_CELLS_PER_SIDE * PATCH_SIDE_PX;

/** Measures the 10th and 90th percentile of gray in each cell of the grid, encoded for `computeScrim`. */
export async function measureBrightness(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const side = BRIGHTNESS_SIDE_PX;
  // The grays with the same luminance as the pixels' colors.
  const grays = (await readPixels(createImage(bytes).resize(side, side))).map(({ channels }) =>
    encodeChannel(computeRgbLuminance(channels)),
  );
  const percentiles = Array.from(
    { length: GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE },
    (_, cell) => {
      const row = Math.floor(cell / GRID_CELLS_PER_SIDE) * PATCH_SIDE_PX;
      const column = (cell % GRID_CELLS_PER_SIDE) * PATCH_SIDE_PX;
      const patch = Array.from({ length: PATCH_SIDE_PX }, (_, patchRow) => {
        const start = (row + patchRow) * side + column;
        return grays.slice(start, start + PATCH_SIDE_PX);
      });
      const sortedGrays = patch.flat().toSorted((a, b) => a - b);
      const tenthIndex = Math.floor(sortedGrays.length / 10);
      return [sortedGrays[tenthIndex] ?? 0, sortedGrays.at(-1 - tenthIndex) ?? 0] as const;
    },
  );
  return encodeBrightness(percentiles);
}
