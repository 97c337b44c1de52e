/** What the settings of every section have in common. */
import { text } from "./fields.ts";

export const SETTINGS_MESSAGES = { save: { failure: "Failed to save settings" } };

/** The heading above a section, with its first value as an example. */
export const heading = (initial: string) =>
  text("Section Heading", { initial, placeholder: initial, maxLength: 120 });
