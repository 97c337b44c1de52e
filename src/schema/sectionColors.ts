/** The three colors of a section, as fields of its settings. */
import { color, optionalColor } from "./fields.ts";

/**
 * Colors of its own, which the owner sets and each look sets anew; the first values are those of
 * specification, section 9.
 */
export function sectionColors(background = "#0A0A0A", foreground = "#FFFFFF", accent = "#00BFFF") {
  return {
    backgroundColor: color("Background Color", background),
    textColor: color("Text Color", foreground),
    accentColor: color("Accent Color", accent),
  };
}

const AS_THE_LOOK = { hint: "Empty: as your look says." };

/** Colors that are the look's wherever the owner has set none: so a section is in every look, those to come too. */
export const lookColors = () => ({
  backgroundColor: optionalColor("Background Color", AS_THE_LOOK),
  textColor: optionalColor("Text Color", AS_THE_LOOK),
  accentColor: optionalColor("Accent Color", AS_THE_LOOK),
});
