/** Measures the contrast of text on both pages, and fixes all unreadable colors together (WCAG 2.2). */
import {
  mixColors,
  parseColorOrBlack,
  computeContrastRatio,
  formatContrastRatio,
  MIN_CONTRAST,
  chooseReadableTextColor,
  toHex,
} from "../../../../schema/core/color.ts";
import type { Item } from "../../../../schema/index.ts";
import {
  COLORED_SETTINGS_KEYS,
  type ColoredSettingsKey,
  type SectionColors,
  getSectionName,
} from "../../../../schema/looks/looks.ts";
import { createRecord } from "../../../../schema/core/createRecord.ts";
import type {
  measureContrastOnPhoto,
  MeasuredPhoto,
  HeroTextKind,
} from "../../../../schema/looks/scrim.ts";
import { resolveColors } from "../../../shared/theme.ts";
import type { PreviewCheck } from "../../editor/Preview.tsx";
import { type LookDrafts, SECTION_COLOR_FIELDS } from "./lookDrafts.ts";

type StylesTheme = Item<"styles">;

type StyleColor =
  | "textColor"
  | "accentColor"
  | "heroTextColor"
  | "heroAccentColor"
  | "backgroundColor"
  | "heroBackgroundColor"
  | "aboutBackgroundColor"
  | "sectionBackgroundColor";

/** The entity and field of a color, such as `styles.textColor`. */
export type ColorName = `styles.${StyleColor}` | `${ColoredSettingsKey}.${keyof SectionColors}`;

/** The value of each color. A color that follows another color has that color's value. */
export type Palette = Readonly<Record<ColorName, string>>;

/** A text color and a background on which the text is shown. */
interface ColorPair {
  readonly textLabel: string;
  readonly text: ColorName;
  readonly backgroundLabel: string;
  readonly background: ColorName;
}

/** The pairs of text and background colors. Text on buttons isn't listed, since it always gets a readable color. */
export const COLOR_PAIRS: readonly ColorPair[] = [
  createPair("Text", "styles.textColor", "the background", "styles.backgroundColor"),
  // The names in Press have the accent color.
  createPair("Accent", "styles.accentColor", "Press", "pressSettings.backgroundColor"),
  createPair(
    "Hero text",
    "styles.heroTextColor",
    "the hero background",
    "styles.heroBackgroundColor",
  ),
  createPair(
    "Hero accent",
    "styles.heroAccentColor",
    "the hero background",
    "styles.heroBackgroundColor",
  ),
  createPair("Text", "styles.textColor", "the about background", "styles.aboutBackgroundColor"),
  createPair("Text", "styles.textColor", "the section background", "styles.sectionBackgroundColor"),
  ...COLORED_SETTINGS_KEYS.flatMap((key) => [
    createPair("Text", `${key}.textColor`, getSectionName(key), `${key}.backgroundColor`),
    createPair("Accent", `${key}.accentColor`, getSectionName(key), `${key}.backgroundColor`),
  ]),
];

function createPair(
  textLabel: string,
  text: ColorName,
  backgroundLabel: string,
  background: ColorName,
): ColorPair {
  return { textLabel, text, backgroundLabel, background };
}

/** Returns the current value of each color, including unsaved changes. */
export function createPalette({ styles, sections }: LookDrafts): Palette {
  const theme: StylesTheme = styles.values;
  const sectionColors = COLORED_SETTINGS_KEYS.flatMap((key) => {
    const resolvedColors = resolveColors(theme, sections[key].values);
    return SECTION_COLOR_FIELDS.map(
      (name) => [`${key}.${name}` as const, resolvedColors[name]] as const,
    );
  });
  return {
    "styles.textColor": theme.textColor,
    "styles.accentColor": theme.accentColor,
    "styles.heroTextColor": theme.heroTextColor ?? theme.textColor,
    "styles.heroAccentColor": theme.heroAccentColor ?? theme.primaryColor,
    "styles.backgroundColor": theme.backgroundColor,
    "styles.heroBackgroundColor": theme.heroBackgroundColor,
    "styles.aboutBackgroundColor": theme.aboutBackgroundColor,
    "styles.sectionBackgroundColor": theme.sectionBackgroundColor,
    ...createRecord(sectionColors),
  };
}

interface Contrast extends ColorPair {
  readonly ratio: number;
}

/** A function that measures the contrast of the heroes' text on their photos, in the colors of `palette`. */
export type MeasurePhotoContrasts = (palette: Palette) => readonly Contrast[];

interface HeroPhoto {
  readonly photo: MeasuredPhoto;
  readonly backgroundLabel: "the photo" | "the Coaching photo";
  readonly texts: readonly HeroTextKind[];
}

const measureNoPhotos: MeasurePhotoContrasts = () => [];

/** Measures the contrast of all pairs. Leaves out colors that aren't hex colors. */
export function measureContrasts(
  palette: Palette,
  measurePhotos: MeasurePhotoContrasts = measureNoPhotos,
): Contrast[] {
  const colorContrasts = COLOR_PAIRS.flatMap((each) => {
    const ratio = computeContrastRatio(palette[each.text], palette[each.background]);
    return ratio === undefined ? [] : [{ ...each, ratio }];
  });
  return [...colorContrasts, ...measurePhotos(palette)];
}

