/** The luminance of a color, and what is readable on it (WCAG 2.2). */
import { hexChannels, type Rgb } from "./hexColor.ts";

/** Relative luminance of red, green and blue from 0 to 255. */
export const luminanceOf = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

/** The contrast of two luminances, from 1 to 21 (WCAG 2.2, 1.4.3). */
export const contrastOfLuminances = (first: number, second: number): number =>
  (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);

const WHITE = "#FFFFFF";
const NEARLY_BLACK = "#001018";

/** White or nearly black, whichever is more readable on channels from 0 to 255. */
export function inkOn(channels: Rgb): string {
  const ground = luminanceOf(channels);
  const onWhite = contrastOfLuminances(ground, luminanceOf([255, 255, 255]));
  return onWhite > contrastOfLuminances(ground, luminanceOf([0, 16, 24])) ? WHITE : NEARLY_BLACK;
}

/** The same for a hex color; nearly black if it is invalid. */
export const inkOnHex = (color: string): string => inkOn(hexChannels(color) ?? [255, 255, 255]);
