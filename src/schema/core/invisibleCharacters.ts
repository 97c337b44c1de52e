/** Reads untrusted text: removes what nobody sees and what disguises it, and writes line breaks in one way. */
import { normalizeText } from "./boundedUnicode.ts";
import { ANSWER_REFUSALS } from "./refusals.ts";

// A text editor's and a word processor's own breaks, in addition to those of operating systems.
const LINE_BREAK_PATTERN = /\r\n?|[\v\f\u2028\u2029]/g;

// C1 controls, direction overrides (with which "gpj.exe" reads "exe.jpg"), annotation marks, and marks without a
// width that come along from other programs.
const INVISIBLE_PATTERN =
  // oxlint-disable-next-line no-control-regex
  /[\u001f\u0080-\u009f\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

/** Needed in texts of these scripts only; elsewhere they are from a contact list. */
const DIRECTION_MARK_PATTERN = /[\u061c\u200e\u200f]/g;
const RTL_SCRIPT_PATTERN =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Behind a picture they choose how it is drawn. */
const VARIATION_SELECTOR_PATTERN =
  /(?<!\p{Extended_Pictographic}|[#*\d](?=\ufe0f\u20e3))[\ufe00-\ufe0f]/gu;

/** Tags of a language, which can hide a text; behind a black flag they name its region. */
const TAG_CHARACTER_PATTERN = /\u{1f3f4}?[\u{e0000}-\u{e007f}]+/gu;

/** In characters; longer texts are not composed. */
const MAX_COMPOSED_LENGTH = 5000;

/** The text without them, in composed form (NFC); a lone surrogate becomes U+FFFD. */
export function removeInvisible(text: string): string {
  const shown = text
    .toWellFormed()
    .replace(LINE_BREAK_PATTERN, "\n")
    .replace(INVISIBLE_PATTERN, "");
  // Latin letters and the characters between them need none of the steps below.
  if (!/[\u0300-\uffff]/.test(shown)) return shown.replaceAll("\u001e", "-");
  const directed = RTL_SCRIPT_PATTERN.test(shown)
    ? shown
    : shown.replace(DIRECTION_MARK_PATTERN, "");
  const plain = directed
    .replace(VARIATION_SELECTOR_PATTERN, "")
    .replace(TAG_CHARACTER_PATTERN, (tags) => (tags.startsWith("\u{1f3f4}") ? tags : ""))
    .replaceAll("\u001e", "-");
  return normalizeText(plain, "NFC", MAX_COMPOSED_LENGTH) ?? plain;
}

/** Fields in which every character counts, whatever it is, and which a browser never stores. */
const SECRET_FIELDS = [
  "password",
  "currentPassword",
  "newPassword",
  "secret",
  "reportSecret",
] as const;

export type SecretField = (typeof SECRET_FIELDS)[number];

const SECRET_FIELD_NAMES: ReadonlySet<string> = new Set(SECRET_FIELDS);

/** The same for each text in a client's value, passwords and keys excepted. */
export function removeInvisibleIn(sent: unknown): unknown {
  if (typeof sent === "string") return removeInvisible(sent);
  if (Array.isArray(sent)) return sent.map(removeInvisibleIn);
  if (typeof sent !== "object" || sent === null) return sent;
  const fields = Object.entries(sent).map(([name, value]) => [
    name,
    SECRET_FIELD_NAMES.has(name) ? value : removeInvisibleIn(value),
  ]);
  return Object.fromEntries(fields);
}

// Line breaks and tabs are allowed; other control characters never are.
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER_PATTERN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Whether a text has control characters, which are refused with the message below. */
export const hasControlCharacters = (text: string): boolean => CONTROL_CHARACTER_PATTERN.test(text);
export const CONTROL_CHARACTERS_MESSAGE = ANSWER_REFUSALS.controls;
