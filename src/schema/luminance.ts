/** How light a color is, and what can be read on it, from its numbers (WCAG 2.2). */
import { hexChannels } from "./hexColor.ts";

/** Relative luminance of red, green and blue from 0 to 255. */
export function luminanceOf(channels: readonly number[]): number {
  const parts = channels.map((channel) => channel / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** Contrast of two luminances, from 1 to 21 (WCAG 2.2, 1.4.3). */
export const ratioOf = (first: number, second: number): number =>
  (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);

const WHITE = "#FFFFFF";
const NEARLY_BLACK = "#001018";

/** White or nearly black, whichever reads better on red, green and blue from 0 to 255. */
export function inkOn(channels: readonly number[]): string {
  const ground = luminanceOf(channels);
  const [white, black] = [WHITE, NEARLY_BLACK].map((ink) =>
    ratioOf(ground, luminanceOf(hexChannels(ink)!)),
  );
  return white! > black! ? WHITE : NEARLY_BLACK;
}

/** The same for a hex color; nearly black when it is none. */
export const inkOnHex = (color: string): string => inkOn(hexChannels(color) ?? [255, 255, 255]);
