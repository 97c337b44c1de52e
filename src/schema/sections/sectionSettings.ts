/** The fields that the settings of several sections have: heading, colors, and the page that shows the section. */
import { singleton } from "../entities/entity.ts";
import { choice, color, type Fields, longText, optionalColor, text } from "../kinds/fields.ts";

export const SETTINGS_MESSAGES = { save: { failure: "Failed to save settings" } };

/** Returns the field for a section's heading, with the default heading as its placeholder. */
export const createHeadingField = (initial: string) =>
  text("Section Heading", { initial, placeholder: initial, maxLength: 120 });

/** Declares the settings of an extra, such as `createExtraSettings("videoSettings", "Showreel", {})`. */
export const createExtraSettings = <F extends Fields>(key: string, section: string, fields: F) =>
  singleton(key, `${section} settings`, {
    extra: section.toLowerCase(),
    section,
    messages: SETTINGS_MESSAGES,
    colorSet: "calm",
    fields: {
      heading: createHeadingField(section.toUpperCase()),
      description: longText("Section Description"),
      ...fields,
      ...createLookColorFields(),
    },
  });

/** Returns the fields for a section's colors, with the prescribed defaults (specification, section 9). */
export function createSectionColorFields(
  background = "#0A0A0A",
  foreground = "#FFFFFF",
  accent = "#00BFFF",
) {
  return {
    backgroundColor: color("Background Color", background),
    textColor: color("Text Color", foreground),
    accentColor: color("Accent Color", accent),
  };
}

const LOOK_COLOR_HINT = { hint: "Leave empty to use your look's color." };

/** Returns the fields for the colors of an extra; null, the default, for the look's colors. */
export const createLookColorFields = () => ({
  backgroundColor: optionalColor("Background Color", LOOK_COLOR_HINT),
  textColor: optionalColor("Text Color", LOOK_COLOR_HINT),
  accentColor: optionalColor("Accent Color", LOOK_COLOR_HINT),
});

export type SectionPage = "home" | "coaching";

/** Returns the field for the pages that show a section: `fields: { …, place: createSectionPlaceField() }`. */
export const createSectionPlaceField = () =>
  choice(
    "Show on",
    [
      { value: "coaching", label: "Coaching page" },
      { value: "home", label: "Home page" },
      { value: "both", label: "Both pages" },
    ],
    "coaching",
  );

/** Whether a page shows a section with these settings; false while the settings haven't been loaded. */
export function isOnPage(page: SectionPage, settings: object = {}): boolean {
  const { place }: { readonly place?: unknown } = settings;
  return place === page || place === "both";
}
