/**
 * The crop and the shade of a hero's photo in each layout: rules of Hero.css and HeroLayouts.css as data, from which
 * the contrast of the text is calculated.
 */
import { mixColors, parseColorOrBlack } from "../core/color.ts";
import type { Rgb } from "../core/hexColor.ts";
import type { Content } from "../index.ts";

type Styles = Content<"styles">;

export type GradientStop = readonly [position: number, color: Rgb, opacity: number];

/** The shade over the photo: the stops of a gradient from left to right, and of one from bottom to top. */
interface HeroShade {
  readonly horizontal?: readonly GradientStop[];
  readonly vertical: readonly GradientStop[];
}

/** A layout's picture: its aspect ratio, text area and shade. Positions are fractions from the top left corner. */
export interface HeroFrame {
  readonly ratio: number;
  readonly textArea: { readonly left: number; readonly right: number; readonly top: number };
  /** The width of a line in em of the title's largest font size, and the number of lines that fit into `textArea`. */
  readonly title: { readonly lineWidthEm: number; readonly lineCount: number };
  /** The top of a name with the maximum number of lines, which is one more than `lineCount`. */
  readonly longNameTop: number;
  /** The top of the line below the name; undefined if this line isn't on the photo. */
  readonly lineTop?: number;
  readonly textBottom: number;
  readonly getTextColor: (styles: Styles) => string;
  readonly getBackground: (styles: Styles) => string;
  readonly createShade: (styles: Styles, strength: number) => HeroShade;
}

const whiteOnBlack = { getTextColor: () => "#FFFFFF", getBackground: () => "#000000" };
const heroColors = {
  getTextColor: (styles: Styles) => styles.heroTextColor ?? styles.textColor,
  getBackground: (styles: Styles) => styles.heroBackgroundColor,
};
export const BLACK: Rgb = [0, 0, 0];

/** The title's lines on a wide page and on a phone. Hero.css allows one line more than `lineCount`. */
const WIDE_TITLE = { lineWidthEm: 5.7, lineCount: 1 };
const TALL_TITLE = { lineWidthEm: 2.85, lineCount: 2 };

/** The frames of each layout, measured on a wide page of 1366 by 768 pixels and a tall page of 390 by 844 pixels. */
export const HERO_FRAMES: Readonly<
  Record<Styles["heroLayout"], { readonly wide: HeroFrame; readonly tall?: HeroFrame }>
> = {
  stage: {
    wide: {
      ...heroColors,
      title: WIDE_TITLE,
      ratio: 1366 / 768,
      textArea: { left: 0.05, right: 0.95, top: 0.5 },
      longNameTop: 0.29,
      lineTop: 0.8,
      textBottom: 0.95,
      createShade: createStageShade,
    },
    tall: {
      ...heroColors,
      title: TALL_TITLE,
      ratio: 390 / 844,
      textArea: { left: 0.05, right: 0.95, top: 0.5 },
      longNameTop: 0.33,
      lineTop: 0.72,
      textBottom: 0.95,
      createShade: createStageShade,
    },
  },
  center: {
    wide: {
      ...heroColors,
      title: WIDE_TITLE,
      ratio: 1366 / 584,
      textArea: { left: 0.22, right: 0.78, top: 0.72 },
      longNameTop: 0.5,
      textBottom: 1,
      createShade: createCenterShade,
    },
    tall: {
      ...heroColors,
      title: TALL_TITLE,
      ratio: 390 / 641,
      textArea: { left: 0.05, right: 0.95, top: 0.72 },
      longNameTop: 0.52,
      textBottom: 1,
      createShade: createCenterShade,
    },
  },
  split: {
    wide: {
      ...whiteOnBlack,
      title: WIDE_TITLE,
      ratio: 765 / 768,
      textArea: { left: 0, right: 0.9, top: 0.4 },
      longNameTop: 0.18,
      textBottom: 0.72,
      createShade: (_, strength) => ({
        vertical: [
          [0.1, BLACK, 0.55 + 0.3 * strength],
          [0.42 + 0.34 * strength, BLACK, 0.4 + 0.42 * strength],
          [0.68 + 0.42 * strength, BLACK, 0],
        ],
      }),
    },
  },
  card: {
    wide: {
      ...whiteOnBlack,
      title: WIDE_TITLE,
      ratio: 1229 / 530,
      textArea: { left: 0.04, right: 0.9, top: 0.5 },
      longNameTop: 0.33,
      textBottom: 0.93,
      createShade: (_, strength) => ({
        vertical: [
          [0.04, BLACK, 0.72 + 0.14 * strength],
          [0.3, BLACK, 0.46 + 0.36 * strength],
          [0.6 + 0.4 * strength, BLACK, 0.3 * strength],
        ],
      }),
    },
  },
};

function createStageShade(
  { heroBackgroundColor, toneMiddle }: Styles,
  strength: number,
): HeroShade {
  const shade = parseColorOrBlack(heroBackgroundColor);
  const tintedShade = mixColors(shade, parseColorOrBlack(toneMiddle), 0.3 * (1 - strength));
  return {
    horizontal: [
      [0, shade, 0.72 + 0.2 * strength],
      [0.38, shade, 0.28 + 0.5 * strength],
      [0.62, shade, 0.3 * strength],
      [1, shade, 0],
    ],
    vertical: [
      [0.03, shade, 1],
      [0.25, tintedShade, 0.76 + 0.24 * strength],
      [0.52, tintedShade, 0.3 + 0.62 * strength],
      [0.74, tintedShade, 0.5 * strength],
      [1, tintedShade, 0],
    ],
  };
}

/** Converts a height on the screen to one on the picture, which covers only the upper 76% of the screen. */
const toPictureFraction = (screenFraction: number) => (screenFraction - 0.24) / 0.76;

function createCenterShade({ heroBackgroundColor }: Styles, strength: number): HeroShade {
  const shade = parseColorOrBlack(heroBackgroundColor);
  return {
    vertical: [
      [toPictureFraction(0.24 + 0.24 * strength), shade, 1],
      [toPictureFraction(0.46 + 0.38 * strength), shade, 0],
    ],
  };
}
