/** The site as a whole: whose it is, and its language (specification, section 3.2). */
import { singleton } from "./entity.ts";
import { optionalEmail, optionalLink, optionalText, plainName, text } from "./fields.ts";

/**
 * The languages offered for the site's words, as `lang` takes them (BCP 47), each named in itself. Dates
 * and hyphens follow; the texts that come with the program stay English.
 */
export const LANGUAGES = [
  { value: "en", label: "English" },
  { value: "en-US", label: "English (United States)" },
  { value: "ar", label: "العربية" },
  { value: "cs", label: "Čeština" },
  { value: "da", label: "Dansk" },
  { value: "de", label: "Deutsch" },
  { value: "el", label: "Ελληνικά" },
  { value: "es", label: "Español" },
  { value: "fi", label: "Suomi" },
  { value: "fr", label: "Français" },
  { value: "he", label: "עברית" },
  { value: "hu", label: "Magyar" },
  { value: "it", label: "Italiano" },
  { value: "ja", label: "日本語" },
  { value: "ko", label: "한국어" },
  { value: "nb", label: "Norsk" },
  { value: "nl", label: "Nederlands" },
  { value: "pl", label: "Polski" },
  { value: "pt", label: "Português" },
  { value: "ro", label: "Română" },
  { value: "sv", label: "Svenska" },
  { value: "tr", label: "Türkçe" },
  { value: "uk", label: "Українська" },
  { value: "zh", label: "中文" },
] as const;

export const site = singleton("site", "Site", {
  permission: "site",
  incomplete: "The site needs a name",
  version: 2,
  // The language, which version 2 added, is there with its first value.
  migrations: { 1: (site) => site },
  fields: {
    name: text("Site name", { required: true, initial: "Your Name", maxLength: 80 }),
    contactEmail: optionalEmail("Contact email"),
    agencyName: optionalText("Credit", {
      maxLength: 80,
      hint: "Who designed the site, shown in the footer.",
    }),
    agencyUrl: optionalLink("Credit link"),
    language: plainName("Language", LANGUAGES, "en", {
      hint: "What you write in: for screen readers, dates and hyphens.",
    }),
  },
});
