/**
 * The site's settings: its name, contact email and language, its details in search engines and messengers, and the
 * progress of its setup (specification, sections 3.2 and 3.10).
 */
import { singleton } from "./entities/entity.ts";
import {
  choice,
  longText,
  optionalEmail,
  optionalImage,
  optionalLink,
  optionalText,
  order,
  plainName,
  text,
  timeZone,
} from "./kinds/fields.ts";

/** The designer credit of a new site. `page` is the `homepage` in package.json; if null, the name isn't a link. */
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
      // Messages to any address that a visitor enters contain the name. A stolen session could turn it into spam.
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

/** The longest title that search engines show, in characters. */
const TITLE_OPTIONS = { maxLength: 60 };
const DESCRIPTION_OPTIONS = { maxLength: 160 };

/** The details that search engines and messengers show. The page supplies empty ones (web/site/pageMetadata.ts). */
export const sharing = singleton("sharing", "Sharing", {
  fields: {
    homeTitle: text("Title", TITLE_OPTIONS),
    homeDescription: longText("Description", DESCRIPTION_OPTIONS),
    homePicture: optionalImage("Sharing image"),
    coachingTitle: text("Title", TITLE_OPTIONS),
    coachingDescription: longText("Description", DESCRIPTION_OPTIONS),
    coachingPicture: optionalImage("Sharing image"),
    icon: optionalImage("Icon"),
  },
});

/** Returns the choices for a state of the setup. Their labels are never displayed. */
const createStateChoices = <const T extends string>(...values: readonly T[]) =>
  values.map((value) => ({ value, label: value }));

/**
 * The progress of the site's setup. A site that is older than the welcome assistant has the state `none`, and shows
 * neither the assistant nor the checklist.
 */
export const welcome = singleton("welcome", "Welcome", {
  permission: "site",
  readers: "owner",
  hasHistory: false,
  fields: {
    state: choice("Welcome", createStateChoices("none", "open", "later", "done"), "none"),
    step: order("Step"),
    checklist: choice("Next steps", createStateChoices("shown", "hidden", "done"), "shown"),
  },
});
