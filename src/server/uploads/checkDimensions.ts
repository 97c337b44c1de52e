/** Holds the dimensions that a header declares against the limits, before anything is decoded. */
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from "./imageLimits.ts";
import { ImageRefused } from "./imageRefused.ts";

/** @throws {ImageRefused} `damaged` for an empty side, `too_many_pixels` beyond the limits. */
export function checkDimensions(width: number, height: number): void {
  if (width < 1 || height < 1) throw new ImageRefused("damaged");
  if (Math.max(width, height) > MAX_IMAGE_SIDE || width * height > MAX_IMAGE_PIXELS)
    throw new ImageRefused("too_many_pixels");
}
