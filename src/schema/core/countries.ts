/** The country list of the enquiry form (specification, section 3.15): codes, English names, dial prefixes. */
import { COUNTRY_TABLE } from "./countryTable.ts";
import { splitTrimmed } from "./splitTrimmed.ts";

/** One country. Its flag's picture is named after `code`. */
export interface Country {
  /** ISO 3166-1 alpha-2, such as GB. XK, AC and TA are listed too, since they have dial prefixes. */
  readonly code: string;
  /** The English name, which is stored as the answer to a country question. */
  readonly name: string;
  /** The dial prefix with the plus sign, such as +44. */
  readonly dial: string;
}

/** The country whose prefix is preselected (specification, section 9.5). */
export const DEFAULT_DIAL_COUNTRY = "GB";

export const COUNTRIES: readonly Country[] = splitTrimmed(COUNTRY_TABLE, ";").map(parseCountry);

/** Returns a country's name by code, in English by default; undefined for an unknown code. */
export function findCountryName(code: string, language = "en"): string | undefined {
  const english = COUNTRIES.find((country) => country.code === code)?.name;
  if (english === undefined || language === "en") return english;
  const names = new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  return names.of(code) ?? english;
}

export function findDialPrefix(code: string): string | undefined {
  return COUNTRIES.find((country) => country.code === code)?.dial;
}

function parseCountry(entry: string): Country {
  const [, code = "", digits, name = ""] = /^([A-Z]{2})(\d+)(\D.+)$/.exec(entry) ?? [];
  return { code, name, dial: `+${digits}` };
}
