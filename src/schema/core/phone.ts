/** Reads typed phone numbers. Visitors' pages don't load this module, since its library has tables of all countries. */
import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { COUNTRIES, type Country } from "./countries.ts";
import { cleanPhoneInput, splitExtension, splitPrefix } from "./phoneParts.ts";

interface Phone {
  /** The prefix, such as +44; only the plus sign if no country has the prefix; empty for a national number. */
  readonly prefix: string;
  /** The number as typed, but without the trunk prefix, which is dialed only within a country. */
  readonly number: string;
  /** The extension as typed, such as " ext 12". */
  readonly extension: string;
  readonly extensionDigits: string;
}

/**
 * Splits a phone number into its parts. The prefix may be typed as `+44`, `0044` or `(+44)`, repeated, or followed by a
 * trunk zero. An impossible number remains as typed. The input may have at most a few hundred characters.
 */
function parsePhone(input: string): Phone {
  const { number, ...extension } = splitExtension(cleanPhoneInput(input));
  const parts = splitPrefix(number, COUNTRIES);
  if (!parts)
    return {
      prefix: number.startsWith("+") ? "+" : "",
      number: number.replace(/^\+/, ""),
      ...extension,
    };
  const { country } = parts;
  const parsed = parsePossibleNumber(country, parts.number);
  if (!parsed) return { prefix: country.dial, number: parts.number, ...extension };
  const prefix = `+${parsed.countryCallingCode}`;
  const typedNumber = restoreTypedSpacing(parts.number, parsed.nationalNumber);
  const displayNumber = typedNumber ?? parsed.formatInternational().slice(prefix.length);
  return { prefix, number: displayNumber, ...extension };
}

/** Returns a phone number in its stored form: prefix, number and extension. */
export function normalizePhone(input: string): string {
  const { prefix, number, extension } = parsePhone(input);
  return prefix + number + extension;
}

/** Returns the digits to dial, with the prefix if the number has one, and separately the digits of the extension. */
export function parseDialableNumber(input: string): {
  readonly number: string;
  readonly extensionDigits: string;
} {
  const { prefix, number, extensionDigits } = parsePhone(input);
  return { number: prefix + number.replace(/\D/g, ""), extensionDigits };
}

/**
 * A number with at most this many digits may begin with an area code that equals the country's prefix, such as 55 in
 * Brazil. In a longer number, the same digits are the prefix.
 */
const MAX_AMBIGUOUS_DIGITS = 11;

/** Obsolete trunk prefixes that people still type, such as 044 in Mexico or 8 in Uzbekistan. */
const OBSOLETE_TRUNK_PATTERN = /^\D{0,3}(?:04[45]|01?|8)/;

function parsePossibleNumber(country: Country, number: string) {
  const parsed = parseNationalNumber(country, number);
  if (parsed?.isPossible()) return parsed;
  const [trunk = ""] = OBSOLETE_TRUNK_PATTERN.exec(number) ?? [];
  const withoutTrunk = trunk ? parseNationalNumber(country, number.slice(trunk.length)) : undefined;
  return withoutTrunk?.isValid() ? withoutTrunk : undefined;
}

/** Parses a number that may begin with the country's prefix without a plus sign: "49 151 12345678". */
function parseNationalNumber({ code, dial }: Country, number: string) {
  const [, afterPrefix] = number.trim().split(new RegExp(`^${dial.slice(1)}(?=\\D)`));
  const isLong = number.replace(/\D/g, "").length > MAX_AMBIGUOUS_DIGITS;
  const withoutRepeatedPrefix =
    afterPrefix && isLong ? parsePhoneNumberFromString(dial + afterPrefix) : undefined;
  return withoutRepeatedPrefix?.isValid()
    ? withoutRepeatedPrefix
    : parsePhoneNumberFromString(number, code as CountryCode);
}

/**
 * Returns the end of a typed number, from the first of `digits` on, with its spaces but without an unpaired bracket.
 * Undefined if the number doesn't end with `digits`.
 */
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
