/** The words of every language, for the server. Browsers get only the words that they need. */
import { findTranslationLanguage, type TranslatedLanguage } from "../../schema/core/languages.ts";
import { ANSWER_REFUSALS, VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { de } from "./de.ts";
import { en, type Words } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { translateRefusal } from "./placeholders.ts";
import { de as dePolicy } from "./policy.de.ts";
import { en as enPolicy, type Policy } from "./policy.en.ts";
import { es as esPolicy } from "./policy.es.ts";
import { fr as frPolicy } from "./policy.fr.ts";
import { it as itPolicy } from "./policy.it.ts";
import { nl as nlPolicy } from "./policy.nl.ts";
import { pl as plPolicy } from "./policy.pl.ts";
import { pt as ptPolicy } from "./policy.pt.ts";
import { type SiteWords, createSiteWords } from "./siteWords.ts";

const WORDS_BY_LANGUAGE: Readonly<Record<TranslatedLanguage, { words: Words; policy: Policy }>> = {
  en: { words: en, policy: enPolicy },
  de: { words: de, policy: dePolicy },
  es: { words: es, policy: esPolicy },
  fr: { words: fr, policy: frPolicy },
  it: { words: it, policy: itPolicy },
  nl: { words: nl, policy: nlPolicy },
  pl: { words: pl, policy: plPolicy },
  pt: { words: pt, policy: ptPolicy },
};

/** Returns the site's own words for a language (BCP 47). */
export const getWords = (language: string): SiteWords =>
  createSiteWords(language, WORDS_BY_LANGUAGE[findTranslationLanguage(language)].words);

export const getPolicy = ({ locale }: SiteWords): Policy => WORDS_BY_LANGUAGE[locale].policy;

export const translateRefusalMessage = ({ words, locale }: SiteWords, message: string): string =>
  locale === "en"
    ? message
    : translateRefusal(message, {
        english: { ...VISITOR_REFUSALS, ...ANSWER_REFUSALS },
        sentences: { ...words.refusals, ...words.answers },
        locale,
      });

/** Formats a day (ISO 8601), by default with the month's name: 3 May 2031. English uses the British order. */
export function formatDayInLanguage(
  { locale }: Pick<SiteWords, "locale">,
  day: string,
  parts: Intl.DateTimeFormatOptions = { dateStyle: "long" },
): string {
  const options = { ...parts, timeZone: "UTC" };
  return new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, options).format(new Date(day));
}
