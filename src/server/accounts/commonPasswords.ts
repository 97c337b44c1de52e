/** Recognizes passwords that are long but still among the first to be guessed. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import listed from "./commonPasswords.bin" with { type: "file" };

const WORDS = new Set(
  (
    "password passwort passw pass admin administrator root user login welcome letmein letme changeme change " +
    "default secret master access superman batman spiderman dragon monkey football baseball basketball " +
    "soccer hockey liverpool arsenal chelsea manchester iloveyou loveyou ilove love princess sunshine " +
    "rainbow flower shadow michael jessica ashley charlie daniel thomas jordan hunter jennifer michelle " +
    "nicole andrew joshua matthew computer internet whatever starwars pokemon pikachu trustno trustnoone " +
    "hello helloworld world test testing tester temp temporary guest demo example sample qwerty qwertz " +
    "azerty qazwsx qazwsxedc zaqxsw asdf asdfgh asdfghjkl zxcvbn zxcvbnm qwertyuiop qwert abc abcd " +
    "abcdef abcdefgh google facebook instagram youtube twitter tiktok website dashboard limelight summer " +
    "winter spring autumn monday friday january december london england newyork america freedom money " +
    "correcthorsebatterystaple correcthorse batterystaple myspace blink cheese chocolate cookie coffee " +
    "diamond angel angels family forever friends happy hannah harley jesus killer lovely loveme maggie " +
    "mustang ninja orange pepper purple samsung yellow owner supersecret topsecret mypassword mysecret " +
    "thisisapassword passphrase performer coaching reality"
  ).split(" "),
);

const ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
];

const LOOKALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/**
 * True for a listed common password, common words surrounded by digits or signs, a repeated piece, and runs along the
 * alphabet, the digits or a keyboard row. Length is checked elsewhere.
 */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const core = lower.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, "");
  return [lower, core, spelled(core)].some(
    (text) =>
      isListed(text) ||
      isRun(text) ||
      isCommonWord(text) ||
      isCommonWord(repeated(text)) ||
      isShort(text),
  );
}

/** With five bytes and 44,000 passwords, one other password in 25 million matches by chance. */
const HASH_BYTES = 5;

/** A password's entry in `commonPasswords.bin`, which src/build/commonPasswords.ts writes. */
export function passwordHash(password: string): Buffer {
  return createHash("sha256").update(password).digest().subarray(0, HASH_BYTES);
}

let hashes: Buffer | undefined;

/** A binary search in the sorted hashes, which are read with the first password chosen. */
function isListed(text: string): boolean {
  const all = (hashes ??= readFileSync(listed));
  const wanted = passwordHash(text);
  let [low, high] = [0, all.length / HASH_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * HASH_BYTES;
    const order = wanted.compare(all, at, at + HASH_BYTES);
    if (order === 0) return true;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return false;
}

/** A piece of up to five characters, repeated, is as weak as the piece. */
const isShort = (text: string) => repeated(text).length <= 5;

function repeated(text: string): string {
  // A repeated piece is found again in the doubled text, one piece further.
  return text.slice(0, `${text}${text}`.indexOf(text, 1));
}

function isRun(text: string): boolean {
  const backwards = [...text].toReversed().join("");
  return ROWS.some((row) => [text, backwards].some((run) => `${row}${row}`.includes(run)));
}

/** "password1234", "welcome!2024", "iloveyouforever": one or two common words, with signs around them. */
function isCommonWord(text: string): boolean {
  const [piece = "", ...others] = text.split(/[^\p{L}]+/u).filter((piece) => piece !== "");
  if (others.length > 0) return false;
  return piece === "" || WORDS.has(repeated(piece)) || isTwoWords(piece);
}

function isTwoWords(piece: string): boolean {
  for (let at = 3; at <= piece.length - 3; at++)
    if (WORDS.has(piece.slice(0, at)) && WORDS.has(piece.slice(at))) return true;
  return false;
}

const spelled = (text: string) => [...text].map((char) => LOOKALIKES[char] ?? char).join("");
