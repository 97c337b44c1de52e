/** How well one color can be read on another (WCAG 2.2). */
import { colorChannels } from "./color.ts";

const WHITE = "#FFFFFF";
const NEARLY_BLACK = "#001018";

/** The ratio below which small text is hard to read (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5;

/**
 * Contrast of two colors from 1 to 21 (WCAG 2.2, 1.4.3), or undefined when one is none.
 */
export function contrastRatio(first: string, second: string): number | undefined {
  const a = luminance(first);
  const b = luminance(second);
  if (a === undefined || b === undefined) return undefined;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** White or nearly black, whichever reads better on a background; the latter when that is no color. */
export function readableOn(background: string): string {
  const white = contrastRatio(background, WHITE);
  const black = contrastRatio(background, NEARLY_BLACK);
  return white !== undefined && black !== undefined && white > black ? WHITE : NEARLY_BLACK;
}

/** Relative luminance of a color, or of its red, green and blue from 0 to 255; undefined when it is none. */
export function luminance(color: string | readonly number[]): number | undefined {
  const channels = typeof color === "string" ? colorChannels(color) : color;
  if (!channels) return undefined;
  const parts = channels.map((channel) => channel / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
