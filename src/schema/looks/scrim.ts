/**
 * Computes how strong the shade between a hero's text and its photo has to be, from the photo's light behind the
 * text, for readable contrast on any photo (WCAG 2.2, 1.4.3). Hero.css and HeroLayouts.css draw it.
 */
import type { Content } from "../index.ts";
import { mixColors, parseColorOrBlack, computeLuminance } from "../core/color.ts";
import { isRightToLeft } from "../core/direction.ts";
import { type Rgb, computeRgbLuminance, computeLuminanceContrast } from "../core/hexColor.ts";
import { BLACK, type HeroFrame, HERO_FRAMES, type GradientStop } from "./heroFrames.ts";
import { findCrop, type Picture, computeObjectPosition, type Scrim } from "../pictures/pictures.ts";

type Styles = Content<"styles">;

/** A photo with measured light (uploads' `light`). */
export type MeasuredPhoto = Pick<Picture, "width" | "height" | "focus" | "cuts"> & {
  readonly light: string;
  /**
   * The text on it: if it is right-to-left, the shade begins at the right too (Hero.css, `:dir(rtl)`). Default: a
   * short one.
   */
  readonly title?: string;
};

/** The measuring grid's columns and rows. */
export const GRID_CELLS = 12;

/** The 10th and 90th percentile of each cell, row by row, as grays from 0 to 255. */
export type BrightnessGrid = readonly (readonly [dark: number, light: number])[];

/** Two hexadecimal digits per cell: it is part of every upload's data, so it is short. */
export function encodeBrightness(light: BrightnessGrid): string {
  return light.map(([dark, bright]) => toHexDigits(dark) + toHexDigits(bright)).join("");
}

const toHexDigits = (gray: number) => Math.round(gray / 17).toString(16);

function decodeBrightness(light: string): BrightnessGrid | undefined {
  if (light.length !== 2 * GRID_CELLS * GRID_CELLS) return undefined;
  const readGray = (at: number) => 17 * Number.parseInt(light.charAt(at), 16);
  return Array.from({ length: GRID_CELLS * GRID_CELLS }, (_, cell) => [
    readGray(2 * cell),
    readGray(2 * cell + 1),
  ]);
}

/** The target contrast: a little above the minimum, since the light is measured in patches. */
const TARGET_CONTRAST = 4.8;
const SCRIM_STRENGTHS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The least shade needed, from 0 to 1, on wide and on upright screens; undefined if unmeasured or unnecessary. */
export function computeScrim(photo: MeasuredPhoto, styles: Styles): Scrim | undefined {
  const light = decodeBrightness(photo.light);
  if (!light) return undefined;
  const computeStrengthOn = (screen: "wide" | "tall") => {
    const frame = HERO_FRAMES[styles.heroLayout][screen];
    if (!frame) return 0;
    const patches = samplePatches(frame, screen, photo, light, styles);
    const wanted = findTextsOnPhoto(styles, frame, photo.title).map(({ color, ...each }) => ({
      ...each,
      ink: color,
      // Text that is unreadable on the shade's own color doesn't improve with more of it.
      ratio: Math.min(
        TARGET_CONTRAST,
        0.94 *
          computeRgbContrast(
            computeLuminance(color),
            computeLuminance(frame.getBackground(styles)),
          ),
      ),
    }));
    const isReadable = (strength: number) =>
      wanted.every(
        ({ ink: color, top, ratio }) =>
          computeContrastPercentile(patches, color, top, frame, strength, styles) >= ratio,
      );
    return SCRIM_STRENGTHS.find(isReadable) ?? 1;
  };
  const [wide, tall] = [computeStrengthOn("wide"), computeStrengthOn("tall")];
  return wide + tall > 0 ? { wide, tall } : undefined;
}

