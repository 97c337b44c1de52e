/**
 * Makes a visitor's text safe to send to an unconfirmed address. Otherwise anybody could enter a stranger's address and
 * send that person a message in the site's name.
 */
import { COUNTRIES } from "../../schema/core/countries.ts";

const MAX_NAME_LENGTH = 40;
/**
 * Letters of any script with their marks, separated by spaces, hyphens or apostrophes. Scripts other than Latin also
 * use middle dots, joiners, and the Hebrew signs for foreign sounds.
 */
const NAME_PATTERN =
  /^\p{L}[\p{L}\p{M}]*(?:[ '’´\p{Pd}·・׳״\u200c\u200d]{1,2}\p{L}[\p{L}\p{M}]*)*$/u;
/** Matches separators that no Latin name has, since they look like a full stop or are invisible. Catalan writes l·l. */
const NON_LATIN_SEPARATOR_PATTERN = /[・׳״\u200c\u200d]|(?<![lL])·|·(?![lL])/;
/**
 * Matches an initial with its full stop: a capital letter, or a letter of a script without capitals (Georgian letters
 * count as lower case). No two letters may follow, since the full stop may then be part of an address.
 */
const INITIAL_PATTERN =
  /(?<![\p{L}\p{M}])([\p{Lu}\p{Lt}\p{Lo}\p{Script=Georgian}]\p{M}{0,3})\.(?![\p{L}\p{M}]{2})/gu;
/** Detects Latin names with letters or separators of other scripts, which can look like Latin ones. */
const isMixedScript = (name: string) =>
  /\p{Script=Latin}/u.test(name) &&
  (/[^\P{L}\p{Script=Latin}\p{Script=Common}]/u.test(name) ||
    NON_LATIN_SEPARATOR_PATTERN.test(name));

/** Returns a name that is safe in a message to anybody; null for a text that may not be a name. */
export function sanitizeName(input: string | null | undefined): string | null {
  const name = (input ?? "").trim().replace(/\s+/g, " ");
  if (name.length > MAX_NAME_LENGTH || isMixedScript(name)) return null;
  return NAME_PATTERN.test(name.replace(INITIAL_PATTERN, "$1 ").trim()) ? name : null;
}

/** Full stops that programs accept in host names (UTS 46), and a look-alike. */
const DOT_PATTERN = "[.\u3002\uff0e\uff61\u2024]";
/** Matches web and email addresses, host names and IP addresses, with or without a protocol. */
const ADDRESS_PATTERN = new RegExp(
  `[:/\\\\]{2}|@|[\\p{L}\\p{N}]${DOT_PATTERN}\\p{L}[\\p{L}\\p{N}]|\\d{1,3}(?:${DOT_PATTERN}\\d{1,3}){3}`,
  "u",
);

/**
 * Top-level domains that people write: those of countries, and other common ones. Any other word after a full stop
 * counts as the start of a sentence, with the space forgotten.
 */
const COUNTRY_DOMAINS = [...COUNTRIES.map(({ code }) => code.toLowerCase()), "uk", "eu"].join("|");
const OTHER_DOMAINS = `
com org net edu gov int info biz name mobi asia cat app dev page site website online web shop store xyz club blog tech
cloud live link click space fun top icu vip agency studio media digital email social academy coach coaching training
consulting events gallery photo photos photography video theater london paris berlin hamburg wien nyc amsterdam
xn--[a-z0-9-]+ рф рус онлайн сайт дети орг ком москва бг срб укр бел мкд ею ελ ευ
`
  .trim()
  .replaceAll(/\s+/g, "|");

/** Full stops and look-alikes, without the ideographic ones, which end sentences and need no space after them. */
const SENTENCE_STOP_PATTERN = "[.\uff0e\u2024]";

/**
 * Like ADDRESS_PATTERN, but tolerates sentences without a space between them, scripts whose full stops need no space,
 * and initials such as "J.de Vries": after a single letter, a country's domain counts only if a path follows.
 */
const LINK_PATTERN = new RegExp(
  `[:/\\\\]{2}|\\S@|@\\S|\\d{1,3}(?:\\.\\d{1,3}){3}|(?<![\\p{L}\\p{N}])www${SENTENCE_STOP_PATTERN}|[\\p{L}\\p{N}]${SENTENCE_STOP_PATTERN}(?:${OTHER_DOMAINS})(?![\\p{L}\\p{N}-])|[\\p{L}\\p{N}-]{2}${SENTENCE_STOP_PATTERN}(?:${COUNTRY_DOMAINS})(?![\\p{L}\\p{N}-])|[\\p{L}\\p{N}]${SENTENCE_STOP_PATTERN}(?:${COUNTRY_DOMAINS})/`,
  "u",
);

/** Whether a text contains an address. For input that may be refused. */
export const hasLinks = (text: string): boolean => LINK_PATTERN.test(text);

/** Replaces words that a mail program would turn into a link. */
export const replaceLinks = (text: string, replacement: string): string =>
  text.replace(/\S+/g, (word) => (ADDRESS_PATTERN.test(word) ? replacement : word));
