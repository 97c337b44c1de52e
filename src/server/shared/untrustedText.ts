/** Makes a visitor's text safe to send to an unconfirmed address, which may be a stranger's. */
import { COUNTRIES } from "../../schema/core/countries.ts";

const MAX_NAME_LENGTH = 40;
/**
 * Matches words of letters and marks in any script, separated by spaces, hyphens or apostrophes. Also allows the
 * separators of other scripts: middle dots, joiners, and Hebrew signs for foreign sounds.
 */
const NAME_PATTERN =
  /^\p{L}[\p{L}\p{M}]*(?:[ '’´\p{Pd}·・׳״\u200c\u200d]{1,2}\p{L}[\p{L}\p{M}]*)*$/u;
/** Matches separators that no Latin name has: they look like a full stop or are invisible. Allows the Catalan l·l. */
const NON_LATIN_SEPARATOR_PATTERN = /[・׳״\u200c\u200d]|(?<![lL])·|·(?![lL])/;
/**
 * Matches an initial with its full stop, such as "J.", but not a part of a web address, where two letters follow.
 * Georgian is listed because Unicode classifies its letters as lower case.
 */
const INITIAL_PATTERN =
  /(?<![\p{L}\p{M}])([\p{Lu}\p{Lt}\p{Lo}\p{Script=Georgian}]\p{M}{0,3})\.(?![\p{L}\p{M}]{2})/gu;
/** Whether a Latin name has letters or separators of other scripts, which can look like Latin letters. */
const isMixedScript = (name: string) =>
  /\p{Script=Latin}/u.test(name) &&
  (/[^\P{L}\p{Script=Latin}\p{Script=Common}]/u.test(name) ||
    NON_LATIN_SEPARATOR_PATTERN.test(name));

/** Returns a name that is safe in a message to a stranger; null if the text may be something other than a name. */
export function sanitizeName(input: string | null | undefined): string | null {
  const name = (input ?? "").trim().replace(/\s+/g, " ");
  if (name.length > MAX_NAME_LENGTH || isMixedScript(name)) return null;
  return NAME_PATTERN.test(name.replace(INITIAL_PATTERN, "$1 ").trim()) ? name : null;
}

/** The full stops that programs accept in host names (UTS 46), and one look-alike. */
const DOT_PATTERN = "[.\u3002\uff0e\uff61\u2024]";
/** Matches web and email addresses, host names and IP addresses, with or without a protocol. */
const ADDRESS_PATTERN = new RegExp(
  `[:/\\\\]{2}|@|[\\p{L}\\p{N}]${DOT_PATTERN}\\p{L}[\\p{L}\\p{N}]|\\d{1,3}(?:${DOT_PATTERN}\\d{1,3}){3}`,
  "u",
);

/** The top-level domains of countries. After a full stop, a word that isn't a domain counts as a new sentence. */
const COUNTRY_DOMAINS = [...COUNTRIES.map(({ code }) => code.toLowerCase()), "uk", "eu"].join("|");
const OTHER_DOMAINS = `
com org net edu gov int info biz name mobi asia cat app dev page site website online web shop store xyz club blog tech
cloud live link click space fun top icu vip agency studio media digital email social academy coach coaching training
consulting events gallery photo photos photography video theater london paris berlin hamburg wien nyc amsterdam
xn--[a-z0-9-]+ рф рус онлайн сайт дети орг ком москва бг срб укр бел мкд ею ελ ευ
`
  .trim()
  .replaceAll(/\s+/g, "|");

/** The full stops of `DOT_PATTERN`, except the ideographic full stops, after which a sentence needs no space. */
const SENTENCE_STOP_PATTERN = "[.\uff0e\u2024]";

/**
 * Like `ADDRESS_PATTERN`, but allows sentences without a space between them, ideographic full stops, and initials such
 * as "J.de Vries". After a single letter, a country's domain is matched only if a path follows.
 */
const LINK_PATTERN = new RegExp(
  `[:/\\\\]{2}|\\S@|@\\S|\\d{1,3}(?:\\.\\d{1,3}){3}|(?<![\\p{L}\\p{N}])www${SENTENCE_STOP_PATTERN}|[\\p{L}\\p{N}]${SENTENCE_STOP_PATTERN}(?:${OTHER_DOMAINS})(?![\\p{L}\\p{N}-])|[\\p{L}\\p{N}-]{2}${SENTENCE_STOP_PATTERN}(?:${COUNTRY_DOMAINS})(?![\\p{L}\\p{N}-])|[\\p{L}\\p{N}]${SENTENCE_STOP_PATTERN}(?:${COUNTRY_DOMAINS})/`,
  "u",
);

/** Whether a text contains a web or email address. Used to refuse input, so it allows more than `replaceLinks`. */
export const hasLinks = (text: string): boolean => LINK_PATTERN.test(text);

/** Replaces the words that a mail program might show as links. */
export const replaceLinks = (text: string, replacement: string): string =>
  text.replace(/\S+/g, (word) => (ADDRESS_PATTERN.test(word) ? replacement : word));
