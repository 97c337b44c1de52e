/**
 * The six looks. A look sets the fonts, the colors of all sections, the rounding of corners and the hero's layout.
 * Owners can change each of these values afterwards.
 */
import type { ColorSetName } from "../entities/entity.ts";
import { allEntities, entities, type Item, type SingletonKey } from "../index.ts";
import { comparePageOrder } from "../sections/pageOrder.ts";
import { createRecord } from "../core/createRecord.ts";

type LookName = Exclude<Item<"styles">["look"], "own">;

/** The styles that a look sets: all except sizes, the order and visibility of sections, and `pictures`. */
type LookStyles = Omit<
  Item<"styles">,
  "headingSize" | "bodySize" | "sectionOrder" | "hiddenSections" | "pictures"
>;

export interface SectionColors {
  readonly backgroundColor: string;
  readonly textColor: string;
  readonly accentColor: string;
}

/** The colors of a section; null for the theme's color. */
export type OptionalSectionColors = { readonly [Name in keyof SectionColors]: string | null };

export type ColoredSettingsKey = {
  [K in Exclude<SingletonKey, "styles">]: Item<K> extends OptionalSectionColors ? K : never;
}[Exclude<SingletonKey, "styles">];

/** The keys of the singletons with a section's colors, in page order, without extras, which use the look's colors. */
export const COLORED_SETTINGS_KEYS = allEntities
  .filter(
    (entity) => entity.shape === "singleton" && entity.colorSet !== undefined && !entity.extra,
  )
  .toSorted(comparePageOrder)
  .map(({ key }) => key) as readonly ColoredSettingsKey[];

export const getSectionName = (key: ColoredSettingsKey): string =>
  entities[key].label.replace(/ settings$/i, "");

export const THEME_COLORS: OptionalSectionColors = {
  backgroundColor: null,
  textColor: null,
  accentColor: null,
};

export const canUseThemeColors = (key: ColoredSettingsKey): boolean =>
  (entities[key].fields.backgroundColor.initial as string | null) === null;

/** Returns the colors that a look sets for each section. Calm sections get the theme's colors if they can use them. */
const createSectionColors = (colorSets: Readonly<Record<ColorSetName, SectionColors>>) =>
  createRecord(
    COLORED_SETTINGS_KEYS.map((key) => {
      const { colorSet = "calm" } = entities[key];
      return [
        key,
        canUseThemeColors(key) && colorSet === "calm" ? THEME_COLORS : colorSets[colorSet],
      ] as const;
    }),
  ) as Look["sections"];

export interface Look {
  readonly name: LookName;
  readonly label: string;
  readonly note: string;
  readonly styles: LookStyles;
  readonly sections: { readonly [K in ColoredSettingsKey]: Pick<Item<K>, keyof SectionColors> };
}

function createLook(
  name: LookName,
  label: string,
  note: string,
  styles: Omit<LookStyles, "look" | "sectionBackgroundColor">,
  colorSets: Readonly<Record<ColorSetName, SectionColors>>,
): Look {
  return {
    name,
    label,
    note,
    styles: { ...styles, look: name, sectionBackgroundColor: colorSets.calm.backgroundColor },
    sections: createSectionColors(colorSets),
  };
}

const createColors = (
  backgroundColor: string,
  textColor: string,
  accentColor: string,
): SectionColors => ({ backgroundColor, textColor, accentColor });

