/** The site's own words, in the language of the site. */
import { createContext, useContext } from "react";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { findTranslationLanguage, type TranslatedLanguage } from "../../schema/core/languages.ts";
import type { Words } from "./en.ts";

/** The site's own words, with the `lang` attributes for a site in an untranslated language. */
export interface SiteWords {
  readonly words: Words;
  /** The language of the words, also for dates, numbers and names of countries. */
  readonly locale: TranslatedLanguage;
  /** The `lang` of elements with English words on a site in another language (WCAG 3.1.2). */
  readonly lang: "en" | undefined;
  /** The `lang` of the owner's texts inside elements with `lang`. */
  readonly contentLang: string | undefined;
}

/** `words` must be those of `findTranslationLanguage(language)`. */
export function createSiteWords(language: string, words: Words): SiteWords {
  const locale = findTranslationLanguage(language);
  const isUntranslated = locale === "en" && !/^en(?:-|$)/i.test(language);
  return {
    words,
    locale,
    lang: isUntranslated ? "en" : undefined,
    contentLang: isUntranslated ? language : undefined,
  };
}

const SiteWordsContext = createContext<SiteWords | undefined>(undefined);

export const SiteWordsProvider = SiteWordsContext.Provider;

export const useWords = (): SiteWords =>
  assertDefined(useContext(SiteWordsContext), "SiteWordsProvider around a component");
