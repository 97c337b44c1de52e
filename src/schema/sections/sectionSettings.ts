/** The fields that all section settings have in common. */
import { text } from "../kinds/fields.ts";

export const SETTINGS_MESSAGES = { save: { failure: "Failed to save settings" } };

/** A section's heading, with its default as the placeholder. */
export const headingField = (initial: string) =>
  text("Section Heading", { initial, placeholder: initial, maxLength: 120 });
