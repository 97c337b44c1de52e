/** The country list of the enquiry form (specification, section 3.15): codes, English names, dial prefixes. */
import { COUNTRY_TABLE } from "./countryTable.ts";
import { asciiForm } from "./typedNumber.ts";

/** One country; its flag is named after `code`. */
export interface Country {
  /** ISO 3166-1 alpha-2, such as GB (and XK, AC and TA, which have prefixes). */
  readonly code: string;
  /** The English name: what a country question stores. */
  readonly name: string;
  /** With the plus sign, such as +44. */
  readonly dial: string;
}

/** The country whose prefix is preselected (specification, section 9.5). */
export const DEFAULT_DIAL_COUNTRY = "GB";

export const COUNTRIES: readonly Country[] = COUNTRY_TABLE.split(";")
  .map((entry) => entry.trim())
  .filter((entry) => entry !== "")
  .map(countryOf);

/** A country's English name by code; undefined for an unknown code. */
export const countryNamed = (code: string): string | undefined =>
  COUNTRIES.find((country) => country.code === code)?.name;

/** A country's dial prefix by code; undefined for an unknown code. */
export function dialOf(code: string): string | undefined {
  return COUNTRIES.find((country) => country.code === code)?.dial;
}

/** Among countries that share a prefix, the one with the most numbers. */
const LARGEST = "AU CW FI GB GP IT MA NO RE RU SH US".split(" ");

/** The country of an international number's prefix; the largest if several share it. */
export function dialCountryOf(number: string): Country | undefined {
  const fitting = COUNTRIES.filter(({ dial }) => number.startsWith(dial));
  return fitting.find(({ code }) => LARGEST.includes(code)) ?? fitting[0];
}

/** A number as typed, in ASCII and without the scheme of a copied link. */
export const phoneForm = (typed: string): string => asciiForm(typed).replace(/^tel:/i, "");

/** Behind a number: ext 12, x12, #12, and the same in other languages. */
const EXTENSION =
  /[ ,;]{0,3}(?:ext(?:ension|n)?|x|#|,|int(?:erno)?|poste|dw|durchwahl|доб|wew|tst|ramal)[.:=]? {0,3}(\d{1,7})$/i;

/** A number in ASCII, the extension behind it as typed, and that one's digits. */
export function splitExtension(text: string) {
  const [extension = "", digits = ""] = EXTENSION.exec(text) ?? [];
  return { number: text.slice(0, text.length - extension.length), extension, digits };
}

/** How a prefix is written: +44, 0044, (+44), and in Australia 001144. */
const INTERNATIONAL = /^[ (]*(?:\+{1,3}|00(?:11)?)[ (]*/;

/**
 * Splits a number as typed at its prefix. Behind one that was chosen, a typed one wins: `+44+49 151 1` is `+49` and
 * ` 151 1`. Undefined for a number without a prefix, or with one of no country.
 */
export function splitPrefix(typed: string): { country: Country; number: string } | undefined {
  const rest = typed.replace(INTERNATIONAL, "+");
  const country = INTERNATIONAL.test(typed) ? dialCountryOf(rest) : undefined;
  if (!country) return undefined;
  const number = rest.slice(country.dial.length).replace(/^ *\)/, " ");
  return splitPrefix(number) ?? { country, number };
}

function countryOf(entry: string): Country {
  const [, code = "", digits, name = ""] = /^([A-Z]{2})(\d+)(\D.+)$/.exec(entry) ?? [];
  return { code, name, dial: `+${digits}` };
}
