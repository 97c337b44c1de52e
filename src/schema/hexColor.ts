/** Hex colors in numbers, apart from all other notations, whose names weigh more than what visitors need. */

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Red, green and blue of a hex color, from 0 to 255; undefined when it is none. */
export function hexChannels(color: string): number[] | undefined {
  if (!HEX.test(color)) return undefined;
  const digits = color.slice(1);
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(long.slice(at, at + 2), 16));
}
