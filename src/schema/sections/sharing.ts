/** The details of the site that search engines and messengers show (specification, section 3.10). */
import { singleton } from "../entities/entity.ts";
import { longText, optionalImage, text } from "../kinds/fields.ts";

/** In characters, as much of a title and a description as search engines show. */
const TITLE_OPTIONS = { maxLength: 60 };
const DESCRIPTION_OPTIONS = { maxLength: 160 };

/** Empty fields are derived from the page (web/site/head.ts). */
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
