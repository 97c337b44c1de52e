/** The contrast of text on both pages, and how colors are fixed as a set (WCAG 2.2). */
import {
  contrastRatio,
  MIN_CONTRAST,
  readableTextColor,
} from "../../../../schema/core/contrast.ts";
import type { Item } from "../../../../schema/index.ts";
import {
  COLORED,
  type Colored,
  type SectionColors,
  sectionNameOf,
} from "../../../../schema/looks/looks.ts";
import { recordFrom } from "../../../../schema/core/recordFrom.ts";
import type {
  contrastOnPhoto as contrastOn,
  MeasuredPhoto,
  HeroText,
} from "../../../../schema/looks/scrim.ts";
import { effectiveColors } from "../../../shared/theme.ts";
import { channelsOf, hexOf } from "../../editor/hex.ts";
import type { PreviewCheck } from "../../editor/Preview.tsx";
import { type LookDrafts, SECTION_COLORS } from "./lookDrafts.ts";

type Theme = Item<"styles">;

/** Colors of the styles that are text or background. */
type StyleColor =
  | "textColor"
  | "accentColor"
  | "heroTextColor"
  | "heroAccentColor"
  | "backgroundColor"
  | "heroBackgroundColor"
  | "aboutBackgroundColor"
  | "sectionBackgroundColor";

/** A color by its entity and field: `styles.textColor`. */
export type ColorName = `styles.${StyleColor}` | `${Colored}.${keyof SectionColors}`;

/** Every color by name; one that follows another has its value. */
export type Palette = Readonly<Record<ColorName, string>>;

/** A text color and its background; `textLabel` and `where` are for people. */
interface Pair {
  readonly textLabel: string;
  readonly text: ColorName;
  readonly where: string;
  readonly background: ColorName;
}

/** All text on a color of its own. Text on buttons always gets a readable color. */
export const PAIRS: readonly Pair[] = [
  pair("Text", "styles.textColor", "the background", "styles.backgroundColor"),
  // Used for the names in Press.
  pair("Accent", "styles.accentColor", "Press", "pressSettings.backgroundColor"),
  pair("Hero text", "styles.heroTextColor", "the hero background", "styles.heroBackgroundColor"),
  pair(
    "Hero accent",
    "styles.heroAccentColor",
    "the hero background",
    "styles.heroBackgroundColor",
  ),
  pair("Text", "styles.textColor", "the about background", "styles.aboutBackgroundColor"),
  pair("Text", "styles.textColor", "the section background", "styles.sectionBackgroundColor"),
  ...COLORED.flatMap((key) => [
    pair("Text", `${key}.textColor`, sectionNameOf(key), `${key}.backgroundColor`),
    pair("Accent", `${key}.accentColor`, sectionNameOf(key), `${key}.backgroundColor`),
  ]),
];

function pair(textLabel: string, text: ColorName, where: string, background: ColorName): Pair {
  return { textLabel, text, where, background };
}

