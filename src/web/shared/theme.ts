/** Converts the owner's styles to CSS custom properties, for pages and previews. */
import {
  computeContrastRatio,
  MIN_CONTRAST,
  chooseReadableTextColor,
} from "../../schema/core/color.ts";
import { getFallbackFamily } from "../../schema/sections/fonts.ts";
import type { Content } from "../../schema/index.ts";
import type { OptionalSectionColors, SectionColors } from "../../schema/looks/looks.ts";

const HEADING_SCALE = { small: 0.75, medium: 0.875, large: 1, xlarge: 1.2 } as const;
const BODY_SIZES = { small: "0.9375rem", medium: "1.0625rem", large: "1.1875rem" } as const;
/** The background of the coaching page's hero without a picture. */
const DARK_GRAY = "#1A1A1A";
/** Letter spacing of headings, in em. */
const TRACKING_EM = {
  tightest: -0.05,
  tighter: -0.035,
  tight: -0.02,
  normal: 0,
  wide: 0.06,
} as const;
const SERIF_FAMILIES = new Set(["Playfair Display", "Merriweather", "Lora"]);

/** Returns a theme's custom properties, for a page or a preview's `.page`. site/parts/page.css derives the others. */
export function createThemeProperties(styles: Content<"styles">): Record<string, string> {
  const { headingFont, headingCase, headingTracking } = styles;
  const { capital, small, slim } = computeLetterWidths(headingFont, headingCase, headingTracking);
  const heroButton = styles.heroButtonColor ?? styles.primaryColor;
  return {
    "--heading-font": createFontStack(headingFont),
    "--body-font": createFontStack(styles.bodyFont),
    // Letters with descenders need more line height than capitals alone.
    "--descends": small < capital ? "1" : "0",
    // The additional height of the font's capitals compared with other fonts, in em (0.81 instead of 0.71).
    "--tall": headingFont === "Oswald" ? "0.1" : "0",
    "--capital": String(capital),
    "--small": String(small),
    "--slim": String(slim),
    "--primary": styles.primaryColor,
    "--on-primary": chooseTextColorOn(styles.primaryColor, styles),
    "--link": chooseLinkColor(styles),
    "--background": styles.backgroundColor,
    "--text": styles.textColor,
    "--dark-grey": DARK_GRAY,
    "--on-dark-grey": ensureReadableOnDarkGray(styles.textColor),
    "--primary-on-dark-grey": ensureReadableOnDarkGray(styles.primaryColor),
    ...createOutlineProperties(styles.heroTextColor ?? styles.textColor),
    // The browser draws its own menus, checkmarks and scrollbars in this scheme.
    "color-scheme": isDark(styles.backgroundColor) ? "dark" : "light",
    // Style sheets use this instead of light-dark(), which the bundler turns into properties that a page doesn't have.
    "--light": isDark(styles.backgroundColor) ? "0" : "1",
    "--accent": styles.accentColor,
    "--radius": styles.borderRadius,
    "--heading-scale": String(HEADING_SCALE[styles.headingSize] * (styles.headingScale / 100)),
    "--heading-weight": styles.headingWeight,
    "--heading-case": headingCase === "capitals" ? "uppercase" : "none",
    "--heading-tracking": `${TRACKING_EM[headingTracking]}em`,
    "--picture-radius": styles.pictureRadius ?? styles.borderRadius,
    "--body-size": BODY_SIZES[styles.bodySize],
    "--hero-background": styles.heroBackgroundColor,
    "--hero-text": styles.heroTextColor ?? styles.textColor,
    "--hero-accent": styles.heroAccentColor ?? styles.primaryColor,
    "--hero-button": heroButton,
    "--on-hero-button": chooseTextColorOn(heroButton, styles),
    "--about-background": styles.aboutBackgroundColor,
    "--section-background": styles.sectionBackgroundColor,
    "--tone-shadow": styles.toneShadow,
    "--tone-middle": styles.toneMiddle,
    "--tone-light": styles.toneLight,
  };
}

/**
 * Returns the attributes of the root element by which style sheets select rules: `data-look` (a name of looks.ts, or
 * "own"), `data-hero` (stage, center, split or card), and `data-pictures` (asShot or oneTone).
 */
export function createThemeAttributes(styles: Content<"styles">): Record<string, string> {
  return {
    "data-look": styles.look,
    "data-hero": styles.heroLayout,
    "data-pictures": styles.pictures,
  };
}

/** Returns the theme as a style sheet for the whole page. Values were validated when they were stored. */
export function createThemeCss(styles: Content<"styles">): string {
  const properties = { ...createThemeProperties(styles), ...createStageColors(styles) };
  const lines = Object.entries(properties).map(([name, value]) => `${name}:${value}`);
  return `:root{${lines.join(";")}}`;
}

/** Returns a text color that is readable on `color`. If `color` is transparent, returns the page's text color. */
const chooseTextColorOn = (color: string, { textColor }: Content<"styles">): string =>
  computeContrastRatio(color, "#FFFFFF") === undefined ? textColor : chooseReadableTextColor(color);

