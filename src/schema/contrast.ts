/** How well one color can be read on another (WCAG 2.2). */

const WHITE = "#FFFFFF";
const NEARLY_BLACK = "#001018";
const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** The ratio below which small text is hard to read (WCAG 2.2, 1.4.3). */
export const READABLE = 4.5;

/**
 * Contrast of two hex colors from 1 to 21 (WCAG 2.2, 1.4.3), or undefined when one is not hex.
 */
export function contrastRatio(first: string, second: string): number | undefined {
  const a = luminance(first);
  const b = luminance(second);
  if (a === undefined || b === undefined) return undefined;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** White or nearly black, whichever reads better on a background; the latter when that is no hex. */
export function readableOn(background: string): string {
  const white = contrastRatio(background, WHITE);
  const black = contrastRatio(background, NEARLY_BLACK);
  return white !== undefined && black !== undefined && white > black ? WHITE : NEARLY_BLACK;
}

/** Relative luminance of a hex color, or of red, green and blue from 0 to 1; undefined when it is not hex. */
export function luminance(color: string | readonly number[]): number | undefined {
  const channels = typeof color === "string" ? hexChannels(color) : color;
  if (!channels) return undefined;
  const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** Red, green and blue of a hex color, from 0 to 1. */
export function hexChannels(color: string): number[] | undefined {
  if (!HEX.test(color)) return undefined;
  const digits = color.slice(1);
  const long = digits.length < 6 ? [...digits].map((d) => d + d).join("") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255);
}
