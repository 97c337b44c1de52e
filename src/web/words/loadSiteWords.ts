/** Loads the site's own words in one language, for the dashboard's previews. */
import { useEffect, useState } from "react";
import { findTranslationLanguage, type TranslatedLanguage } from "../../schema/core/languages.ts";
import type { Words } from "./en.ts";
import { type SiteWords, createSiteWords } from "./siteWords.ts";

const WORDS_LOADERS: Readonly<Record<TranslatedLanguage, () => Promise<Words>>> = {
  en: async () => (await import("./en.ts")).en,
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  fr: async () => (await import("./fr.ts")).fr,
  it: async () => (await import("./it.ts")).it,
  nl: async () => (await import("./nl.ts")).nl,
  pl: async () => (await import("./pl.ts")).pl,
  pt: async () => (await import("./pt.ts")).pt,
};

export async function loadSiteWords(language: string): Promise<SiteWords> {
  return createSiteWords(language, await WORDS_LOADERS[findTranslationLanguage(language)]());
}

/** Returns undefined until the words are loaded. */
export function useLoadedWords(language: string): SiteWords | undefined {
  const [words, setWords] = useState<SiteWords>();
  useEffect(() => {
    let isStale = false;
    loadSiteWords(language).then(
      (loadedWords) => isStale || setWords(loadedWords),
      () => undefined,
    );
    return () => {
      isStale = true;
    };
  }, [language]);
  return words;
}
