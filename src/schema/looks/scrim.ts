/**
 * Computes the strength of the shade between a hero's photo and its text, so that the text is readable on any photo
 * (WCAG 2.2, 1.4.3). Hero.css and HeroLayouts.css draw the shade.
 */
import type { Content } from "../index.ts";
import {
  computeContrastRatio,
  computeLuminance,
  mixColors,
  parseColorOrBlack,
} from "../core/color.ts";
import { isRightToLeft } from "../core/direction.ts";
import { type Rgb, computeRgbLuminance, computeLuminanceContrast } from "../core/hexColor.ts";
import { BLACK, type HeroFrame, HERO_FRAMES, type GradientStop } from "./heroFrames.ts";
import { findCrop, type Picture, computeObjectPosition, type Scrim } from "../pictures/pictures.ts";

type Styles = Content<"styles">;

/** A photo with its measured brightness (`light` of `uploads`). */
export type MeasuredPhoto = Pick<Picture, "width" | "height" | "focus" | "cuts"> & {
  readonly light: string;
  /** The title on the photo; default: a short title. Its direction determines the side on which the shade begins. */
  readonly title?: string;
};

/** The number of columns, and of rows, of the grid in which brightness is measured. */
export const GRID_CELLS_PER_SIDE = 12;

/** The brightness of a photo: for each cell, row by row, the 10th and 90th percentile of gray, from 0 to 255. */
export type BrightnessGrid = readonly (readonly [dark: number, light: number])[];

/** Encodes each cell in only two hexadecimal digits, since the data of every upload contains the result. */
export function encodeBrightness(grid: BrightnessGrid): string {
  return grid.map(([dark, bright]) => toHexDigits(dark) + toHexDigits(bright)).join("");
}

const toHexDigits = (gray: number) => Math.round(gray / 17).toString(16);

function decodeBrightness(encoded: string): BrightnessGrid | undefined {
  if (encoded.length !== 2 * GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE) return undefined;
  const parseGray = (index: number) => 17 * Number.parseInt(encoded.charAt(index), 16);
  return Array.from({ length: GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE }, (_, cell) => [
    parseGray(2 * cell),
    parseGray(2 * cell + 1),
  ]);
}

/** The contrast that the shade must reach: above the required 4.5, since brightness is only measured per cell. */
const TARGET_CONTRAST = 4.8;
const SCRIM_STRENGTHS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Returns the least additional shade that the text needs, from 0 to 1; undefined for none or an unmeasured photo. */
export function computeScrim(photo: MeasuredPhoto, styles: Styles): Scrim | undefined {
  const grid = decodeBrightness(photo.light);
  if (!grid) return undefined;
  const computeStrengthOn = (screen: "wide" | "tall") => {
    const frame = HERO_FRAMES[styles.heroLayout][screen];
    if (!frame) return 0;
    const patches = samplePatches(frame, screen, photo, grid, styles);
    const requirements = findTextsOnPhoto(styles, frame, photo.title).map((text) => ({
      ...text,
      // Some text colors miss the target even on the full shade, so less is required of them.
      minContrast: Math.min(
        TARGET_CONTRAST,
        0.94 * (computeContrastRatio(text.color, frame.getBackground(styles)) ?? 21),
      ),
    }));
    const isReadable = (strength: number) =>
      requirements.every(
        ({ color, top, minContrast }) =>
          computeContrastPercentile(patches, color, top, frame, strength, styles) >= minContrast,
      );
    return SCRIM_STRENGTHS.find(isReadable) ?? 1;
  };
  const [wide, tall] = [computeStrengthOn("wide"), computeStrengthOn("tall")];
  return wide + tall > 0 ? { wide, tall } : undefined;
}

/** Returns the shade of a photo behind several titles: the strongest that any of them needs. */
export function computeScrimBehindTitles(
  titles: readonly string[],
  photo: MeasuredPhoto,
  styles: Styles,
): Scrim | undefined {
  const scrims = titles.flatMap((title) => computeScrim({ ...photo, title }, styles) ?? []);
  if (scrims.length === 0) return undefined;
  return {
    wide: Math.max(...scrims.map(({ wide }) => wide)),
    tall: Math.max(...scrims.map(({ tall }) => tall)),
  };
}

/** The texts on the photo: the name, and the line below the name. */
export type HeroTextKind = "name" | "line";

