/** The site's own words in its owner's language. */
import { createContext, useContext } from "react";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { findTranslationLanguage, type TranslatedLanguage } from "../../schema/core/languages.ts";
import type { Words } from "./en.ts";

/** Words, and what distinguishes them from the owner's. */
export interface SiteWords {
  readonly words: Words;
  /** Their language: for dates, numbers and names of countries. */
  readonly locale: TranslatedLanguage;
  /** For elements with our words, if they are English on a site in another language (WCAG 3.1.2). */
  readonly lang: "en" | undefined;
  /** For the owner's words inside such an element. */
  readonly contentLang: string | undefined;
}

/** `words` are those of `findTranslationLanguage(language)`. */
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

/** The words of the page, or preview, around a component. */
export const useWords = (): SiteWords =>
  assertDefined(useContext(SiteWordsContext), "SiteWordsProvider around a component");
