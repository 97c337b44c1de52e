/** Converts colors to RGB and hex, for pickers and measurements. */
import { parseColor } from "../../../schema/core/color.ts";
import type { Rgb } from "../../../schema/core/hexColor.ts";

/** Lower case, as color inputs require; black if invalid. */
export const toSixDigitHex = (color: string): string => toHex(toRgb(color)).toLowerCase();

/** From 0 to 255 each; black if invalid. */
export const toRgb = (color: string): Rgb => parseColor(color) ?? [0, 0, 0];

/** Rounds the channels. */
export function toHex(channels: readonly number[]): string {
  const digits = channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0"));
  return `#${digits.join("").toUpperCase()}`;
}
