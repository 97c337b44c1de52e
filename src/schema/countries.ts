/** The country list of the enquiry form (specification, section 3.15): codes, English names, dial prefixes. */
import { COUNTRY_TABLE } from "./countryTable.ts";

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

/** Countries whose numbers keep the leading 0 after the prefix. */
const KEEPS_ZERO = "BF BJ CG CI GA IT NE SM TJ VA".split(" ");

/** A number without the leading 0 that is dialed only within its country, if any. */
export function withoutTrunkZero(code: string, number: string): string {
  return KEEPS_ZERO.includes(code) ? number : number.replace(/^[\s(]*0[\s)]*/, "");
}

/**
 * The digits to dial for a number as typed, with its plus sign. Omits "(0)", and a leading 0 after a prefix where it
 * is dialed only within the country.
 */
export function numberToDial(phone: string): string {
  const digits = phone.replace(/\(0\)/, "").replace(/\D/g, "");
  if (!phone.trim().startsWith("+")) return digits;
  const number = `+${digits}`;
  const country = dialCountryOf(number);
  if (!country) return number;
  return country.dial + withoutTrunkZero(country.code, number.slice(country.dial.length));
}

function countryOf(entry: string): Country {
  const [, code = "", digits, name = ""] = /^([A-Z]{2})(\d+)(\D.+)$/.exec(entry) ?? [];
  return { code, name, dial: `+${digits}` };
}
