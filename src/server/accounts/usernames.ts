/** Which usernames are accepted: none that looks like somebody else's name or address. */
import { normalizedText } from "../../schema/boundedUnicode.ts";
import { LONGEST_EMAIL } from "../../schema/emailAddress.ts";

/** A username's stored form: normalized (Unicode, NFKC), with single spaces; a text too long for one as it is. */
export const plainName = (typed: string): string =>
  normalizedText(typed, "NFKC", LONGEST_EMAIL)?.trim().replaceAll(/\s+/g, " ") ?? typed;

/** A user's names. */
interface Named {
  readonly username: string;
  readonly email: string;
}

/**
 * Why a username in the form of `plainName` is unacceptable; undefined if it is fine. Only for new ones: existing
 * names are kept.
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
  const drawn = skeletonOf(username);
  if (others.some((each) => [each.username, each.email].some((name) => skeletonOf(name) === drawn)))
    return "This username looks like one that is already taken. Choose another one.";
  return undefined;
}

/** Control characters, direction marks, joiners, fillers, unassigned code points; and Braille's blank. */
const NEVER_SEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;

/** The recommended scripts (UAX #31, table 5), grouped where a language uses several (UTS #39, 5.1). */
const ONE_SCRIPT = [
  ..."Latin Cyrillic Greek Arabic Hebrew Armenian Georgian Devanagari Bengali Gurmukhi Gujarati".split(
    " ",
  ),
  ..."Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Ethiopic Thaana".split(
    " ",
  ),
  "Han Hiragana Katakana",
  "Han Hangul",
  "Han Bopomofo",
].map((together) => {
  const scripts = ["Common", "Inherited", ...together.split(" ")];
  return new RegExp(`^[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]+$`, "u");
});

/** Letters and digits, each followed by its look-alikes (from the confusables of UTS #39, marks left out). */
const DRAWN_ALIKE =
  "aаαɑᴀ⍺ bЬƅʙɓ cсϲᴄⅽƈ dԁᴅɗđ eеҽᴇ℮ɛəө fғꜰƒẝ gɡɢǥց hһհʜɦħ iіιıɪɩ jјϳᴊȷ kкκᴋƙ lӏ1|ʟłɫǀ mмᴍɱ nոηпɴɲŋƞ " +
  "oоοօ0ᴏøɵσס pрρᴘƥ qԛզʠ rгɾʀᴦɼɽ sѕꜱʂƨ tтτᴛŧƭʈ uυսᴜʋʊ vνѵᴠ∨ wԝѡᴡɯա xхχ× yуγүʏɣƴ zᴢʐƶȥ";

const DRAWN_AS = new Map(
  DRAWN_ALIKE.split(" ").flatMap((alike) => {
    const [first = "", ...others] = alike;
    return others.map((other) => [other, first] as const);
  }),
);

/** Capitals that look like a different letter than their lowercase. */
const CAPITALS: Readonly<Record<string, string>> = {
  I: "l",
  В: "b",
  Н: "h",
  Р: "p",
  Ρ: "p",
  Η: "h",
};

/** Equal for names that readers would confuse. */
const skeletonOf = (name: string): string =>
  Array.from(withoutMarks(name), (sign) => {
    const small = (CAPITALS[sign] ?? sign).toLowerCase();
    return DRAWN_AS.get(small) ?? small;
  }).join("");

/** The marks of European letters; those of other scripts make another letter. */
const withoutMarks = (name: string): string =>
  (normalizedText(plainName(name), "NFD", LONGEST_EMAIL) ?? name).replaceAll(
    /[\u0300-\u036f]/g,
    "",
  );
