/** Password rules and hashing: argon2id with 19 MiB and two passes (OWASP), with at most three hashes at once. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import pLimit from "p-limit";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../schema/people/accounts.ts";
import { normalizeText } from "../../schema/core/boundedUnicode.ts";
import { createTooLongMessage } from "../../schema/core/formatNumber.ts";
import commonPasswords from "./commonPasswords.bin" with { type: "file" };

export type Passwords = ReturnType<typeof createPasswords>;

/** `memoryCost` is in KiB; `timeCost` is the number of passes. */
interface HashingCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

const OWASP_COST: HashingCost = { memoryCost: 19_456, timeCost: 2 };
const MAX_CONCURRENT_UNKNOWN_LOGINS = 2;
const MAX_CONCURRENT_CHECKS = 1;
/** The salt and hash of 32 random bytes. The bytes were discarded, so no password matches this hash. */
const DECOY_HASH =
  "UQ3N16Ht43cS5l07nB00BocTBuy3WJJEwviNBd/zNV8$VgdSabVDFmI+5UgIcoxUf4+iImh/YFV8GVfyvD8SsXQ";

/** All requests must share the result, because its queues limit the memory for hashing. Only tests pass a `cost`. */
export function createPasswords(cost: HashingCost = OWASP_COST) {
  const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$${DECOY_HASH}`;
  const queues = {
    known: pLimit(MAX_CONCURRENT_CHECKS),
    stranger: pLimit(MAX_CONCURRENT_UNKNOWN_LOGINS),
  };
  return {
    hash: (password: string) =>
      queues.known(() =>
        Bun.password.hash(normalizePassword(password) ?? password, {
          algorithm: "argon2id",
          ...cost,
        }),
      ),
    /**
     * Whether a password matches a hash; never throws. For an unknown user, `hash` is undefined, and the check takes
     * equally long. Attempts from unknown browsers have their own queue, so that they don't delay known browsers.
     */
    verify: async (
      password: string,
      hash: string | undefined,
      queueName: "known" | "stranger" = "known",
    ) => {
      const normalized = normalizePassword(password);
      // A text that is too long is checked as "none", so that the check takes as long as for a wrong password.
      const isMatch = await queues[queueName](() =>
        Bun.password.verify(normalized ?? "none", hash ?? decoy).catch(() => false),
      );
      return isMatch && hash !== undefined && normalized !== undefined;
    },
  };
}

/** In characters. Some keyboards send a letter in three parts, which NFKC joins. */
const MAX_TYPED_LENGTH = 3 * MAX_PASSWORD_LENGTH;

/** Returns a password in the form NFKC, which is the same from every keyboard; undefined if it is too long. */
const normalizePassword = (password: string) => normalizeText(password, "NFKC", MAX_TYPED_LENGTH);

/** In characters. A password may contain a shorter name by chance. */
const MIN_NAME_LENGTH = 4;

/**
 * Returns why a new password is refused, as a message; undefined if it is valid. `names` are publicly known texts that
 * the password must not contain: the username, the email address, the site's name.
 */
export function findPasswordProblem(
  password: unknown,
  names: readonly string[],
): string | undefined {
  if (typeof password !== "string" || password === "") return "Choose a password.";
  if (password.length > MAX_PASSWORD_LENGTH) return createTooLongMessage(MAX_PASSWORD_LENGTH);
  // Checks the normalized form, because the hash is computed from it.
  const normalized = normalizePassword(password) ?? password;
  // Both forms must be long enough: normalizing may join parts of letters, or expand a character into a word.
  const lengths = [password, normalized].map((form) => [...form].length);
  if (Math.min(...lengths) < MIN_PASSWORD_LENGTH)
    return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (isRepetition(normalized) || isCommonPassword(normalized))
    return "This password is too easy to guess. Choose another one.";
  if (containsName(normalized, names))
    return "Don't use your name, your email address or the site's name in the password.";
  return undefined;
}

/** Whether a password is one character, repeated, or only spaces. */
const isRepetition = (password: string) => new Set(password.trim()).size < 2;

function containsName(password: string, names: readonly string[]): boolean {
  const lower = password.toLowerCase();
  return names
    .flatMap((name) => [name, name.replace(/@.*/s, ""), name.replace(/\s+/g, "")])
    .map((name) => (normalizePassword(name) ?? name).trim().toLowerCase())
    .some((name) => name.length >= MIN_NAME_LENGTH && lower.includes(name));
}

/** In bytes. With 44,000 common passwords, one in 25 million other passwords is refused by chance. */
const KEY_BYTES = 5;

/** Computes a password's entry in `commonPasswords.bin`, which src/build/commonPasswords.ts writes. */
export function computeCommonPasswordKey(password: string): Buffer {
  return createHash("sha256").update(password.toLowerCase()).digest().subarray(0, KEY_BYTES);
}

let commonPasswordKeys: Buffer | undefined;

/** Whether a password is a common one. The file of sorted hashes is read when the first password is checked. */
export function isCommonPassword(password: string): boolean {
  const keys = (commonPasswordKeys ??= readFileSync(commonPasswords));
  const key = computeCommonPasswordKey(password);
  let [low, high] = [0, keys.length / KEY_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const offset = middle * KEY_BYTES;
    const order = key.compare(keys, offset, offset + KEY_BYTES);
    if (order === 0) return true;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return false;
}
