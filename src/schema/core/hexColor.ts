/** Parses hex colors. Other notations are parsed in color.ts, whose color names are too large for visitors' pages. */

const HEX_COLOR_PATTERN = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Channels from 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The channels of a hex color; undefined if it is invalid. */
export function parseHexColor(color: string): Rgb | undefined {
  if (!HEX_COLOR_PATTERN.test(color)) return undefined;
  const digits = color.slice(1);
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}
