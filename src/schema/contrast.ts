/** How well one color can be read on another, in any notation that owners may write (WCAG 2.2). */
import { colorChannels } from "./color.ts";
import { inkOn, luminanceOf, ratioOf } from "./luminance.ts";

/** The ratio below which small text is hard to read (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5;

/** Contrast of two colors from 1 to 21 (WCAG 2.2, 1.4.3), or undefined when one is none. */
export function contrastRatio(first: string, second: string): number | undefined {
  const [a, b] = [luminance(first), luminance(second)];
  return a === undefined || b === undefined ? undefined : ratioOf(a, b);
}

/** White or nearly black, whichever reads better on a background; the latter when that is no color. */
export const readableOn = (background: string): string =>
  inkOn(colorChannels(background) ?? [255, 255, 255]);

/** Relative luminance of a color; undefined when it is none. */
export function luminance(color: string): number | undefined {
  const channels = colorChannels(color);
  return channels && luminanceOf(channels);
}
