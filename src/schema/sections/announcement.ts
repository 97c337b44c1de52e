/** The announcement: one line of text at the top of every page. */
import { singleton } from "../entities/entity.ts";
import type { Extra } from "../entities/extra.ts";
import { optionalLink, optionalText } from "../kinds/fields.ts";
import { createDisplayPeriodFields } from "../entities/displayPeriod.ts";

export const extra: Extra = {
  label: "Announcement",
  description: "One line at the top of every page, until a date you choose.",
  group: "home",
};

/** The announcement, which is hidden while its text is empty. */
export const announcement = singleton("announcement", "Announcement", {
  extra: "announcement",
  fields: {
    text: optionalText("Text", {
      maxLength: 120,
      placeholder: "The final is on Sunday at nine",
    }),
    link: optionalLink("Link (optional)", { hint: "Leave empty for no link." }),
    ...createDisplayPeriodFields(),
  },
});
