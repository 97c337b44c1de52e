/** Works out how a local font has to be stretched to take as much room as one of the families. */
import type { FallbackFace } from "../server/pages/fonts/fontCatalogue.ts";
import { ARIAL, ARIAL_BOLD, type LocalFont, TIMES, TIMES_BOLD } from "./localFonts.ts";
import type { OpenedFont } from "./openFont.ts";

const SERIFS = ["Playfair Display", "Merriweather", "Lora"];
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** How often each letter comes in a hundred letters of English prose, and a space with them. */
const FREQUENCIES = [
  8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2, 6.1, 7, 0.2, 0.8, 4, 2.4, 6.7, 7.5, 1.9, 0.1, 6, 6.3, 9.1, 2.8,
  1, 2.4, 0.2, 2, 0.1,
];
const SPACES = 20;

type Stand = { local: LocalFont; weights: [number, number]; measuredAt: number };

/**
 * The stand-ins of a family: one for text and one for bold text. `fonts` are the family's latin
 * files, each with the range of weights it serves.
 */
export function fallbacksFor(family: string, fonts: OpenedFont[]): FallbackFace[] {
  const [regular, bold] = SERIFS.includes(family) ? [TIMES, TIMES_BOLD] : [ARIAL, ARIAL_BOLD];
  const stands: Stand[] = [
    { local: regular, weights: [100, 500], measuredAt: 400 },
    { local: bold, weights: [600, 900], measuredAt: 700 },
  ];
  return stands.map((stand) => fallbackFace(nearest(fonts, stand.measuredAt), stand));
}

function fallbackFace(font: OpenedFont, { local, weights, measuredAt }: Stand): FallbackFace {
  const sizeAdjust = widthRatio(font, local, measuredAt);
  return {
    local: local.names,
    weights,
    sizeAdjust,
    ascent: font.ascent / sizeAdjust,
    descent: font.descent / sizeAdjust,
    lineGap: font.lineGap / sizeAdjust,
  };
}

/** A family that knows capitals only is compared as capitals: its texts are mostly written so. */
function widthRatio(font: OpenedFont, local: LocalFont, weight: number): number {
  const hasCapitalsOnly = [..."aegn"].every(
    (letter) => font.advance(letter, weight) === font.advance(letter.toUpperCase(), weight),
  );
  const letters = hasCapitalsOnly ? LETTERS.toUpperCase() : LETTERS;
  const widths = hasCapitalsOnly ? local.upper : local.lower;
  const own = weighted([...letters].map((letter) => font.advance(letter, weight)));
  const ownSpace = font.advance(" ", weight) * SPACES;
  const others = weighted(widths.map((width) => width / 1000));
  return (own + ownSpace) / (others + (local.space / 1000) * SPACES);
}

function weighted(widths: number[]): number {
  return widths.reduce((sum, width, index) => sum + width * FREQUENCIES[index]!, 0);
}

function nearest(fonts: OpenedFont[], weight: number): OpenedFont {
  const byDistance = fonts.toSorted((a, b) => distance(a, weight) - distance(b, weight));
  if (!byDistance[0]) throw new Error("The family has no latin file.");
  return byDistance[0];
}

function distance({ weightRange = [400, 400] }: OpenedFont, weight: number): number {
  return Math.max(weightRange[0] - weight, 0, weight - weightRange[1]);
}
