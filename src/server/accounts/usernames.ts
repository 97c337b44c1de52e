/** The rules for usernames: none may resemble somebody else's name or address. */
import { normalizedText } from "../../schema/core/boundedUnicode.ts";
import { LONGEST_EMAIL } from "../../schema/core/emailAddress.ts";
import confusables from "./confusables.txt" with { type: "text" };

/** A username's stored form: normalized (Unicode, NFKC), with single spaces; a text too long for one as it is. */
export const normalizeUsername = (typed: string): string =>
  normalizedText(typed, "NFKC", LONGEST_EMAIL)?.trim().replaceAll(/\s+/g, " ") ?? typed;

interface Named {
  readonly username: string;
  readonly email: string;
}

/**
 * The reason why a username, as `normalizeUsername` returns it, is refused; undefined if it is fine. Only for new
 * ones: existing names stay valid.
 */
export function usernameProblem(
  { username, email }: Named,
  others: readonly Named[],
): string | undefined {
  if (NEVER_SEEN.test(username)) return "Remove the invisible characters.";
  if (username.includes("@") && username.toLowerCase() !== email.toLowerCase())
    return "A username with an @ must be your own email address.";
  if (!ONE_SCRIPT.some((script) => script.test(username)))
    return "Use letters from one script only, such as Latin or Cyrillic.";
  const isAlike = (name: string) => confusableUser(normalizeUsername(name), username);
  if (others.some((each) => isAlike(each.username) || isAlike(each.email)))
    return "This username looks like one that is already taken. Choose another one.";
  return undefined;
}

/** In confusables.txt, between the licence and the lines of the table: a prototype and its look-alikes. */
export const AFTER_LICENCE = "====\n";

/** The recommended scripts (UAX #31, table 5). */
const SCRIPTS =
  "Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Thaana Han Hiragana Katakana Hangul Bopomofo";

const classOf = (scripts: string) =>
  scripts
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("");

/** Whether a text has only letters of these scripts, and characters that scripts share. */
const lettersOf = (scripts: string): RegExp =>
  new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${classOf(scripts)}]+$`, "u");

/** The recommended scripts, grouped where a language uses several (UTS #39, 5.1). */
const ONE_SCRIPT = [
  ...SCRIPTS.split(" "),
  "Han Hiragana Katakana",
  "Han Hangul",
  "Han Bopomofo",
].map(lettersOf);

/** Control characters, direction marks, joiners, fillers, unassigned code points; and Braille's blank. */
const NEVER_SEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

const RECOMMENDED = lettersOf(SCRIPTS);

/** Whether it can be in a stored username, once its marks are removed. */
export const isPlainSign = (sign: string): boolean =>
  /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign) &&
  RECOMMENDED.test(sign) &&
  !NEVER_SEEN.test(sign) &&
  sign === normalizedText(normalizeUsername(sign), "NFD", LONGEST_EMAIL);

/**
 * Prototypes that Unicode distinguishes: small capitals and turned letters. Each letter is followed by its
 * look-alikes.
 */
const ALSO_ALIKE = "aᴀ bʙ cƈ dᴅ eᴇꞓǝ fꜰ gɢ hʜ jᴊȷ kĸ lʟ mʍ nɴ pᴘ rɾ tᴛ uʊ";

let prototypes: ReadonlyMap<string, string> | undefined;

/** Read with the first name chosen. */
function readPrototypes(): ReadonlyMap<string, string> {
  const also = pairsOf(ALSO_ALIKE.split(" ").map(([drawn = "", ...signs]) => [drawn, signs]));
  const [, table = ""] = confusables.split(AFTER_LICENCE);
  const lines = table.split("\n").map((line) => line.split(" "));
  const prototypes = pairsOf(
    lines.map(([drawn = "", signs = ""]) => [mapCharacters(drawn, also), signs]),
  );
  return new Map([...also, ...prototypes]);
}

/** By look-alike. */
const pairsOf = (lines: readonly (readonly [string, Iterable<string>])[]) =>
  new Map(lines.flatMap(([drawn, signs]) => Array.from(signs, (sign) => [sign, drawn] as const)));

const mapCharacters = (text: string, by: ReadonlyMap<string, string>) =>
  Array.from(text, (sign) => by.get(sign) ?? sign).join("");

/** Whether two names look alike (UTS #39, section 4), also where one is written in capitals. */
export function confusableUser(one: string, other: string): boolean {
  const skeletons = new Set(casesOf(one).map(skeletonOf));
  return casesOf(other).some((each) => skeletons.has(skeletonOf(each)));
}

const casesOf = (name: string) => [name, name.toLowerCase(), name.toUpperCase()];

/** Equal for names that readers would confuse: prototypes in lower case, without marks. */
const skeletonOf = (name: string): string =>
  withoutMarks(mapCharacters(withoutMarks(name), (prototypes ??= readPrototypes())).toLowerCase());

/** The marks of European letters; those of other scripts make another letter. */
const withoutMarks = (name: string): string =>
  (normalizedText(name, "NFD", 4 * LONGEST_EMAIL) ?? name).replaceAll(/[\u0300-\u036f]/g, "");
