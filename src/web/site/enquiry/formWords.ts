/** The form's own texts, for the page on the server and for the hydrated form. */
import { createContext, useContext } from "react";
import { COUNTRIES, type Country } from "../../../schema/core/countries.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { ANSWER_REFUSALS } from "../../../schema/core/refusals.ts";
import type { Words } from "../../words/en.ts";
import { translateRefusal } from "../../words/placeholders.ts";
import type { SiteWords } from "../../words/siteWords.ts";

/** The texts that are embedded in the page beside the form. */
export interface FormWords {
  readonly form: Words["form"];
  readonly goHome: string;
  /** Translations of error messages; undefined in English. */
  readonly answers?: Words["answers"];
  readonly locale: string;
  readonly lang: "en" | undefined;
  /** The path of the form's own page; default: the coaching page. */
  readonly pagePath?: string;
}

export const createFormWords = ({ words, locale, lang }: SiteWords): FormWords => ({
  form: words.form,
  goHome: words.goHome,
  ...(locale !== "en" && { answers: words.answers }),
  locale,
  lang,
});

export const translateProblem = ({ answers, locale }: FormWords, message: string): string =>
  answers
    ? translateRefusal(message, { english: ANSWER_REFUSALS, sentences: answers, locale })
    : message;

const FormWordsContext = createContext<FormWords | undefined>(undefined);

export const FormWordsProvider = FormWordsContext.Provider;

/** Returns the texts of the form that contains the component. */
export const useFormWords = (): FormWords =>
  assertDefined(useContext(FormWordsContext), "words of a form");

/** A country with its name in the form's language; `name` is the answer, in English. */
export interface LocalizedCountry extends Country {
  readonly localName: string;
}

const countriesByLocale = new Map<string, readonly LocalizedCountry[]>();

/** Returns the countries in the alphabetical order of the form's language. */
export function getCountries({ locale }: Pick<FormWords, "locale">): readonly LocalizedCountry[] {
  const cached = countriesByLocale.get(locale);
  if (cached) return cached;
  const countries = localizeCountries(locale);
  countriesByLocale.set(locale, countries);
  return countries;
}

function localizeCountries(locale: string): readonly LocalizedCountry[] {
  if (locale === "en") return COUNTRIES.map((country) => ({ ...country, localName: country.name }));
  const names = new Intl.DisplayNames(locale, { type: "region", fallback: "none" });
  const { compare } = new Intl.Collator(locale);
  return COUNTRIES.map((country) => ({
    ...country,
    localName: names.of(country.code) ?? country.name,
  })).toSorted((one, other) => compare(one.localName, other.localName));
}
