/** The rules for usernames. No username may look like another user's name or email address. */
import { normalizeText } from "../../schema/core/boundedUnicode.ts";
import { MAX_EMAIL_LENGTH } from "../../schema/core/emailAddress.ts";
import confusables from "./confusables.txt" with { type: "text" };

/** Returns a username's stored form: NFKC, with single spaces. A text that is too long is returned unchanged. */
export const normalizeUsername = (typed: string): string =>
  normalizeText(typed, "NFKC", MAX_EMAIL_LENGTH)?.trim().replaceAll(/\s+/g, " ") ?? typed;

interface UserNames {
  readonly username: string;
  readonly email: string;
}

/** Returns why a username from `normalizeUsername` is refused, as a message; undefined if it is valid. */
export function findUsernameProblem(
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

/** Separates the license in confusables.txt from the table. A line of the table has a prototype and its look-alikes. */
export const LICENSE_END = "====\n";

/** The recommended scripts (UAX #31, table 5). */
const RECOMMENDED_SCRIPTS =
  "Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Thaana Han Hiragana Katakana Hangul Bopomofo";

const createScriptClass = (scripts: string) =>
  scripts
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("");

/** Matches texts in these scripts only; also allows characters that all scripts share, such as digits. */
const createScriptPattern = (scripts: string): RegExp =>
  new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${createScriptClass(scripts)}]+$`, "u");

/** One pattern for each script, and for each combination of scripts that a language uses (UTS #39, 5.1). */
const SINGLE_SCRIPT_PATTERNS = [
  ...RECOMMENDED_SCRIPTS.split(" "),
  "Han Hiragana Katakana",
  "Han Hangul",
  "Han Bopomofo",
].map(createScriptPattern);

/** Matches control characters, direction marks, joiners, fillers, unassigned characters and the Braille blank. */
const INVISIBLE_PATTERN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

const RECOMMENDED_PATTERN = createScriptPattern(RECOMMENDED_SCRIPTS);

/** Whether a character can remain in a username after normalization and the removal of diacritics. */
export const isUsernameCharacter = (character: string): boolean =>
  /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) &&
  RECOMMENDED_PATTERN.test(character) &&
  !INVISIBLE_PATTERN.test(character) &&
  character === normalizeText(normalizeUsername(character), "NFD", MAX_EMAIL_LENGTH);

/** Small capitals and turned letters, which Unicode's table doesn't list. Each letter precedes its look-alikes. */
const FURTHER_LOOKALIKES = "aᴀ bʙ cƈ dᴅ eᴇꞓǝ fꜰ gɢ hʜ jᴊȷ kĸ lʟ mʍ nɴ pᴘ rɾ tᴛ uʊ";

let cachedPrototypes: ReadonlyMap<string, string> | undefined;

/** Returns the prototype of each look-alike. */
function readPrototypes(): ReadonlyMap<string, string> {
  const furtherPrototypes = createPrototypeMap(
    FURTHER_LOOKALIKES.split(" ").map(([prototype = "", ...lookalikes]) => [prototype, lookalikes]),
  );
  const [, table = ""] = confusables.split(LICENSE_END);
  const lines = table.split("\n").map((line) => line.split(" "));
  const prototypes = createPrototypeMap(
    lines.map(([prototype = "", lookalikes = ""]) => [
      mapCharacters(prototype, furtherPrototypes),
      lookalikes,
    ]),
  );
  return new Map([...furtherPrototypes, ...prototypes]);
}

const createPrototypeMap = (lines: readonly (readonly [string, Iterable<string>])[]) =>
  new Map(
    lines.flatMap(([prototype, lookalikes]) =>
      Array.from(lookalikes, (character) => [character, prototype] as const),
    ),
  );

const mapCharacters = (text: string, replacements: ReadonlyMap<string, string>) =>
  Array.from(text, (character) => replacements.get(character) ?? character).join("");

/** Whether two names look alike (UTS #39, section 4), either as written, or both in lower or in upper case. */
export function isConfusableName(one: string, other: string): boolean {
  const skeletons = new Set(listLetterCases(one).map(computeSkeleton));
  return listLetterCases(other).some((each) => skeletons.has(computeSkeleton(each)));
}

const listLetterCases = (name: string) => [name, name.toLowerCase(), name.toUpperCase()];

/** Replaces characters by their prototypes, in lower case without diacritics. The result is equal for look-alikes. */
const computeSkeleton = (name: string): string =>
  stripMarks(
    mapCharacters(stripMarks(name), (cachedPrototypes ??= readPrototypes())).toLowerCase(),
  );

/** Removes the diacritics of European scripts. In other scripts a combining mark makes a different letter. */
const stripMarks = (name: string): string =>
  (normalizeText(name, "NFD", 4 * MAX_EMAIL_LENGTH) ?? name).replaceAll(/[\u0300-\u036f]/g, "");
