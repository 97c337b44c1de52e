/** Reads phone numbers as people type them. No visitor's page loads it: it has the tables of all countries. */
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { COUNTRIES, type Country } from "./countries.ts";
import { cleanTypedPhone, splitExtension, splitPrefix } from "./phoneParts.ts";

/** A number in its parts. */
interface Phone {
  /** With the plus sign, such as +44; the sign alone before one of no country, nothing in a number without one. */
  readonly prefix: string;
  /** Without what is dialed only within its country; spaced as typed, also at its beginning. */
  readonly number: string;
  /** As typed, such as " ext 12", and its digits. */
  readonly extension: string;
  readonly digits: string;
}

/**
 * Reads a number of at most a few hundred characters: `+`, `00`, `(+44)`, a repeated prefix and a trunk zero all mean
 * the same. A text that can't be a number of its country stays as typed.
 */
function readPhone(typed: string): Phone {
  const { number, ...extension } = splitExtension(cleanTypedPhone(typed));
  const split = splitPrefix(number, COUNTRIES);
  if (!split)
    return {
      prefix: number.startsWith("+") ? "+" : "",
      number: number.replace(/^\+/, ""),
      ...extension,
    };
  const { country } = split;
  const parsed = parsePossibleNumber(country, split.number);
  if (!parsed) return { prefix: country.dial, number: split.number, ...extension };
  const prefix = `+${parsed.countryCallingCode}`;
  const spaced = restoreTypedSpacing(split.number, parsed.nationalNumber);
  const written = spaced ?? parsed.formatInternational().slice(prefix.length);
  return { prefix, number: written, ...extension };
}

/** The number as it is stored: the prefix joined to the number. */
export function normalizePhone(typed: string): string {
  const { prefix, number, extension } = readPhone(typed);
  return prefix + number + extension;
}

/** The digits to dial, with the prefix if there is one, and those of an extension. */
export function dialableNumber(typed: string): {
  readonly number: string;
  readonly digits: string;
} {
  const { prefix, number, digits } = readPhone(typed);
  return { number: prefix + number.replace(/\D/g, ""), digits };
}

/** Area codes may be the digits of the country's prefix (55 in Brazil), but such numbers have at most 11 digits. */
const MAX_AMBIGUOUS_DIGITS = 11;

/**
 * Typed before numbers of countries that never had them, or have abolished them: 044 in Mexico, 8 in
 * Uzbekistan.
 */
const OBSOLETE_TRUNK_PATTERN = /^\D{0,3}(?:04[45]|01?|8)/;

function parsePossibleNumber(country: Country, number: string) {
  const parsed = parseNationalNumber(country, number);
  if (parsed?.isPossible()) return parsed;
  const [trunk = ""] = OBSOLETE_TRUNK_PATTERN.exec(number) ?? [];
  const shorter = trunk ? parseNationalNumber(country, number.slice(trunk.length)) : undefined;
  return shorter?.isValid() ? shorter : undefined;
}

/** Parses as the library does, and recognizes the country's own prefix without a plus sign: "49 151 12345678". */
function parseNationalNumber({ code, dial }: Country, number: string) {
  const [, repeated] = number.trim().split(new RegExp(`^${dial.slice(1)}(?=\\D)`));
  const isLong = number.replace(/\D/g, "").length > MAX_AMBIGUOUS_DIGITS;
  const shorter = repeated && isLong ? parsePhoneNumberFromString(dial + repeated) : undefined;
  return shorter?.isValid() ? shorter : parsePhoneNumberFromString(number, code as CountryCode);
}

/** The end of the typed number that has these digits, without half a pair of brackets; undefined if none has. */
function restoreTypedSpacing(typed: string, digits: string): string | undefined {
  let start = typed.length;
  for (let count = 0; count < digits.length && start > 0;)
    if (/\d/.test(typed[--start] ?? "")) count++;
  const end = typed.slice(start);
  if (end.replace(/\D/g, "") !== digits) return undefined;
  const before = typed.slice(0, start);
  const isBracketed = before.endsWith("(");
  const number = isBracketed ? `(${end}` : end.replace(/^(\d*)\)/, "$1");
  return (/[^\d()]/.test(before) ? " " : "") + number;
}
