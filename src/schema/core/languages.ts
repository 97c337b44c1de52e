/** The languages of a site; a module of its own, since only the site settings offer them. */

/**
 * The languages offered for the site's content, as `lang` values (BCP 47), each in its own name. Dates and
 * hyphenation follow it, and the site's own texts if there are translations.
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

/** The languages that the site's own texts are translated to (src/web/words); for others they are marked as English. */
export const TRANSLATED_LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"] as const;

export type TranslatedLanguage = (typeof TRANSLATED_LANGUAGES)[number];

/** The language of the site's own texts: that of its content, or English without a translation. */
export function translationLanguage(language: string): TranslatedLanguage {
  const base = language.replace(/-.*/s, "").toLowerCase();
  return TRANSLATED_LANGUAGES.find((each) => each === base) ?? "en";
}
