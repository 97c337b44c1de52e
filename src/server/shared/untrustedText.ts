/**
 * A visitor's text, as it may be sent to an unconfirmed address: whoever enters somebody else's must not be able to
 * write to them in the site's name.
 */
import { COUNTRIES } from "../../schema/core/countries.ts";

const LONGEST_NAME = 40;
/** Letters of any script with their marks, separated by spaces, hyphens or apostrophes: nothing that a link needs. */
const NAME = /^\p{L}[\p{L}\p{M}]*(?:[ '’-]\p{L}[\p{L}\p{M}]*)*$/u;
/** Mixes scripts, in which some letters resemble others. */
const isMixed = (name: string) =>
  /\p{Script=Latin}/u.test(name) && /[^\P{L}\p{Script=Latin}\p{Script=Common}]/u.test(name);

/** A name that is safe in a message to anybody; null for one that could be something else. */
export function safeName(typed: string | null | undefined): string | null {
  const name = (typed ?? "").trim().replace(/\s+/g, " ");
  return name.length <= LONGEST_NAME && NAME.test(name) && !isMixed(name) ? name : null;
}

/** Full stops that programs accept in host names (UTS 46), and a look-alike. */
const DOT = "[.\u3002\uff0e\uff61\u2024]";
/** Web and email addresses, host names and IP addresses, with or without a protocol. */
const ADDRESS = new RegExp(
  `[:/\\\\]{2}|@|[\\p{L}\\p{N}]${DOT}\\p{L}[\\p{L}\\p{N}]|\\d{1,3}(?:${DOT}\\d{1,3}){3}`,
  "u",
);

/**
 * Top-level domains that people write: those of countries and the common others. Any other word after a full stop
 * counts as the next sentence, whose space is missing.
 */
const OF_COUNTRIES = [...COUNTRIES.map(({ code }) => code.toLowerCase()), "uk", "eu"].join("|");
const OF_OTHERS = `
com org net edu gov int info biz name mobi asia cat app dev page site website online web shop store xyz club blog tech
cloud live link click space fun top icu vip agency studio media digital email social academy coach coaching training
consulting events gallery photo photos photography video theater london paris berlin hamburg wien nyc amsterdam
xn--[a-z0-9-]+ рф рус онлайн сайт дети орг ком москва бг срб укр бел мкд ею ελ ευ
`
  .trim()
  .replaceAll(/\s+/g, "|");

/** A full stop that ends no sentence in scripts that have another one. */
const END = "[.\uff0e\u2024]";

/**
 * Like ADDRESS, but tolerates sentences without a space between them, scripts whose full stops need none, and initials
 * such as "J.de Vries": after a single letter only a path makes a link of a country's domain.
 */
const LINK = new RegExp(
  `[:/\\\\]{2}|@|\\d{1,3}(?:\\.\\d{1,3}){3}|(?<![\\p{L}\\p{N}])www${END}|[\\p{L}\\p{N}]${END}(?:${OF_OTHERS})(?![\\p{L}\\p{N}-])|[\\p{L}\\p{N}-]{2}${END}(?:${OF_COUNTRIES})(?![\\p{L}\\p{N}-])|[\\p{L}\\p{N}]${END}(?:${OF_COUNTRIES})/`,
  "u",
);

/** Whether a text contains an address, for input that may be refused for it. */
export const hasLinks = (text: string): boolean => LINK.test(text);

/** The text with `instead` for anything that a mail program would turn into a link. */
export const withoutLinks = (text: string, instead: string): string =>
  text.replace(/\S+/g, (word) => (ADDRESS.test(word) ? instead : word));
