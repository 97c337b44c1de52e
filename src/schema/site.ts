/** The site itself: its name, owner's contact and language (specification, section 3.2). */
import { singleton } from "./entities/entity.ts";
import {
  optionalEmail,
  optionalLink,
  optionalText,
  plainName,
  text,
  timeZone,
} from "./kinds/fields.ts";

/** The initial credit of a site. `page` is package.json's `homepage`; without one, the name isn't a link. */
const PROGRAM_CREDIT: { readonly name: string; readonly page: string | null } = {
  name: "Limelight",
  page: null,
};

export const site = singleton("site", "Site", {
  permission: "site",
  missingFieldMessage: "Enter a site name",
  version: 2,
  fields: {
    name: text("Site name", {
      required: true,
      initial: "Your Name",
      maxLength: 80,
      // In every message, those to addresses that visitors type included.
      isReauthenticationRequired: true,
    }),
    contactEmail: optionalEmail("Contact email"),
    agencyName: optionalText("Designer credit", {
      initial: PROGRAM_CREDIT.name,
      maxLength: 80,
      hint: "The site's designer, shown in the footer.",
    }),
    agencyUrl: optionalLink("Credit link", { initial: PROGRAM_CREDIT.page }),
    language: plainName("Language", [], "en", {
      hint: "The language of your texts, for screen readers, dates and hyphenation.",
    }),
    timeZone: timeZone("Time zone"),
  },
});