/**
 * Returns the contrast that nine tenths of the shaded area behind the text reach, on a computer or on a phone,
 * whichever is lower. Undefined if the text isn't on the photo, or if the photo is unmeasured.
 */
export function measureContrastOnPhoto(
  photo: MeasuredPhoto,
  styles: Styles,
  textKind: HeroTextKind = "name",
): number | undefined {
  const grid = decodeBrightness(photo.light);
  if (!grid) return undefined;
  const scrim = computeScrim(photo, styles);
  const contrasts = (["wide", "tall"] as const).flatMap((screen) => {
    const frame = HERO_FRAMES[styles.heroLayout][screen];
    const text =
      frame &&
      findTextsOnPhoto(styles, frame, photo.title).find((each) => each.textKind === textKind);
    if (!text) return [];
    const patches = samplePatches(frame, screen, photo, grid, styles);
    return [
      computeContrastPercentile(patches, text.color, text.top, frame, scrim?.[screen] ?? 0, styles),
    ];
  });
  return contrasts.length === 0 ? undefined : Math.min(...contrasts);
}

interface TextOnPhoto {
  readonly textKind: HeroTextKind;
  readonly color: string;
  readonly top: number;
}

function findTextsOnPhoto(
  styles: Styles,
  frame: HeroFrame,
  title: string | undefined,
): TextOnPhoto[] {
  const name: TextOnPhoto = {
    textKind: "name",
    color: frame.getTextColor(styles),
    top: computeTextTop(frame, styles, title),
  };
  if (frame.lineTop === undefined) return [name];
  const accent = styles.heroAccentColor ?? styles.primaryColor;
  return [name, { textKind: "line", color: accent, top: frame.lineTop }];
}

/** Returns the top of the name. A long name has one more line at its top, where the shade is weaker. */
function computeTextTop(
  { textArea, title: { lineWidthEm, lineCount }, longNameTop }: HeroFrame,
  styles: Styles,
  title = "",
): number {
  return estimateLineCount(title, lineWidthEm, styles) > lineCount ? longNameTop : textArea.top;
}

/** The average width of a Latin letter, in em of the title's largest font size, in any look. */
const LETTER_WIDTH_EM = 0.41;
const NON_LATIN_LETTER_WIDTH_EM = 1.05;
/** The maximum number of lines of a title. A longer title gets a smaller font (`createTitleFitStyle`, fitTitle.ts). */
const MAX_TITLE_LINES = 2.4;

function estimateLineCount(title: string, widthEm: number, { headingScale }: Styles): number {
  const estimateWidthEm = (text: string) => {
    const nonLatinCount = text.match(/(?=\p{L})\P{Script=Latin}/gu)?.length ?? 0;
    return (
      (text.length - nonLatinCount) * LETTER_WIDTH_EM +
      (nonLatinCount * NON_LATIN_LETTER_WIDTH_EM * headingScale) / 100
    );
  };
  const words = title.split(/\s+|(?<=-)/);
  const longest = Math.max(...words.map(estimateWidthEm));
  const scale = Math.min(
    1,
    widthEm / longest,
    (MAX_TITLE_LINES * widthEm) / estimateWidthEm(title),
  );
  let lineCount = 1;
  let line = "";
  for (const word of words) {
    const extendedLine = line === "" ? word : `${line} ${word}`;
    const isNewLine = line !== "" && estimateWidthEm(extendedLine) * scale > widthEm;
    if (isNewLine) lineCount += 1;
    line = isNewLine ? word : extendedLine;
  }
  return lineCount;
}

/**
 * A position in the frame, as fractions, with the photo's dark and light color at this position. `x` is the distance
 * from the side on which the text begins.
 */
interface PhotoPatch {
  readonly x: number;
  readonly y: number;
  readonly colors: readonly [Rgb, Rgb];
}

const SAMPLE_POINTS_PER_SIDE = 16;

/** The default position of a photo without a focus (Hero.css). */
const DEFAULT_FOCUS = { x: 66, y: 20 };

