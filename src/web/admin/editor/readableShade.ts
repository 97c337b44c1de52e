/** Finds the nearest shade of a colour that can be read on another (WCAG 2.2, 1.4.3). */
import { contrastRatio } from "../../../schema/contrast.ts";

/** The ratio below which small text is hard to read. */
export const READABLE = 4.5;

/** The first shade towards white or black that reaches 4.5:1 on `background`; both are hex colours. */
export function readableShade(colour: string, background: string): string {
  const towards = (contrastRatio(background, "#FFFFFF") ?? 0) >= READABLE ? 255 : 0;
  const channels = channelsOf(colour);
  for (let share = 0.05; share < 1; share += 0.05) {
    const shade = hexOf(channels.map((from) => from + (towards - from) * share));
    if ((contrastRatio(shade, background) ?? 0) >= READABLE) return shade;
  }
  return towards === 255 ? "#FFFFFF" : "#000000";
}

/** A hex colour in the six digits that a colour picker takes; black when it is none. */
export function sixDigits(colour: string): string {
  if (/^#[0-9a-f]{6}/i.test(colour)) return colour.slice(0, 7);
  if (!/^#[0-9a-f]{3,4}$/i.test(colour)) return "#000000";
  return `#${Array.from(colour.slice(1, 4), (digit) => digit + digit).join("")}`;
}

function channelsOf(colour: string): number[] {
  const digits = sixDigits(colour).slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

function hexOf(channels: readonly number[]): string {
  const digits = channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0"));
  return `#${digits.join("").toUpperCase()}`;
}
