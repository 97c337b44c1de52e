/**
 * Passwords: rules, hashing and verification. argon2id with 19 MiB and two rounds (OWASP's recommendation), at most
 * three at once.
 */
import pLimit from "p-limit";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../schema/people/accounts.ts";
import { normalizeText } from "../../schema/core/boundedUnicode.ts";
import { tooLongMessage } from "../../schema/core/formatNumber.ts";
import { isCommonPassword } from "./commonPasswords.ts";

/** Hashes and verifies passwords. */
export type Passwords = ReturnType<typeof createPasswords>;

/** The cost of making or verifying a hash: memory in KiB, and passes. */
interface HashingCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

const OWASP_COST: HashingCost = { memoryCost: 19_456, timeCost: 2 };
const MAX_CONCURRENT_UNKNOWN_LOGINS = 2;
const MAX_CONCURRENT_CHECKS = 1;
/** Salt and hash of 32 random bytes that aren't stored anywhere, so no password matches. */
const DECOY_HASH =
  "UQ3N16Ht43cS5l07nB00BocTBuy3WJJEwviNBd/zNV8$VgdSabVDFmI+5UgIcoxUf4+iImh/YFV8GVfyvD8SsXQ";

/**
 * Creates the only place that hashes a site's passwords, which bounds memory. `cost` is for new hashes; only tests,
 * which log in thousands of times, pass another.
 */
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
     * Never throws. Without a hash (an unknown user) it takes just as long and returns false. Strangers have their
     * own queue, so that a flood of them doesn't delay known browsers.
     */
    verify: async (
      password: string,
      hash: string | undefined,
      from: "known" | "stranger" = "known",
    ) => {
      const typed = normalizePassword(password);
      // A text that can't be a password takes as long as a wrong one.
      const fits = await queues[from](() =>
        Bun.password.verify(typed ?? "none", hash ?? decoy).catch(() => false),
      );
      return fits && hash !== undefined && typed !== undefined;
    },
  };
}

/** Some keyboards send the parts of a letter one by one, three at most. */
const MAX_TYPED_LENGTH = 3 * MAX_PASSWORD_LENGTH;

/**
 * Keyboards encode the same letter in different ways (Unicode, NFKC). Undefined for a text that can't be a
 * password.
 */
const normalizePassword = (password: string) => normalizeText(password, "NFKC", MAX_TYPED_LENGTH);

/** Shorter names may occur in a password by chance. */
const MIN_NAME_LENGTH = 4;

/**
 * The reason why a password is refused, as a sentence; undefined if it is fine. `names` are publicly known: username,
 * email address, the site's name.
 */
export function passwordProblem(password: unknown, names: readonly string[]): string | undefined {
  if (typeof password !== "string" || password === "") return "Choose a password.";
  if (password.length > MAX_PASSWORD_LENGTH) return tooLongMessage(MAX_PASSWORD_LENGTH);
  // For letters sent in parts, and for signs that represent a word.
  const lengths = [password, normalizePassword(password) ?? password].map(
    (form) => [...form].length,
  );
  if (Math.min(...lengths) < MIN_PASSWORD_LENGTH)
    return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (isCommonPassword(password)) return "This password is too easy to guess. Choose another one.";
  if (containsName(password, names))
    return "Don't use your name, your email address or the site's name in the password.";
  return undefined;
}

function containsName(password: string, names: readonly string[]): boolean {
  const lower = password.toLowerCase();
  return names
    .flatMap((name) => [name, name.replace(/@.*/s, ""), name.replace(/\s+/g, "")])
    .map((name) => name.trim().toLowerCase())
    .some((name) => name.length >= MIN_NAME_LENGTH && lower.includes(name));
}
