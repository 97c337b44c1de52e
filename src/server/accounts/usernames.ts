/** The rules for usernames: none may resemble somebody else's name or address. */
import { normalizeText } from "../../schema/core/boundedUnicode.ts";
import { MAX_EMAIL_LENGTH } from "../../schema/core/emailAddress.ts";
import confusables from "./confusables.txt" with { type: "text" };

/** A username's stored form: normalized (Unicode, NFKC), with single spaces; a text too long for one as it is. */
export const normalizeUsername = (typed: string): string =>
  normalizeText(typed, "NFKC", MAX_EMAIL_LENGTH)?.trim().replaceAll(/\s+/g, " ") ?? typed;

interface UserNames {
  readonly username: string;
  readonly email: string;
}

/**
 * The reason why a username, as `normalizeUsername` returns it, is refused; undefined if it is fine. Only for new
 * ones: existing names stay valid.
 */
export function usernameProblem(
  { username, email }: UserNames,
  others: readonly UserNames[],
): string | undefined {
  if (INVISIBLE_PATTERN.test(username)) return "Remove the invisible characters.";
  if (username.includes("@") && username.toLowerCase() !== email.toLowerCase())
    return "A username with an @ must be your own email address.";
  if (!SINGLE_SCRIPT_PATTERNS.some((script) => script.test(username)))
    return "Use letters from one script only, such as Latin or Cyrillic.";
  const isAlike = (name: string) => isConfusableName(normalizeUsername(name), username);
  if (others.some((each) => isAlike(each.username) || isAlike(each.email)))
    return "This username looks like one that is already taken. Choose another one.";
  return undefined;
}

/** In confusables.txt, between the license and the lines of the table: a prototype and its look-alikes. */
export const LICENSE_END = "====\n";

/** The recommended scripts (UAX #31, table 5). */
const RECOMMENDED_SCRIPTS =
  "Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Thaana Han Hiragana Katakana Hangul Bopomofo";

const scriptClass = (scripts: string) =>
  scripts
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("");

/** Whether a text has only letters of these scripts, and characters that scripts share. */
const scriptPattern = (scripts: string): RegExp =>
  new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${scriptClass(scripts)}]+$`, "u");

/** The recommended scripts, grouped where a language uses several (UTS #39, 5.1). */
const SINGLE_SCRIPT_PATTERNS = [
  ...RECOMMENDED_SCRIPTS.split(" "),
  "Han Hiragana Katakana",
  "Han Hangul",
  "Han Bopomofo",
].map(scriptPattern);

/** Control characters, direction marks, joiners, fillers, unassigned code points; and Braille's blank. */
const INVISIBLE_PATTERN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

const RECOMMENDED_PATTERN = scriptPattern(RECOMMENDED_SCRIPTS);

/** Whether it can be in a stored username, once its marks are removed. */
export const isAllowedCharacter = (sign: string): boolean =>
  /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(sign) &&
  RECOMMENDED_PATTERN.test(sign) &&
  !INVISIBLE_PATTERN.test(sign) &&
  sign === normalizeText(normalizeUsername(sign), "NFD", MAX_EMAIL_LENGTH);

/**
 * Prototypes that Unicode distinguishes: small capitals and turned letters. Each letter is followed by its
 * look-alikes.
 */
const FURTHER_LOOKALIKES = "aᴀ bʙ cƈ dᴅ eᴇꞓǝ fꜰ gɢ hʜ jᴊȷ kĸ lʟ mʍ nɴ pᴘ rɾ tᴛ uʊ";

let cachedPrototypes: ReadonlyMap<string, string> | undefined;

/** Read with the first name chosen. */
function readPrototypes(): ReadonlyMap<string, string> {
  const also = parsePairs(
    FURTHER_LOOKALIKES.split(" ").map(([drawn = "", ...signs]) => [drawn, signs]),
  );
  const [, table = ""] = confusables.split(LICENSE_END);
  const lines = table.split("\n").map((line) => line.split(" "));
  const prototypes = parsePairs(
    lines.map(([drawn = "", signs = ""]) => [mapCharacters(drawn, also), signs]),
  );
  return new Map([...also, ...prototypes]);
}

/** By look-alike. */
const parsePairs = (lines: readonly (readonly [string, Iterable<string>])[]) =>
  new Map(lines.flatMap(([drawn, signs]) => Array.from(signs, (sign) => [sign, drawn] as const)));

const mapCharacters = (text: string, by: ReadonlyMap<string, string>) =>
  Array.from(text, (sign) => by.get(sign) ?? sign).join("");

/** Whether two names look alike (UTS #39, section 4), also where one is written in capitals. */
export function isConfusableName(one: string, other: string): boolean {
  const skeletons = new Set(letterCases(one).map(skeleton));
  return letterCases(other).some((each) => skeletons.has(skeleton(each)));
}

const letterCases = (name: string) => [name, name.toLowerCase(), name.toUpperCase()];

/** Equal for names that readers would confuse: prototypes in lower case, without marks. */
const skeleton = (name: string): string =>
  stripMarks(
    mapCharacters(stripMarks(name), (cachedPrototypes ??= readPrototypes())).toLowerCase(),
  );

/** The marks of European letters; those of other scripts make another letter. */
const stripMarks = (name: string): string =>
  (normalizeText(name, "NFD", 4 * MAX_EMAIL_LENGTH) ?? name).replaceAll(/[\u0300-\u036f]/g, "");
