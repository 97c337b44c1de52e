/** The site's own words in its owner's language. */
import { createContext, useContext } from "react";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { findTranslationLanguage, type TranslatedLanguage } from "../../schema/core/languages.ts";
import type { Words } from "./en.ts";

/** The site's own words, and how their language differs from that of the owner's texts. */
export interface SiteWords {
  readonly words: Words;
  /** The language of the words: for dates, numbers and names of countries. */
  readonly locale: TranslatedLanguage;
  /** The `lang` of elements with our words, if these are English on a site in another language (WCAG 3.1.2). */
  readonly lang: "en" | undefined;
  /** The `lang` of the owner's texts inside such an element. */
  readonly contentLang: string | undefined;
}

/** Creates the site's words for a language. `words` must be those of `findTranslationLanguage(language)`. */
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

/** Returns the words of the page or preview around a component. */
export const useWords = (): SiteWords =>
  assertDefined(useContext(SiteWordsContext), "SiteWordsProvider around a component");
