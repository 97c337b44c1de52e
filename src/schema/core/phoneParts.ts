/**
 * Splits a typed phone number into prefix, number and extension. Callers pass the countries, since browsers load their
 * table separately.
 */
import type { Country } from "./countries.ts";
import { toAscii } from "./inputNormalization.ts";

type Countries = readonly Country[];

/** The country with the most numbers, for each prefix that several countries share. */
const MAIN_PREFIX_COUNTRIES = "AU CW FI GB GP IT MA NO RE RU SH US".split(" ");

/** Returns the country of an international number's prefix; if several share it, the one with the most numbers. */
export function findDialCountry(number: string, countries: Countries): Country | undefined {
  const candidates = countries.filter(({ dial }) => number.startsWith(dial));
  return candidates.find(({ code }) => MAIN_PREFIX_COUNTRIES.includes(code)) ?? candidates[0];
}

/**
 * Text that was copied with a number: a label such as "Mobile" or "Office:", the scheme of a link, or a spreadsheet's
 * apostrophe. A prefix chosen in the form may precede this text.
 */
const PHONE_LABEL_PATTERN =
  /(?<=^(?:\+\d{1,3})?)(?:'|(?:\p{L}[\p{L} ./-]{0,20}[.:]|(?:t[ée]l|mob)\p{L}{0,6}|phone|cell|whatsapp|☎|📞|📱)[.:/]{0,2} {0,3})(?=[+(\d])/iu;

/** A WhatsApp link, which may include a message. The number in a link always begins with a prefix. */
const WHATSAPP_LINK_PATTERN =
  /(?<=^(?:\+\d{1,3})?)(?:https?:\/\/)?(?:wa\.me\/|(?:api|web)\.whatsapp\.com\/send\/?\?phone=)(?:\+|%2b)? ?(\d[\d -]{3,}\d)(?:[/?#&].*)?$/i;

/** Returns a typed number in ASCII, without text that was copied with it. */
export const cleanPhoneInput = (input: string): string =>
  toAscii(input)
    .trim()
    .replace(/[.,;]$/, "")
    .replace(WHATSAPP_LINK_PATTERN, "+$1")
    .replace(PHONE_LABEL_PATTERN, " ")
    .trim();

/** An extension after a number: ext 12, (ext 12), x12, #12, and the same in other languages. */
const EXTENSION_PATTERN =
  /[ ,;(]{0,3}(?:ext(?:ensi[oó]n|n)?|[x#~,]|int(?:erno)?|poste|dw|durchwahl|доб|wew|tst|toestel|ramal|anexo|内線)[.:=]? {0,3}(\d{1,7})\)?$/i;

export function splitExtension(text: string) {
  const [extension = "", extensionDigits = ""] = EXTENSION_PATTERN.exec(text) ?? [];
  return {
    number: text.slice(0, text.length - extension.length),
    extension,
    extensionDigits,
  };
}

/** The spellings of a prefix: +44, 0044, (+44), and in Australia 001144. */
const INTERNATIONAL_PREFIX_PATTERN = /^[ (]*(?:\+{1,3}|00(?:11)?)[ (]*/;

/**
 * Splits a number into the country of its prefix and the rest. In `+44+49 151 1`, the typed prefix +49 replaces the
 * chosen +44: the result is Germany and ` 151 1`. Undefined without a prefix, or if no country has the prefix.
 */
export function splitPrefix(
  input: string,
  countries: Countries,
): { country: Country; number: string } | undefined {
  const normalized = input.replace(INTERNATIONAL_PREFIX_PATTERN, "+");
  const country = INTERNATIONAL_PREFIX_PATTERN.test(input)
    ? findDialCountry(normalized, countries)
    : undefined;
  if (!country) return undefined;
  const number = normalized.slice(country.dial.length).replace(/^ *\)/, " ");
  return splitPrefix(number, countries) ?? { country, number };
}
