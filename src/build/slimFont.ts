/** Takes out of a font file what no page of ours can show: every kilobyte of it delays the first words. */
import subsetFont from "subset-font";

/**
 * What browsers apply unasked (CSS Fonts 4 §7), and the figures that our style sheets ask for. Not
 * `calt`: in Latin type it is for niceties such as an arrow for "->", and a tenth of Inter's weight.
 */
const FEATURES = [
  "ccmp",
  "clig",
  "kern",
  "liga",
  "lnum",
  "locl",
  "mark",
  "mkmk",
  "rclt",
  "rlig",
  "tnum",
];

/** Set large only, where a hint for the grid of small sizes changes nothing. */
const DISPLAY_FAMILIES = ["Bebas Neue"];

/**
 * The WOFF2 file of a family without the features that no style sheet asks for and their glyphs;
 * `unicodeRange` (as in CSS) are the characters it is declared for.
 */
export function slimFont(
  family: string,
  file: Uint8Array,
  unicodeRange: string,
): Promise<Uint8Array> {
  return subsetFont(Buffer.from(file), charactersOf(unicodeRange), {
    targetFormat: "woff2",
    keepFeatures: FEATURES,
    noHinting: DISPLAY_FAMILIES.includes(family),
  });
}

/** Every character of a CSS unicode-range without wildcards, as one string. */
function charactersOf(unicodeRange: string): string {
  return unicodeRange
    .split(",")
    .flatMap((part) => {
      const [first, last = first] = part
        .trim()
        .slice("U+".length)
        .split("-")
        .map((hex) => Number.parseInt(hex, 16)) as [number, number?];
      return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
    })
    .join("");
}