/** Returns a function that measures the contrast of text on photos, except those of unmeasured lightness. */
export function createPhotoContrastMeasurer(
  photos: readonly HeroPhoto[],
  styles: StylesTheme,
  measureOnPhoto: typeof measureContrastOnPhoto,
): MeasurePhotoContrasts {
  const textPairs = [
    ["Hero text", "styles.heroTextColor", "name"],
    ["Hero accent", "styles.heroAccentColor", "line"],
  ] as const;
  return (palette) => {
    const theme = {
      ...styles,
      heroTextColor: palette["styles.heroTextColor"],
      heroAccentColor: palette["styles.heroAccentColor"],
      heroBackgroundColor: palette["styles.heroBackgroundColor"],
    };
    return photos.flatMap(({ photo, backgroundLabel, texts: textKinds }) =>
      textPairs.flatMap(([textLabel, text, textKind]) => {
        const ratio = textKinds.includes(textKind)
          ? measureOnPhoto(photo, theme, textKind)
          : undefined;
        const photoPair = createPair(
          textLabel,
          text,
          backgroundLabel,
          "styles.heroBackgroundColor",
        );
        return ratio === undefined ? [] : [{ ...photoPair, ratio }];
      }),
    );
  };
}

export const isHardToRead = ({ ratio }: { readonly ratio: number }) => ratio < MIN_CONTRAST;

/** Returns one check if all text is readable, otherwise a check for each pair that isn't. */
export function createContrastChecks(
  drafts: LookDrafts,
  measurePhotos?: MeasurePhotoContrasts,
): PreviewCheck[] {
  const pairs = measureContrasts(createPalette(drafts), measurePhotos);
  const hardPairs = pairs.filter(isHardToRead);
  const lowestRatio = Math.min(...pairs.map(({ ratio }) => ratio));
  if (hardPairs.length === 0 && pairs.length > 0)
    return [
      {
        isPassed: true,
        result: "All text is easy to read",
        value: formatContrastRatio(lowestRatio),
      },
    ];
  return hardPairs.map(({ textLabel, backgroundLabel, ratio }): PreviewCheck => ({
    isPassed: false,
    result: textLabel,
    detail: `is hard to read on ${backgroundLabel}`,
    value: formatContrastRatio(ratio),
  }));
}

/** Returns new values for the colors that make text hard to read. Empty if nothing has to, or can, be changed. */
export function findReadableColors(
  palette: Palette,
  measurePhotos = measureNoPhotos,
): Partial<Record<ColorName, string>> {
  let nextPalette: Record<ColorName, string> = { ...palette };
  // A changed background may make other text hard to read. The next round fixes that text.
  for (let round = 0; round < 4; round += 1) {
    const hardPairs = measureContrasts(nextPalette, measurePhotos).filter(isHardToRead);
    if (hardPairs.length === 0) break;
    for (const text of new Set(hardPairs.map((each) => each.text)))
      nextPalette = makeReadable(nextPalette, text, measurePhotos);
  }
  const changedColors = Object.entries(nextPalette).filter(
    ([name, color]) => color !== palette[name as ColorName],
  );
  return Object.fromEntries(changedColors);
}

/** Returns a palette in which one text color is readable on all its backgrounds. */
function makeReadable(
  palette: Palette,
  text: ColorName,
  measurePhotos: MeasurePhotoContrasts,
): Record<ColorName, string> {
  const backgroundNames = COLOR_PAIRS.filter((each) => each.text === text).map(
    ({ background }) => background,
  );
  const backgrounds = backgroundNames.map((name) => palette[name]);
  const isReadableOnPhotos = (color: string) =>
    !measurePhotos({ ...palette, [text]: color }).some(
      (each) => each.text === text && isHardToRead(each),
    );
  const isReadableEverywhere = (color: string) =>
    backgrounds.every((each) => isReadable(color, each)) && isReadableOnPhotos(color);
  const shade = findNearestShade(palette[text], isReadableEverywhere);
  if (shade !== undefined) return { ...palette, [text]: shade };
  // If no shade is readable on all backgrounds, the first background is kept and the others are mixed with it.
  const [firstBackground] = backgrounds;
  // Text that is only on photos has no background color.
  if (firstBackground === undefined) return palette;
  const readableText =
    findNearestShade(palette[text], (color) => isReadable(color, firstBackground)) ??
    chooseReadableTextColor(firstBackground);
  const changedBackgrounds = backgroundNames
    .filter((name) => !isReadable(readableText, palette[name]))
    .map((name) => [
      name,
      findNearestMix(palette[name], firstBackground, (mix) => isReadable(readableText, mix)),
    ]);
  return { ...palette, [text]: readableText, ...Object.fromEntries(changedBackgrounds) };
}

/** Whether text is readable on a background. True for colors that aren't hex colors, since they can't be measured. */
export const isReadable = (text: string, background: string) =>
  (computeContrastRatio(text, background) ?? MIN_CONTRAST) >= MIN_CONTRAST;

/** The shares of the second color to try, in steps of 2%. The smallest share that suffices is used. */
const MIX_SHARES = Array.from({ length: 51 }, (_, index) => index / 50);

/** Returns the nearest shade towards white or black that is accepted; undefined if there is none. */
function findNearestShade(
  color: string,
  isAccepted: (shade: string) => boolean,
): string | undefined {
  for (const share of MIX_SHARES)
    for (const extreme of ["#FFFFFF", "#000000"]) {
      const shade = mixHexColors(color, extreme, share);
      if (isAccepted(shade)) return shade;
    }
  return undefined;
}

/** Returns the first mix that is accepted, or else `to`. */
function findNearestMix(from: string, to: string, isAccepted: (mix: string) => boolean): string {
  return MIX_SHARES.map((share) => mixHexColors(from, to, share)).find(isAccepted) ?? to;
}

const mixHexColors = (from: string, to: string, share: number): string =>
  share === 0 ? from : toHex(mixColors(parseColorOrBlack(from), parseColorOrBlack(to), share));
