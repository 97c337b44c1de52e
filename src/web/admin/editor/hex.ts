/** Hex colors as numbers, for pickers and for what is measured. */

/** A hex color in the six digits that a color picker takes; black when it is none. */
export function sixDigits(color: string): string {
  if (/^#[0-9a-f]{6}/i.test(color)) return color.slice(0, 7);
  if (!/^#[0-9a-f]{3,4}$/i.test(color)) return "#000000";
  return `#${Array.from(color.slice(1, 4), (digit) => digit + digit).join("")}`;
}

/** Red, green and blue of a hex color, from 0 to 255. */
export function hexChannels(color: string): number[] {
  const digits = sixDigits(color).slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

/** The hex color of three channels, rounded. */
export function hexOf(channels: readonly number[]): string {
  const digits = channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0"));
  return `#${digits.join("").toUpperCase()}`;
}