/** All looks, in the order of the gallery. */
export const LOOKS: readonly Look[] = [
  createLook(
    "spotlight",
    "Spotlight",
    "Black, one blue light",
    {
      headingFont: "Bebas Neue",
      headingWeight: "400",
      // Bebas Neue has only capital letters.
      headingCase: "asTyped",
      headingTracking: "normal",
      headingScale: 100,
      bodyFont: "Inter",
      backgroundColor: "#000000",
      textColor: "#FFFFFF",
      primaryColor: "#00BFFF",
      accentColor: "#00BFFF",
      heroBackgroundColor: "#000000",
      heroTextColor: null,
      heroAccentColor: null,
      heroButtonColor: null,
      aboutBackgroundColor: "#04090D",
      borderRadius: "6px",
      pictureRadius: "4px",
      heroLayout: "stage",
      toneShadow: "#02070C",
      toneMiddle: "#0D6BAD",
      toneLight: "#DBF7FF",
    },
    {
      posters: createColors("#000000", "#FFFFFF", "#00BFFF"),
      calm: createColors("#070A0D", "#FFFFFF", "#00BFFF"),
    },
  ),
  createLook(
    "broadway",
    "Broadway",
    "Theater red on cream",
    {
      headingFont: "Oswald",
      headingWeight: "600",
      headingCase: "capitals",
      headingTracking: "tight",
      headingScale: 74,
      bodyFont: "Merriweather",
      backgroundColor: "#FBF3E4",
      textColor: "#2A0D0C",
      primaryColor: "#A8141B",
      // The press section shows names in this color on its red background.
      accentColor: "#FFD98F",
      heroBackgroundColor: "#2B0305",
      heroTextColor: "#FFF4DF",
      heroAccentColor: "#FFD98F",
      heroButtonColor: "#FFE2A8",
      aboutBackgroundColor: "#FBF3E4",
      borderRadius: "2px",
      pictureRadius: null,
      heroLayout: "stage",
      toneShadow: "#120102",
      toneMiddle: "#A3121A",
      toneLight: "#FFEBC8",
    },
    {
      posters: createColors("#8A0E15", "#FFF4DF", "#FFD98F"),
      calm: createColors("#FBF3E4", "#2A0D0C", "#A8141B"),
    },
  ),
  createLook(
    "daylight",
    "Daylight",
    "White and quiet",
    {
      headingFont: "Playfair Display",
      headingWeight: "500",
      headingCase: "asTyped",
      headingTracking: "tighter",
      headingScale: 84,
      bodyFont: "Source Sans Pro",
      backgroundColor: "#FFFFFF",
      textColor: "#111111",
      primaryColor: "#111111",
      accentColor: "#A63A0A",
      heroBackgroundColor: "#FFFFFF",
      heroTextColor: null,
      heroAccentColor: "#A63A0A",
      heroButtonColor: null,
      aboutBackgroundColor: "#FFFFFF",
      borderRadius: "0",
      pictureRadius: null,
      heroLayout: "split",
      toneShadow: "#0A0A0A",
      toneMiddle: "#6E6B67",
      toneLight: "#FFFFFF",
    },
    {
      posters: createColors("#F5F2ED", "#111111", "#A63A0A"),
      calm: createColors("#FFFFFF", "#111111", "#A63A0A"),
    },
  ),
  createLook(
    "velvet",
    "Velvet",
    "Plum and gold",
    {
      headingFont: "Raleway",
      headingWeight: "300",
      headingCase: "capitals",
      headingTracking: "wide",
      headingScale: 56,
      bodyFont: "Lora",
      backgroundColor: "#1B0A1E",
      textColor: "#F8EDF4",
      primaryColor: "#E2BE6A",
      accentColor: "#E2BE6A",
      heroBackgroundColor: "#120515",
      heroTextColor: null,
      heroAccentColor: null,
      heroButtonColor: null,
      aboutBackgroundColor: "#26102B",
      borderRadius: "999px",
      pictureRadius: "20px",
      heroLayout: "center",
      toneShadow: "#0C0310",
      toneMiddle: "#7D2A78",
      toneLight: "#FBE3A6",
    },
    {
      posters: createColors("#1B0A1E", "#F8EDF4", "#E2BE6A"),
      calm: createColors("#26102B", "#F8EDF4", "#E2BE6A"),
    },
  ),
  createLook(
    "neon",
    "Neon",
    "Violet night, pink light",
    {
      headingFont: "Montserrat",
      headingWeight: "900",
      headingCase: "capitals",
      // With tighter spacing, letters of this weight almost touch.
      headingTracking: "normal",
      headingScale: 60,
      bodyFont: "Nunito",
      backgroundColor: "#07060F",
      textColor: "#F4F2FF",
      primaryColor: "#FF4D9D",
      accentColor: "#2BE4F2",
      heroBackgroundColor: "#07060F",
      heroTextColor: null,
      heroAccentColor: "#2BE4F2",
      heroButtonColor: null,
      aboutBackgroundColor: "#0E0A22",
      borderRadius: "14px",
      pictureRadius: null,
      heroLayout: "stage",
      toneShadow: "#0A0420",
      toneMiddle: "#D0198A",
      toneLight: "#A6FBFF",
    },
    {
      posters: createColors("#07060F", "#F4F2FF", "#2BE4F2"),
      calm: createColors("#0E0A22", "#F4F2FF", "#2BE4F2"),
    },
  ),
  createLook(
    "studio",
    "Studio",
    "Light gray and lime",
    {
      headingFont: "Poppins",
      headingWeight: "700",
      headingCase: "asTyped",
      headingTracking: "tightest",
      headingScale: 66,
      bodyFont: "Open Sans",
      backgroundColor: "#E9ECEF",
      textColor: "#14181C",
      primaryColor: "#D4FF3F",
      accentColor: "#14181C",
      heroBackgroundColor: "#E9ECEF",
      heroTextColor: null,
      heroAccentColor: "#14181C",
      heroButtonColor: null,
      aboutBackgroundColor: "#E9ECEF",
      borderRadius: "12px",
      pictureRadius: null,
      heroLayout: "card",
      toneShadow: "#0E1216",
      toneMiddle: "#66727D",
      toneLight: "#FFFFFF",
    },
    {
      posters: createColors("#FFFFFF", "#14181C", "#14181C"),
      calm: createColors("#E9ECEF", "#14181C", "#14181C"),
    },
  ),
];

/** Returns the look with this name; undefined for "own", which means custom styles. */
export function findLook(name: string): Look | undefined {
  return LOOKS.find((each) => each.name === name);
}
