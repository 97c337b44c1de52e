/** The country list of the enquiry form (spec section 3): codes, English names, dial prefixes. */
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

/** The country whose prefix is offered first (spec section 9). */
export const DEFAULT_DIAL_COUNTRY = "GB";

/** Every country, by name. */
export const COUNTRIES: readonly Country[] = COUNTRY_TABLE.split(";")
  .map((entry) => entry.trim())
  .filter((entry) => entry !== "")
  .map(countryOf);

function countryOf(entry: string): Country {
  const [, code, digits, name] = /^([A-Z]{2})(\d+)(.+)$/.exec(entry)!;
  return { code: code!, name: name!, dial: `+${digits}` };
}
