/** Reads a web font's metrics, and calculates the scale at which a local font is as wide as the web font. */
import { convert, detectFormat } from "fontverter";
import { Blob, Face, Font, Variation } from "harfbuzzjs";
import { assertDefined } from "../schema/core/assertDefined.ts";
import type { FallbackFace } from "../server/pages/fontCatalog.ts";

/** Metrics as fractions of the font size: 0.5 is half an em. */
type OpenedFont = {
  ascent: number;
  descent: number;
  lineGap: number;
  /** The lightest and the heaviest weight; undefined for a static font. */
  weights?: [number, number];
  /** Returns a letter's advance width at a weight. Throws if the font lacks the letter. */
  measureAdvance(letter: string, weight: number): number;
};

/** Opens a WOFF2 file; `label` names the font in errors. Rejects other formats, and fonts that vary in more than weight. */
export async function openFont(bytes: Uint8Array, label = "The font"): Promise<OpenedFont> {
  const file = Buffer.from(bytes);
  if (detectFormat(file) !== "woff2") throw new Error(`${label} isn't a WOFF2 file.`);
  const font = await readFont(file);
  const { wght: weights, ...otherAxes } = font.face.getAxisInfos();
  if (Object.keys(otherAxes).length > 0)
    throw new Error(`${label} has variable axes besides its weight.`);
  const { ascender, descender, lineGap } = font.hExtents();
  const em = font.face.upem;
  return {
    ascent: ascender / em,
    descent: -descender / em,
    lineGap: lineGap / em,
    ...(weights && { weights: [weights.min, weights.max] }),
    measureAdvance(letter, weight) {
      const codePoint = letter.codePointAt(0);
      const glyph = codePoint === undefined ? undefined : font.nominalGlyph(codePoint);
      if (glyph === undefined) throw new Error(`${label} has no glyph for "${letter}".`);
      font.setVariations([new Variation("wght", weight)]);
      return font.glyphHAdvance(glyph) / em;
    },
  };
}

/** Reads the first face of a WOFF2 file. */
export async function readFont(file: Buffer): Promise<Font> {
  return new Font(new Face(new Blob(await convert(file, "sfnt", "woff2"))));
}

const SERIF_FAMILIES = ["Playfair Display", "Merriweather", "Lora"];
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** Letter frequencies of English prose, in percent, and the number of spaces per hundred letters. */
const LETTER_FREQUENCIES_PERCENT = [
  8.2, 1.5, 2.8, 4.3, 12.7, 2.2, 2, 6.1, 7, 0.2, 0.8, 4, 2.4, 6.7, 7.5, 1.9, 0.1, 6, 6.3, 9.1, 2.8,
  1, 2.4, 0.2, 2, 0.1,
];
const SPACES_PER_100_LETTERS = 20;

/** Capitals are measured separately, since a font can have narrow capitals and wide lowercase letters. */
const CAPITALS_RANGE = "U+41-5A,U+C0-DE";
const OTHER_CHARACTERS_RANGE = "U+0-40,U+5B-BF,U+DF-10FFFF";

type FallbackSource = { local: LocalFont; weights: [number, number]; measuredWeight: number };

export type WeightedFont = Required<OpenedFont>;

/** Returns the local fonts to show until the family has loaded, scaled to its width. `fonts` are its latin files. */
export function createFallbackFaces(family: string, fonts: WeightedFont[]): FallbackFace[] {
  const [regular, bold] = SERIF_FAMILIES.includes(family)
    ? [TIMES, TIMES_BOLD]
    : [ARIAL, ARIAL_BOLD];
  const sources: FallbackSource[] = [
    { local: regular, weights: [100, 500], measuredWeight: 400 },
    { local: bold, weights: [600, 900], measuredWeight: 700 },
  ];
  return sources.flatMap((source) => {
    const font = findNearestFont(fonts, source.measuredWeight);
    return [
      createFallbackFace(font, source, computeTextRatio(font, source), OTHER_CHARACTERS_RANGE),
      createFallbackFace(font, source, computeCapitalsRatio(font, source), CAPITALS_RANGE),
    ];
  });
}

