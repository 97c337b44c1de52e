/** The smaller copies of a picture. */
import type { AcceptedImage } from "./acceptImage.ts";
import { inDecodeTurn } from "./decodeTurn.ts";
import { imageOf } from "./imageStructure.ts";

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
