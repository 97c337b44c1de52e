/** What the settings of sections have in common. */
import { singleton } from "../entities/entity.ts";
import { type Fields, longText, text } from "../kinds/fields.ts";
import { lookColorFields } from "./sectionColors.ts";

export const SETTINGS_MESSAGES = { save: { failure: "Failed to save settings" } };

/** A section's heading, with its default as the placeholder. */
export const headingField = (initial: string) =>
  text("Section Heading", { initial, placeholder: initial, maxLength: 120 });

/** The settings of an extra that is a section: `extraSettings("videoSettings", "Showreel", {})`. */
export const extraSettings = <F extends Fields>(key: string, section: string, fields: F) =>
  singleton(key, `${section} settings`, {
    extra: section.toLowerCase(),
    section,
    messages: SETTINGS_MESSAGES,
    colors: "calm",
    fields: {
      heading: headingField(section.toUpperCase()),
      description: longText("Section Description"),
      ...fields,
      ...lookColorFields(),
    },
  });
