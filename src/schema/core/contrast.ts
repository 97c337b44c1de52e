/** The contrast of one color on another, in any notation that owners may use (WCAG 2.2). */
import { parseColor } from "./color.ts";
import { chooseTextColor, computeRgbLuminance, computeLuminanceContrast } from "./luminance.ts";

/** Below this ratio small text is hard to read (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5;

/** The contrast of two colors from 1 to 21 (WCAG 2.2, 1.4.3); undefined if one is invalid. */
export function computeContrastRatio(first: string, second: string): number | undefined {
  const [a, b] = [computeLuminance(first), computeLuminance(second)];
  return a === undefined || b === undefined ? undefined : computeLuminanceContrast(a, b);
}

/** Rounded down, so a ratio that is too low never reads 4.5:1. */
export const formatContrastRatio = (ratio: number): string =>
  `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;

/** White or nearly black, whichever is more readable on the background; nearly black on an invalid color. */
export const chooseReadableTextColor = (background: string): string =>
  chooseTextColor(parseColor(background) ?? [255, 255, 255]);

/** The relative luminance of a color; undefined if it is invalid. */
export function computeLuminance(color: string): number | undefined {
  const channels = parseColor(color);
  return channels && computeRgbLuminance(channels);
}
