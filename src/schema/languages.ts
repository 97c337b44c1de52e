/** The languages that a site can be written in; apart, since only the site settings offer them. */

/**
 * The languages offered for the site's words, as `lang` takes them (BCP 47), each named in itself. Dates
 * and hyphens follow, and the site's own words where there are some.
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

/** The languages that the site's own words are there in (src/web/words); elsewhere they are English and say so. */
export const LANGUAGES_WITH_WORDS = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"] as const;

export type LanguageWithWords = (typeof LANGUAGES_WITH_WORDS)[number];

/** The language that a site's own words are in: of what it is written in, or English where there are no words. */
export function languageOfWords(language: string): LanguageWithWords {
  const base = language.replace(/-.*/s, "").toLowerCase();
  return LANGUAGES_WITH_WORDS.find((each) => each === base) ?? "en";
}
