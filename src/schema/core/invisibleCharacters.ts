/** Cleans untrusted text: removes invisible and disguising characters, and unifies line breaks. */
import { normalizeText } from "./boundedUnicode.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

// The line breaks that operating systems, text editors and word processors write.
const LINE_BREAK_PATTERN = /\r\n?|[\v\f\u2028\u2029]/g;

// C1 controls, annotation marks, zero-width marks that are pasted from other programs, and direction overrides, which
// display "gpj.exe" as "exe.jpg".
const INVISIBLE_PATTERN =
  // oxlint-disable-next-line no-control-regex
  /[\u001f\u0080-\u009f\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

/** Marks of writing direction. Only right-to-left texts need them, but copied phone numbers often contain them. */
const DIRECTION_MARK_PATTERN = /[\u061c\u200e\u200f]/g;
const RTL_SCRIPT_PATTERN =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Variation selectors that don't follow an emoji. After an emoji they are needed, since they select its form. */
const VARIATION_SELECTOR_PATTERN =
  /(?<!\p{Extended_Pictographic}|[#*\d](?=\ufe0f\u20e3))[\ufe00-\ufe0f]/gu;

/** Tag characters, which can hide a text. They are needed only after the black flag, where they name its region. */
const TAG_CHARACTER_PATTERN = /\u{1f3f4}?[\u{e0000}-\u{e007f}]+/gu;

/** The length in characters up to which a text is normalized to NFC. */
const MAX_COMPOSED_LENGTH = 5000;

/** Removes invisible characters and normalizes a text to NFC; a lone surrogate becomes U+FFFD. */
export function removeInvisible(text: string): string {
  const visibleText = text
    .toWellFormed()
    .replace(LINE_BREAK_PATTERN, "\n")
    .replace(INVISIBLE_PATTERN, "");
  // Apart from U+001E, the steps below change only characters from U+0300 on.
  if (!/[\u0300-\uffff]/.test(visibleText)) return visibleText.replaceAll("\u001e", "-");
  const withNeededMarks = RTL_SCRIPT_PATTERN.test(visibleText)
    ? visibleText
    : visibleText.replace(DIRECTION_MARK_PATTERN, "");
  const withoutHiddenText = withNeededMarks
    .replace(VARIATION_SELECTOR_PATTERN, "")
    .replace(TAG_CHARACTER_PATTERN, (tags) => (tags.startsWith("\u{1f3f4}") ? tags : ""))
    .replaceAll("\u001e", "-");
  return normalizeText(withoutHiddenText, "NFC", MAX_COMPOSED_LENGTH) ?? withoutHiddenText;
}

/** The names of fields with passwords and keys. Their values are never changed, and never stored in the browser. */
const SECRET_FIELDS = [
  "password",
  "currentPassword",
  "newPassword",
  "secret",
  "reportSecret",
] as const;

export type SecretField = (typeof SECRET_FIELDS)[number];

const SECRET_FIELD_NAMES: ReadonlySet<string> = new Set(SECRET_FIELDS);

/** Removes invisible characters from each text in a client's value, except passwords and keys. */
export function removeInvisibleIn(input: unknown): unknown {
  if (typeof input === "string") return removeInvisible(input);
  if (Array.isArray(input)) return input.map(removeInvisibleIn);
  if (typeof input !== "object" || input === null) return input;
  const fields = Object.entries(input).map(([name, value]) => [
    name,
    SECRET_FIELD_NAMES.has(name) ? value : removeInvisibleIn(value),
  ]);
  return Object.fromEntries(fields);
}

// Control characters, except tabs and line breaks, which are allowed.
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER_PATTERN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** True for a text with control characters; callers refuse it with `CONTROL_CHARACTERS_MESSAGE`. */
export const hasControlCharacters = (text: string): boolean => CONTROL_CHARACTER_PATTERN.test(text);
export const CONTROL_CHARACTERS_MESSAGE = ANSWER_REFUSALS.controlCharacters;
