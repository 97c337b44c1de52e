/**
 * The measures of the fonts that nearly every machine has: Arial's letters are as wide as
 * Helvetica's and Times New Roman's as wide as Times', and so are those of the Liberation fonts.
 * Widths of a to z and A to Z in thousandths of an em, after Adobe's font metrics for the core 14.
 */

/** A local font in one weight. */
export type LocalFont = { names: string[]; lower: number[]; upper: number[]; space: number };

/** Sans serif, for weights up to 500. */
export const ARIAL: LocalFont = {
  names: ["Arial", "ArialMT", "Liberation Sans", "Helvetica", "Roboto"],
  lower: widths(
    "556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500",
  ),
  upper: widths(
    "667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611",
  ),
  space: 278,
};

/** Sans serif, for weights from 600. */
export const ARIAL_BOLD: LocalFont = {
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
  lower: widths(
    "556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500",
  ),
  upper: widths(
    "722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611",
  ),
  space: 278,
};

/** Serif, for weights up to 500. */
export const TIMES: LocalFont = {
  names: ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif", "Times", "Noto Serif"],
  lower: widths(
    "444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444",
  ),
  upper: widths(
    "722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611",
  ),
  space: 250,
};

/** Serif, for weights from 600. */
export const TIMES_BOLD: LocalFont = {
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
  lower: widths(
    "500 556 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556 444 389 333 556 500 722 500 500 444",
  ),
  upper: widths(
    "722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 722 556 667 722 722 1000 722 722 667",
  ),
  space: 250,
};

function widths(row: string): number[] {
  return row.split(" ").map(Number);
}
