/** The common fields of sections' settings: heading, colors, and the page that a section is on. */
import { singleton } from "../entities/entity.ts";
import { choice, color, type Fields, longText, optionalColor, text } from "../kinds/fields.ts";

export const SETTINGS_MESSAGES = { save: { failure: "Failed to save settings" } };

/** A section's heading, with its default as the placeholder. */
export const createHeadingField = (initial: string) =>
  text("Section Heading", { initial, placeholder: initial, maxLength: 120 });

/** The settings of an extra that is a section: `createExtraSettings("videoSettings", "Showreel", {})`. */
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

/** A section's colors, set by the owner and by each look. The defaults are prescribed (specification, section 9). */
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

/** Colors that default to the look's, so the section fits every look, including future ones. */
export const createLookColorFields = () => ({
  backgroundColor: optionalColor("Background Color", LOOK_COLOR_HINT),
  textColor: optionalColor("Text Color", LOOK_COLOR_HINT),
  accentColor: optionalColor("Accent Color", LOOK_COLOR_HINT),
});

/** The pages that a section can be on. Some sections can be on both. */
export type SectionPage = "home" | "coaching";

/** Use in a section's settings: `fields: { …, place: createSectionPlaceField() }`. */
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

/** Whether a section with these settings is on a page; false while the settings are unknown. */
export function isOnPage(page: SectionPage, settings: object = {}): boolean {
  const { place }: { readonly place?: unknown } = settings;
  return place === page || place === "both";
}
