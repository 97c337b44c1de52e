/** How well the words of a theme can be read (WCAG 2.2, 1.4.3). */
import { contrastRatio } from "../../../../schema/contrast.ts";
import type { Item } from "../../../../schema/index.ts";
import type { PreviewCheck } from "../../editor/PreviewChecks.tsx";
import { READABLE } from "../../editor/readableShade.ts";

type Theme = Item<"styles">;

/** What is read on what: words, their colour, where they stand, its colour. */
const PAIRS: readonly [string, keyof Theme, string, keyof Theme][] = [
  ["Text", "textColor", "the background", "backgroundColor"],
  ["Primary", "primaryColor", "the background", "backgroundColor"],
  ["Accent", "accentColor", "the background", "backgroundColor"],
  ["Text", "textColor", "the hero background", "heroBackgroundColor"],
  ["Text", "textColor", "the about background", "aboutBackgroundColor"],
  ["Text", "textColor", "the section background", "sectionBackgroundColor"],
];

/** One check per pair of colours; pairs that are not hex colours are left out. */
export function readings(theme: Theme): PreviewCheck[] {
  const found = PAIRS.flatMap(([words, colour, place, background]) => {
    const ratio = contrastRatio(theme[colour], theme[background]);
    return ratio === undefined ? [] : [{ words, place, ratio }];
  });
  const hard = found.filter(({ ratio }) => ratio < READABLE);
  const least = Math.min(...found.map(({ ratio }) => ratio));
  if (hard.length === 0 && found.length > 0)
    return [{ ok: true, strong: "Everything is easy to read", figure: figureOf(least) }];
  return hard.map(({ words, place, ratio }) => ({
    ok: false,
    strong: words,
    rest: `fades into ${place}`,
    figure: figureOf(ratio),
  }));
}

function figureOf(ratio: number): string {
  return `${ratio.toFixed(1)} : 1`;
}