/** The colors being chosen. */
export function paletteOf({ styles, sections }: LookDrafts): Palette {
  const theme: Theme = styles.values;
  const sectionColors = COLORED.flatMap((key) => {
    const shown = effectiveColors(theme, sections[key].values);
    return SECTION_COLORS.map((name) => [`${key}.${name}` as const, shown[name]] as const);
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
    ...recordFrom(sectionColors),
  };
}

interface Contrast extends Pair {
  readonly ratio: number;
}

/** The contrast of the heroes' text on their photos, in any colors; `onPhotos` makes this function. */
export type OnPhotos = (palette: Palette) => readonly Contrast[];

export interface HeroPhoto {
  readonly photo: MeasuredPhoto;
  readonly where: "the photo" | "the Coaching photo";
  readonly written: readonly HeroText[];
}

const isPhoto = (where: string) => where.startsWith("the photo");
const NO_PHOTOS: OnPhotos = () => [];

/** The contrast of every pair; pairs that aren't hex colors are left out. */
export function contrasts(palette: Palette, onPhotos: OnPhotos = NO_PHOTOS): Contrast[] {
  const onColors = PAIRS.flatMap((each) => {
    const ratio = contrastRatio(palette[each.text], palette[each.background]);
    return ratio === undefined ? [] : [{ ...each, ratio }];
  });
  return [...onColors, ...onPhotos(palette)];
}

/** `contrastOnPhoto` is scrim.ts's; photos without a measured lightness are left out. */
export function onPhotos(
  photos: readonly HeroPhoto[],
  styles: Theme,
  contrastOnPhoto: typeof contrastOn,
): OnPhotos {
  const pairs = [
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
    return photos.flatMap(({ photo, where, written: all }) =>
      pairs.flatMap(([textLabel, text, written]) => {
        const ratio = all.includes(written) ? contrastOnPhoto(photo, theme, written) : undefined;
        const photoPair = pair(textLabel, text, where, "styles.heroBackgroundColor");
        return ratio === undefined ? [] : [{ ...photoPair, ratio }];
      }),
    );
  };
}

export const isHard = ({ ratio }: { readonly ratio: number }) => ratio < MIN_CONTRAST;

/** One line if everything is readable, else one for each pair that isn't. */
export function contrastChecks(drafts: LookDrafts, onPhotos?: OnPhotos): PreviewCheck[] {
  const pairs = contrasts(paletteOf(drafts), onPhotos);
  const hard = pairs.filter(isHard);
  const least = Math.min(...pairs.map(({ ratio }) => ratio));
  if (hard.length === 0 && pairs.length > 0)
    return [{ ok: true, strong: "All text is easy to read", figure: figureOf(least) }];
  return hard.map(({ textLabel, where, ratio }) => ({
    ok: false,
    strong: textLabel,
    rest: isPhoto(where) ? `is hard to read on ${where}` : `is hard to see on ${where}`,
    figure: figureOf(ratio),
  }));
}

export function figureOf(ratio: number): string {
  return `${ratio.toFixed(1)}:1`;
}

/**
 * The smallest changes that make every pair readable: text first; for text on light and dark at once, the background
 * unlike the others. A readable pair remains readable. Empty if nothing is hard to read.
 */
export function fixedColors(
  palette: Palette,
  onPhotos = NO_PHOTOS,
): Partial<Record<ColorName, string>> {
  let next: Record<ColorName, string> = { ...palette };
  // Each round fixes what is left; a changed background may need another.
  for (let round = 0; round < 4; round += 1) {
    const hard = contrasts(next, onPhotos).filter(isHard);
    if (hard.length === 0) break;
    for (const text of new Set(hard.map((each) => each.text)))
      next = withReadable(next, text, onPhotos);
  }
  const changed = Object.entries(next).filter(
    ([name, color]) => color !== palette[name as ColorName],
  );
  return Object.fromEntries(changed);
}

/** The set with this text readable on all its backgrounds. */
function withReadable(
  palette: Palette,
  text: ColorName,
  onPhotos: OnPhotos,
): Record<ColorName, string> {
  const backgroundNames = PAIRS.filter((each) => each.text === text).map(
    ({ background }) => background,
  );
  const backgrounds = backgroundNames.map((name) => palette[name]);
  const readsOnPhotos = (color: string) =>
    !onPhotos({ ...palette, [text]: color }).some((each) => each.text === text && isHard(each));
  const everywhere = (color: string) =>
    backgrounds.every((each) => isReadable(color, each)) && readsOnPhotos(color);
  const shade = nearestShade(palette[text], everywhere);
  if (shade !== undefined) return { ...palette, [text]: shade };
  // On light and dark at once, text follows the first background, and the others follow too.
  const [first] = backgrounds;
  // Text only on photos has no background to follow.
  if (first === undefined) return palette;
  const fitting =
    nearestShade(palette[text], (color) => isReadable(color, first)) ?? readableTextColor(first);
  const moved = backgroundNames
    .filter((name) => !isReadable(fitting, palette[name]))
    .map((name) => [name, nearestMix(palette[name], first, (mix) => isReadable(fitting, mix))]);
  return { ...palette, [text]: fitting, ...Object.fromEntries(moved) };
}

const isReadable = (text: string, background: string) =>
  (contrastRatio(text, background) ?? MIN_CONTRAST) >= MIN_CONTRAST;

/** In steps of 2 %, for the smallest change. */
const STEPS = Array.from({ length: 51 }, (_, at) => at / 50);

/** The nearest shade towards white or black that fits; undefined if none does. */
function nearestShade(color: string, fits: (shade: string) => boolean): string | undefined {
  for (const share of STEPS)
    for (const end of ["#FFFFFF", "#000000"]) {
      const shade = mixColors(color, end, share);
      if (fits(shade)) return shade;
    }
  return undefined;
}

/** The first mix from one color to another that fits; the other if none does. */
function nearestMix(from: string, to: string, fits: (mix: string) => boolean): string {
  return STEPS.map((share) => mixColors(from, to, share)).find(fits) ?? to;
}

function mixColors(from: string, to: string, share: number): string {
  if (share === 0) return from;
  const [red, green, blue] = channelsOf(to);
  const [fromRed, fromGreen, fromBlue] = channelsOf(from);
  const between = (begin: number, end: number) => begin + (end - begin) * share;
  return hexOf([between(fromRed, red), between(fromGreen, green), between(fromBlue, blue)]);
}
