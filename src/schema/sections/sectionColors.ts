/** The three colors of a section, as fields of its settings. */
import { color, optionalColor } from "../kinds/fields.ts";

/** A section's own colors, set by the owner and by each look; the defaults are those of specification, section 9. */
export function sectionColorFields(
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
export const lookColorFields = () => ({
  backgroundColor: optionalColor("Background Color", LOOK_COLOR_HINT),
  textColor: optionalColor("Text Color", LOOK_COLOR_HINT),
  accentColor: optionalColor("Accent Color", LOOK_COLOR_HINT),
});
