/** Converts colors to RGB and hex, for pickers and measurements. */
import { requireRgb } from "../../../schema/core/color.ts";

/** Lower case, as color inputs require; black if invalid. */
export const toSixDigitHex = (color: string): string => toHex(requireRgb(color)).toLowerCase();

/** Rounds the channels. */
export function toHex(channels: readonly number[]): string {
  const digits = channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0"));
  return `#${digits.join("").toUpperCase()}`;
}
