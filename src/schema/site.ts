/** Whose site it is: the name in texts and titles, the contact of the policy, the footers' credit. */
import { singleton } from "./entity.ts";
import { optionalEmail, optionalLink, optionalText, text } from "./fields.ts";

export const site = singleton("site", "Site", {
  incomplete: "The site needs a name",
  fields: {
    name: text("Site name", { required: true, initial: "Your Name", maxLength: 80 }),
    contactEmail: optionalEmail("Contact e-mail"),
    agencyName: optionalText("Credit", {
      maxLength: 80,
      hint: "Who designed the site, shown in the footer.",
    }),
    agencyUrl: optionalLink("Credit link"),
  },
});
