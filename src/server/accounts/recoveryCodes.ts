/** Recovery codes for users who lost their phone: ten, shown once, each valid for one login. */
import { randomInt } from "node:crypto";
import type { Item } from "../../schema/index.ts";
import type { Passwords } from "./passwords.ts";

type User = Item<"users">;

/** The number generated at a time. */
export const RECOVERY_CODE_COUNT = 10;

/** Without characters that are easily confused: 31 characters, ten of which are 49 bits. */
const CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const CODE_LENGTH = 10;

const randomCharacter = () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length));

/** New codes in readable form: "4k2m9-fqt7x". */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const code = Array.from({ length: CODE_LENGTH }, randomCharacter).join("");
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/** Ignores case and separators. */
const normalizeCode = (code: string) => code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** A code's stored hash: salted individually, like a password's (ASVS 5.0, 6.5.2). */
export const hashRecoveryCode = (passwords: Passwords, code: string): Promise<string> =>
  passwords.hash(normalizeCode(code));

/** The stored hash that a typed code matches; undefined when none does. */
export async function findMatchingHash(
  passwords: Passwords,
  { recoveryCodes }: User,
  typed: string,
): Promise<string | undefined> {
  const code = normalizeCode(typed);
  if (code.length !== CODE_LENGTH) return undefined;
  for (const each of recoveryCodes?.hashes ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- most of ten would be for nothing
    if (await passwords.verify(code, each, "stranger")) return each;
  }
  return undefined;
}

/** The user's hashes without one; undefined if it isn't among them any more. */
export function removeHash({ recoveryCodes }: User, hash: string): string[] | undefined {
  const { hashes = [] } = recoveryCodes ?? {};
  return hashes.includes(hash) ? hashes.filter((each) => each !== hash) : undefined;
}
