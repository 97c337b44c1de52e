/**
 * Hex colors, their luminance, and the text color that is readable on them (WCAG 2.2). Other notations are in color.ts,
 * which visitors' pages don't load, since its list of color names is large.
 */

const HEX_COLOR_PATTERN = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** The channels of a color, from 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

export function parseHexColor(color: string): Rgb | undefined {
  if (!HEX_COLOR_PATTERN.test(color)) return undefined;
  const digits = color.slice(1);
  const fullDigits =
    digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const parseChannel = (start: number) => Number.parseInt(fullDigits.slice(start, start + 2), 16);
  return [parseChannel(0), parseChannel(2), parseChannel(4)];
}

/** Returns the relative luminance, from 0 to 1, of a color. */
export const computeRgbLuminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linearizeChannel(red / 255) +
  0.7152 * linearizeChannel(green / 255) +
  0.0722 * linearizeChannel(blue / 255);

const linearizeChannel = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

/** Converts a linear brightness, from 0 to 1, to a channel from 0 to 255 (IEC 61966-2-1). */
export function encodeChannel(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
}

/** The contrast of two luminances, from 1 to 21 (WCAG 2.2, 1.4.3). */
export const computeLuminanceContrast = (first: number, second: number): number =>
  (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);

const WHITE = "#FFFFFF";
const NEARLY_BLACK = "#001018";

/** Returns white or nearly black, whichever is more readable on a color. */
export function chooseTextColor(channels: Rgb): string {
  const backgroundLuminance = computeRgbLuminance(channels);
  const onWhite = computeLuminanceContrast(
    backgroundLuminance,
    computeRgbLuminance([255, 255, 255]),
  );
  return onWhite > computeLuminanceContrast(backgroundLuminance, computeRgbLuminance([0, 16, 24]))
    ? WHITE
    : NEARLY_BLACK;
}

export const chooseTextColorOnHex = (color: string): string =>
  chooseTextColor(parseHexColor(color) ?? [255, 255, 255]);
