/**
 * What a visitor typed, in a message to an address that nobody has confirmed: whoever types another's address must
 * not write to them in the site's name.
 */

const LONGEST_NAME = 40;
/** Letters of any script with their marks; in between spaces, hyphens and apostrophes. No sign that an address has. */
const NAME = /^\p{L}[\p{L}\p{M}]*(?:[ '’-]\p{L}[\p{L}\p{M}]*)*$/u;
/** Of several alphabets at once, in which some letters pass for signs of others. */
const isMixed = (name: string) =>
  /\p{Script=Latin}/u.test(name) && /[^\P{L}\p{Script=Latin}\p{Script=Common}]/u.test(name);

/** A name as it may stand in a message to anybody; null for one that could be anything else. */
export function harmlessName(typed: string | null | undefined): string | null {
  const name = (typed ?? "").trim().replace(/\s+/g, " ");
  return name.length <= LONGEST_NAME && NAME.test(name) && !isMixed(name) ? name : null;
}

/** A full stop as programs take it between the parts of a name (UTS 46), and what looks like one. */
const DOT = "[.\u3002\uff0e\uff61\u2024]";
/** With or without a protocol: web and email addresses, names of hosts, numbers of machines. */
const ADDRESS = new RegExp(
  `[:/\\\\]{2}|@|[\\p{L}\\p{N}]${DOT}\\p{L}[\\p{L}\\p{N}]|\\d{1,3}(?:${DOT}\\d{1,3}){3}`,
  "u",
);

/** As ADDRESS, but for sentences that follow each other without a space, also where full stops need none. */
const LINK = /[:/\\]{2}|@|[\p{L}\p{N}][.\uff0e\u2024]\p{Ll}{2}|\d{1,3}(?:\.\d{1,3}){3}/u;

/** Whether there is an address in a text, for whoever may be refused for it. */
export const hasLinks = (text: string): boolean => LINK.test(text);

/** A text without anything that a mail program could make a link of. */
export const withoutLinks = (text: string): string =>
  text.replace(/\S+/g, (word) => (ADDRESS.test(word) ? "(a link)" : word));
