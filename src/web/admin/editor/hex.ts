/** Colors as six hex digits, for pickers and measurements. */
import { parseColor } from "../../../schema/core/color.ts";
import type { Rgb } from "../../../schema/core/hexColor.ts";

/** A color as a color picker takes it, with six digits; black if invalid. */
export const toSixDigitHex = (color: string): string => toHex(toRgb(color)).toLowerCase();

/** Red, green and blue of a color, from 0 to 255; black if invalid. */
export const toRgb = (color: string): Rgb => parseColor(color) ?? [0, 0, 0];

/** The hex color of three channels, rounded. */
export function toHex(channels: readonly number[]): string {
  const digits = channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0"));
  return `#${digits.join("").toUpperCase()}`;
}