/** Returns the first of the primary, accent and text color that is readable on the background. */
function chooseLinkColor({
  primaryColor,
  accentColor,
  textColor,
  backgroundColor,
}: Content<"styles">) {
  return [primaryColor, accentColor].find(isReadableOn(backgroundColor)) ?? textColor;
}

/** Whether a color is readable on a background. Transparent colors, which have no contrast, count as readable. */
const isReadableOn = (background: string) => (color: string) =>
  (computeContrastRatio(color, background) ?? MIN_CONTRAST) >= MIN_CONTRAST;

/** Returns a section's colors, with the theme's colors where the section has none (as in SectionShell.css). */
export function resolveColors(
  theme: Content<"styles">,
  colors: OptionalSectionColors,
): SectionColors {
  return {
    backgroundColor: colors.backgroundColor ?? theme.sectionBackgroundColor,
    textColor: colors.textColor ?? theme.textColor,
    accentColor: colors.accentColor ?? chooseLinkColor(theme),
  };
}

/** Returns the properties that draw an outline in the text's color (CoachingHero.css). */
function createOutlineProperties(textColor: string): Record<string, string> {
  return {
    "--outline-blend": isDark(textColor) ? "multiply" : "screen",
    "--outline-fill": isDark(textColor) ? "#fff" : "#000",
  };
}

/**
 * Returns the colors of the stage: the dark area with a beam of light on pages such as the 404 page. On a light page,
 * the stage is a dark frame (`--framed` is 1), since light on a light surface would look like a shadow.
 */
function createStageColors(styles: Content<"styles">): Record<string, string> {
  const { backgroundColor, heroBackgroundColor, primaryColor, toneShadow, toneLight } = styles;
  const stageColor = [backgroundColor, heroBackgroundColor, toneShadow].find(isDark) ?? DARK_GRAY;
  const isFramed = stageColor !== backgroundColor;
  const lightColors = [...(isFramed ? [styles.heroAccentColor ?? primaryColor] : []), primaryColor];
  return {
    "--stage": stageColor,
    "--spotlight": [...lightColors, toneLight].find(isReadableOn(stageColor)) ?? "#FFFFFF",
    "--on-stage": isFramed ? "#FFFFFF" : styles.textColor,
    "--framed": isFramed ? "1" : "0",
    "--lit": isDark(heroBackgroundColor) ? "1" : "0.3",
  };
}

const isDark = (color: string) => chooseReadableTextColor(color) === "#FFFFFF";

const ensureReadableOnDarkGray = (textColor: string): string =>
  isReadableOn(DARK_GRAY)(textColor) ? textColor : "#FFFFFF";

/** Returns a font stack: the family, its metric-compatible fallback, and a generic family. */
function createFontStack(family: string): string {
  const generic = SERIF_FAMILIES.has(family) ? "serif" : "sans-serif";
  return `"${family}", "${getFallbackFamily(family)}", ${generic}`;
}

/** Mean advance widths in em of A to Z and a to z, measured at weight 700 in the site's fonts. */
const FONT_LETTER_WIDTHS_EM = new Map<string, readonly [capital: number, small: number]>(
  Object.entries({
    "Bebas Neue": [0.39, 0.39],
    Inter: [0.7, 0.56],
    Montserrat: [0.74, 0.6],
    Roboto: [0.64, 0.51],
    Oswald: [0.54, 0.46],
    "Playfair Display": [0.68, 0.53],
    Raleway: [0.67, 0.55],
    Poppins: [0.68, 0.6],
    Lato: [0.67, 0.51],
    "Source Sans Pro": [0.6, 0.51],
    "Open Sans": [0.66, 0.57],
    Nunito: [0.68, 0.53],
    Merriweather: [0.7, 0.58],
    "PT Sans": [0.59, 0.48],
    Lora: [0.69, 0.54],
  } as const),
);

/** The width of the letters f, l and t relative to the mean letter, for lowercase letters and for capitals. */
const SLIM_LETTER_RATIO = 0.62;
const SLIM_CAPITAL_RATIO = 0.95;

/**
 * Returns the mean widths of a font's capital, lowercase and slim letters, in em, for fitting titles before the font
 * has loaded. An unknown font is assumed to be wide.
 */
export function computeLetterWidths(
  family: string,
  headingCase: Content<"styles">["headingCase"] = "asTyped",
  tracking: Content<"styles">["headingTracking"] = "normal",
): { capital: number; small: number; slim: number } {
  const [capital, lowercase] = FONT_LETTER_WIDTHS_EM.get(family) ?? [0.76, 0.64];
  const small = headingCase === "capitals" ? capital : lowercase;
  const slimRatio = small < capital ? SLIM_LETTER_RATIO : SLIM_CAPITAL_RATIO;
  const addLetterSpacing = (width: number) => Number((width + TRACKING_EM[tracking]).toFixed(3));
  return {
    capital: addLetterSpacing(capital),
    small: addLetterSpacing(small),
    slim: addLetterSpacing(small * slimRatio),
  };
}
