/** The country list of the enquiry form (specification, section 3.15): codes, English names, dial prefixes. */
import { COUNTRY_TABLE } from "./countryTable.ts";

/** One country; its flag is found by `code`. */
export interface Country {
  /** ISO 3166-1 alpha-2, such as GB (and XK, AC, TA, which phones know). */
  readonly code: string;
  /** The English name: what a country question stores. */
  readonly name: string;
  /** With the plus sign, such as +44. */
  readonly dial: string;
}

/** The country whose prefix is offered first (specification, section 9.5). */
export const DEFAULT_DIAL_COUNTRY = "GB";

export const COUNTRIES: readonly Country[] = COUNTRY_TABLE.split(";")
  .map((entry) => entry.trim())
  .filter((entry) => entry !== "")
  .map(countryOf);

/** The English name of a country's code; undefined for an unknown code. */
export const countryNamed = (code: string): string | undefined =>
  COUNTRIES.find((country) => country.code === code)?.name;

/** The dial prefix of a country's code; undefined for an unknown code. */
export function dialOf(code: string): string | undefined {
  return COUNTRIES.find((country) => country.code === code)?.dial;
}

/** Of the countries that share a prefix, the one that most numbers come from. */
const LARGEST = "AU CW FI GB GP IT MA NO RE RU SH US".split(" ");

/** The country whose prefix an international number starts with; the largest of several. */
export function dialCountryOf(number: string): Country | undefined {
  const fitting = COUNTRIES.filter(({ dial }) => number.startsWith(dial));
  return fitting.find(({ code }) => LARGEST.includes(code)) ?? fitting[0];
}

/** Where a number keeps its first 0 after the prefix. */
const KEEPS_ZERO = "BF BJ CG CI GA IT NE SM TJ VA".split(" ");

/** A number without the 0 that is dialled within its country only; as it is where there is none. */
export function withoutTrunkZero(code: string, number: string): string {
  return KEEPS_ZERO.includes(code) ? number : number.replace(/^[\s(]*0[\s)]*/, "");
}

/**
 * What to dial of a number as it was typed: its digits, with its plus sign. "(0)" is said and not dialed, nor is the 0
 * behind a prefix that is dialed within the country only.
 */
export function dialed(phone: string): string {
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
