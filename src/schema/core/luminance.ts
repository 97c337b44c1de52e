/** The luminance of a color, and what is readable on it (WCAG 2.2). */
import { parseHexColor, type Rgb } from "./hexColor.ts";

/** The relative luminance, from 0 to 1, of channels from 0 to 255. */
export const computeRgbLuminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linearizeChannel(red / 255) +
  0.7152 * linearizeChannel(green / 255) +
  0.0722 * linearizeChannel(blue / 255);

const linearizeChannel = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

/** The contrast of two luminances, from 1 to 21 (WCAG 2.2, 1.4.3). */
export const computeLuminanceContrast = (first: number, second: number): number =>
  (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);

const WHITE = "#FFFFFF";
const NEARLY_BLACK = "#001018";

/** White or nearly black, whichever is more readable on channels from 0 to 255. */
export function chooseTextColor(channels: Rgb): string {
  const ground = computeRgbLuminance(channels);
  const onWhite = computeLuminanceContrast(ground, computeRgbLuminance([255, 255, 255]));
  return onWhite > computeLuminanceContrast(ground, computeRgbLuminance([0, 16, 24]))
    ? WHITE
    : NEARLY_BLACK;
}

/** White or nearly black, whichever is more readable on a hex color; nearly black if the color is invalid. */
export const chooseTextColorOnHex = (color: string): string =>
  chooseTextColor(parseHexColor(color) ?? [255, 255, 255]);