function samplePatches(
  frame: HeroFrame,
  screen: "wide" | "tall",
  photo: MeasuredPhoto,
  grid: BrightnessGrid,
  styles: Styles,
): PhotoPatch[] {
  const { ratio, textArea, textBottom } = frame;
  const textTop = computeTextTop(frame, styles, photo.title);
  const isFromRight = isRightToLeft(photo.title ?? "");
  const { left, top, width, height } = computeVisibleArea(photo, screen, ratio);
  const points = Array.from(
    { length: SAMPLE_POINTS_PER_SIDE * SAMPLE_POINTS_PER_SIDE },
    (_, index) => ({
      x:
        textArea.left +
        (textArea.right - textArea.left) *
          (((index % SAMPLE_POINTS_PER_SIDE) + 0.5) / SAMPLE_POINTS_PER_SIDE),
      y:
        textTop +
        (textBottom - textTop) *
          ((Math.floor(index / SAMPLE_POINTS_PER_SIDE) + 0.5) / SAMPLE_POINTS_PER_SIDE),
    }),
  );
  return points.map(({ x, y }) => {
    const [row, column] = [computeCellIndex(top + height * y), computeCellIndex(left + width * x)];
    const [dark, bright] = grid[row * GRID_CELLS_PER_SIDE + column] ?? [0, 255];
    return {
      x: isFromRight ? 1 - x : x,
      y,
      colors: [applyTone(dark, styles), applyTone(bright, styles)],
    };
  });
}

const computeCellIndex = (fraction: number) =>
  Math.min(GRID_CELLS_PER_SIDE - 1, Math.max(0, Math.floor(fraction * GRID_CELLS_PER_SIDE)));

/** Returns the part of the photo that a frame of this ratio shows, as fractions of the photo's sides. */
function computeVisibleArea(photo: MeasuredPhoto, screen: "wide" | "tall", ratio: number) {
  const crop = findCrop(photo, screen === "wide" ? "heroWide" : "heroTall");
  const { x, y, zoom } = crop
    ? computeObjectPosition(crop, photo.focus)
    : { ...DEFAULT_FOCUS, zoom: 1 };
  const relativeRatio = (ratio * photo.height) / photo.width;
  const [width, height] = [
    Math.min(1, relativeRatio) / zoom,
    Math.min(1, 1 / relativeRatio) / zoom,
  ];
  return { width, height, left: (x / 100) * (1 - width), top: (y / 100) * (1 - height) };
}

/** Returns the displayed color of a gray of the photo: its duotone, or the gray itself for original pictures. */
function applyTone(gray: number, { pictures, toneShadow, toneMiddle, toneLight }: Styles): Rgb {
  if (pictures === "asShot") return [gray, gray, gray];
  const fraction = gray / 255;
  const middle = parseColorOrBlack(toneMiddle);
  return fraction < 0.5
    ? mixColors(parseColorOrBlack(toneShadow), middle, fraction * 2)
    : mixColors(middle, parseColorOrBlack(toneLight), fraction * 2 - 1);
}

/** Returns the contrast of the text that nine tenths of the shaded patches exceed. */
function computeContrastPercentile(
  patches: readonly PhotoPatch[],
  textColor: string,
  top: number,
  frame: HeroFrame,
  strength: number,
  styles: Styles,
): number {
  const textLuminance = computeLuminance(textColor);
  if (textLuminance === undefined) return 21;
  const { horizontal: horizontalStops = [], vertical: verticalStops } = frame.createShade(
    styles,
    strength,
  );
  const contrasts = patches
    .filter(({ y }) => y >= top)
    .flatMap((patch) => {
      const [horizontal, vertical] = [
        interpolateStops(horizontalStops, patch.x),
        interpolateStops(verticalStops, 1 - patch.y),
      ];
      return patch.colors.map((color) => {
        const shaded = mixColors(
          mixColors(color, horizontal[0], horizontal[1]),
          vertical[0],
          vertical[1],
        );
        return computeLuminanceContrast(textLuminance, computeRgbLuminance(shaded));
      });
    });
  contrasts.sort((a, b) => a - b);
  return contrasts[Math.floor(contrasts.length / 10)] ?? 21;
}

function interpolateStops(
  stops: readonly GradientStop[],
  position: number,
): readonly [Rgb, number] {
  const next = stops.find(([offset]) => offset >= position);
  const last = stops.findLast(([offset]) => offset < position);
  // Before its first stop and after its last, a gradient has the color of that stop.
  const [offset, color, opacity] = next ?? last ?? [0, BLACK, 0];
  if (!next || !last) return [color, opacity];
  const [lastOffset, lastColor, lastOpacity] = last;
  const fraction = (position - lastOffset) / (offset - lastOffset);
  return [mixColors(lastColor, color, fraction), lastOpacity + (opacity - lastOpacity) * fraction];
}