/** The shade of a photo behind these titles: the strongest that any of them needs. */
export function computeScrimBehindTitles(
  titles: readonly string[],
  photo: MeasuredPhoto,
  styles: Styles,
): Scrim | undefined {
  const veils = titles.flatMap((title) => computeScrim({ ...photo, title }, styles) ?? []);
  if (veils.length === 0) return undefined;
  return {
    wide: Math.max(...veils.map(({ wide }) => wide)),
    tall: Math.max(...veils.map(({ tall }) => tall)),
  };
}

/** The text on the photo: the name, or the line below it. */
export type HeroTextKind = "name" | "line";

/**
 * The contrast that nine tenths of the area behind the text reach with the shade, on the worse of computer and phone;
 * undefined where the text is beside the photo, or its light is unknown.
 */
export function measureContrastOnPhoto(
  photo: MeasuredPhoto,
  styles: Styles,
  textKind: HeroTextKind = "name",
): number | undefined {
  const light = decodeBrightness(photo.light);
  if (!light) return undefined;
  const veil = computeScrim(photo, styles);
  const contrasts = (["wide", "tall"] as const).flatMap((screen) => {
    const frame = HERO_FRAMES[styles.heroLayout][screen];
    const ink =
      frame &&
      findTextsOnPhoto(styles, frame, photo.title).find((each) => each.textKind === textKind);
    if (!ink) return [];
    const patches = samplePatches(frame, screen, photo, light, styles);
    return [
      computeContrastPercentile(patches, ink.color, ink.top, frame, veil?.[screen] ?? 0, styles),
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
  if (frame.line === undefined) return [name];
  const accent = styles.heroAccentColor ?? styles.primaryColor;
  return [name, { textKind: "line", color: accent, top: frame.line }];
}

/** The position where the name begins: a long one has another line above, where there is less shade. */
function computeTextTop(
  { textArea, title: { widthEm, lineCount }, longNameTop = textArea.top }: HeroFrame,
  styles: Styles,
  title = "",
): number {
  return estimateLineCount(title, widthEm, styles) > lineCount ? longNameTop : textArea.top;
}

/** The width of a letter in em of the largest title, in any look. */
const LETTER_WIDTH_EM = 0.41;
const FOREIGN_LETTER_WIDTH_EM = 1.05;
/** A title that would fill more lines is set smaller (`createTitleFitStyle` in site/parts/fitTitle.ts). */
const MAX_FITTED_LINES = 2.4;

/** Estimates how many lines a title takes. */
function estimateLineCount(title: string, widthEm: number, { headingScale }: Styles): number {
  const estimateWidthEm = (text: string) => {
    const wide = text.match(/(?=\p{L})\P{Script=Latin}/gu)?.length ?? 0;
    return (
      (text.length - wide) * LETTER_WIDTH_EM + (wide * FOREIGN_LETTER_WIDTH_EM * headingScale) / 100
    );
  };
  const words = title.split(/\s+|(?<=-)/);
  const longest = Math.max(...words.map(estimateWidthEm));
  const size = Math.min(
    1,
    widthEm / longest,
    (MAX_FITTED_LINES * widthEm) / estimateWidthEm(title),
  );
  let lines = 1;
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && estimateWidthEm(longer) * size > widthEm) lines += 1;
    line = line !== "" && estimateWidthEm(longer) * size > widthEm ? word : longer;
  }
  return lines;
}

/**
 * A position in the frame as fractions, and the photo's dark and light colors there. `x` counts from the side on which
 * the text begins.
 */
interface PhotoPatch {
  readonly x: number;
  readonly y: number;
  readonly colors: readonly [Rgb, Rgb];
}

const SAMPLE_POINTS = 16;

/** The default position of a photo without a focus (Hero.css). */
const DEFAULT_FOCUS = { x: 66, y: 20 };

function samplePatches(
  frame: HeroFrame,
  screen: "wide" | "tall",
  photo: MeasuredPhoto,
  light: BrightnessGrid,
  styles: Styles,
): PhotoPatch[] {
  const { ratio, textArea, foot } = frame;
  const start = computeTextTop(frame, styles, photo.title);
  const isFromRight = isRightToLeft(photo.title ?? "");
  const { left, top, width, height } = computeVisibleArea(photo, screen, ratio);
  const points = Array.from({ length: SAMPLE_POINTS * SAMPLE_POINTS }, (_, at) => ({
    x:
      textArea.left +
      (textArea.right - textArea.left) * (((at % SAMPLE_POINTS) + 0.5) / SAMPLE_POINTS),
    y: start + (foot - start) * ((Math.floor(at / SAMPLE_POINTS) + 0.5) / SAMPLE_POINTS),
  }));
  return points.map(({ x, y }) => {
    const [row, column] = [computeCellIndex(top + height * y), computeCellIndex(left + width * x)];
    const [dark, bright] = light[row * GRID_CELLS + column] ?? [0, 255];
    return {
      x: isFromRight ? 1 - x : x,
      y,
      colors: [applyTone(dark, styles), applyTone(bright, styles)],
    };
  });
}

const computeCellIndex = (share: number) =>
  Math.min(GRID_CELLS - 1, Math.max(0, Math.floor(share * GRID_CELLS)));

/** The part of the photo that a frame of this ratio shows, as fractions of its sides (see `computeObjectPosition`). */
function computeVisibleArea(photo: MeasuredPhoto, screen: "wide" | "tall", ratio: number) {
  const cut = findCrop(photo, screen === "wide" ? "heroWide" : "heroTall");
  const { x, y, zoom } = cut
    ? computeObjectPosition(cut, photo.focus)
    : { ...DEFAULT_FOCUS, zoom: 1 };
  const wide = (ratio * photo.height) / photo.width;
  const [width, height] = [Math.min(1, wide) / zoom, Math.min(1, 1 / wide) / zoom];
  return { width, height, left: (x / 100) * (1 - width), top: (y / 100) * (1 - height) };
}

/** A gray of the photo as displayed: toned from dark through middle to light, or unchanged. */
function applyTone(gray: number, { pictures, toneShadow, toneMiddle, toneLight }: Styles): Rgb {
  if (pictures === "asShot") return [gray, gray, gray];
  const share = gray / 255;
  const middle = parseColorOrBlack(toneMiddle);
  return share < 0.5
    ? mixColors(parseColorOrBlack(toneShadow), middle, share * 2)
    : mixColors(middle, parseColorOrBlack(toneLight), share * 2 - 1);
}

/** The contrast that nine tenths of the shaded patches exceed. */
function computeContrastPercentile(
  patches: readonly PhotoPatch[],
  ink: string,
  top: number,
  frame: HeroFrame,
  strength: number,
  styles: Styles,
): number {
  const of = computeLuminance(ink);
  if (of === undefined) return 21;
  const { across = [], up } = frame.createShade(styles, strength);
  const lowest = patches
    .filter(({ y }) => y >= top)
    .flatMap((patch) => {
      const [side, below] = [interpolateStops(across, patch.x), interpolateStops(up, 1 - patch.y)];
      return patch.colors.map((color) => {
        const veiled = mixColors(mixColors(color, side[0], side[1]), below[0], below[1]);
        return computeRgbContrast(of, computeRgbLuminance(veiled));
      });
    });
  lowest.sort((a, b) => a - b);
  return lowest[Math.floor(lowest.length / 10)] ?? 21;
}

function interpolateStops(stops: readonly GradientStop[], at: number): readonly [Rgb, number] {
  const next = stops.find(([offset]) => offset >= at);
  const last = stops.findLast(([offset]) => offset < at);
  // Constant before the first and after the last stop.
  const [offset, color, opacity] = next ?? last ?? [0, BLACK, 0];
  if (!next || !last) return [color, opacity];
  const [from, before, less] = last;
  const share = (at - from) / (offset - from);
  return [mixColors(before, color, share), less + (opacity - less) * share];
}

function computeRgbContrast(first: number | undefined, second: number | undefined): number {
  if (first === undefined || second === undefined) return 21;
  return computeLuminanceContrast(first, second);
}