function createFallbackFace(
  font: OpenedFont,
  { local, weights }: FallbackSource,
  sizeAdjust: number,
  unicodeRange: string,
): FallbackFace {
  return {
    local: local.names,
    weights,
    unicodeRange,
    sizeAdjust,
    // Browsers multiply these metrics by `sizeAdjust`. The division keeps the web font's line height.
    ascent: font.ascent / sizeAdjust,
    descent: font.descent / sizeAdjust,
    lineGap: font.lineGap / sizeAdjust,
  };
}

function computeTextRatio(font: OpenedFont, { local, measuredWeight }: FallbackSource): number {
  const fontWidth = computeWeightedSum(
    [...LETTERS].map((letter) => font.measureAdvance(letter, measuredWeight)),
  );
  const fontSpaces = SPACES_PER_100_LETTERS * font.measureAdvance(" ", measuredWeight);
  const localWidth = computeWeightedSum(local.lower) + SPACES_PER_100_LETTERS * local.space;
  return ((fontWidth + fontSpaces) * 1000) / localWidth;
}

function computeCapitalsRatio(font: OpenedFont, { local, measuredWeight }: FallbackSource): number {
  const capitals = [...LETTERS.toUpperCase()];
  const fontWidth = computeWeightedSum(
    capitals.map((letter) => font.measureAdvance(letter, measuredWeight)),
  );
  return (fontWidth * 1000) / computeWeightedSum(local.upper);
}

function computeWeightedSum(widths: number[]): number {
  return widths.reduce(
    (sum, width, index) => sum + width * (LETTER_FREQUENCIES_PERCENT[index] ?? 0),
    0,
  );
}

export function findNearestFont<F extends { weights: readonly [number, number] }>(
  fonts: readonly F[],
  weight: number,
): F {
  const computeDistance = ({ weights: [min, max] }: F) => Math.max(min - weight, weight - max, 0);
  const [nearest] = fonts.toSorted((a, b) => computeDistance(a) - computeDistance(b));
  return assertDefined(nearest, "latin file of the family");
}

// The widths of a to z and A to Z, in thousandths of an em, from Adobe's font metrics for the core 14. Nearly every
// machine has a font with these widths: Helvetica, Arial and Liberation Sans are equally wide, as are Times, Times New
// Roman and Liberation Serif.

type LocalFont = { names: string[]; lower: number[]; upper: number[]; space: number };

/** Sans serif, for weights up to 500. */
const ARIAL: LocalFont = {
  names: ["Arial", "ArialMT", "Liberation Sans", "Helvetica", "Roboto"],
  lower: parseWidths(
    "556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500",
  ),
  upper: parseWidths(
    "667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611",
  ),
  space: 278,
};

/** Sans serif, for weights from 600. */
const ARIAL_BOLD: LocalFont = {
  names: [
    "Arial Bold",
    "Arial-BoldMT",
    "Liberation Sans Bold",
    "LiberationSans-Bold",
    "Helvetica Bold",
    "Helvetica-Bold",
    "Roboto Bold",
    "Roboto-Bold",
  ],
  lower: parseWidths(
    "556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500",
  ),
  upper: parseWidths(
    "722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611",
  ),
  space: 278,
};

/** Serif, for weights up to 500. */
const TIMES: LocalFont = {
  names: ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif", "Times", "Noto Serif"],
  lower: parseWidths(
    "444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444",
  ),
  upper: parseWidths(
    "722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611",
  ),
  space: 250,
};

/** Serif, for weights from 600. */
const TIMES_BOLD: LocalFont = {
  names: [
    "Times New Roman Bold",
    "TimesNewRomanPS-BoldMT",
    "Liberation Serif Bold",
    "LiberationSerif-Bold",
    "Times Bold",
    "Times-Bold",
    "Noto Serif Bold",
    "NotoSerif-Bold",
  ],
  lower: parseWidths(
    "500 556 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556 444 389 333 556 500 722 500 500 444",
  ),
  upper: parseWidths(
    "722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 722 556 667 722 722 1000 722 722 667",
  ),
  space: 250,
};

function parseWidths(row: string): number[] {
  return row.split(" ").map(Number);
}
