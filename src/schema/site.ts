/**
 * The site itself: its name, contact email and language, its details in search engines and messengers, and the owner's
 * progress in setting it up (specification, sections 3.2 and 3.10).
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

/** The initial credit of a site. `page` is package.json's `homepage`; without a page, the name isn't a link. */
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
      // The name is in every message, even in messages to addresses that visitors typed.
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

/** The lengths, in characters, up to which search engines show a title and a description. */
const TITLE_OPTIONS = { maxLength: 60 };
const DESCRIPTION_OPTIONS = { maxLength: 160 };

/** What search engines and messengers show. Empty fields are derived from the page (web/site/pageMetadata.ts). */
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

/**
 * Returns the choices for a state of the setup, on which the welcome assistant and the dashboard depend. Labels of
 * states are never displayed.
 */
const createStateChoices = <const T extends string>(...values: readonly T[]) =>
  values.map((value) => ({ value, label: value }));

/**
 * The owner's progress in setting up the site. A site that is older than the assistant has the state `none`, and gets
 * neither assistant nor checklist.
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
