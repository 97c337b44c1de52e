/** The languages that an owner can choose for the site's content. */

/**
 * The `lang` values (BCP 47), each with the language's own name. An owner's choice determines the form of dates, the
 * hyphenation, and the language of the site's own texts if they are translated.
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

/** The languages of src/web/words. For other languages the site's own texts are English, with `lang="en"`. */
export const TRANSLATED_LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"] as const;

export type TranslatedLanguage = (typeof TRANSLATED_LANGUAGES)[number];

/** Returns the language of the site's own texts: the content's language if there is a translation, else English. */
export function findTranslationLanguage(language: string): TranslatedLanguage {
  const base = language.replace(/-.*/s, "").toLowerCase();
  return TRANSLATED_LANGUAGES.find((each) => each === base) ?? "en";
}
