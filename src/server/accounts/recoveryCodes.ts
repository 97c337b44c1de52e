/** Recovery codes for users who lost their phone. Each is valid for one login. */
import { randomInt } from "node:crypto";
import type { Item } from "../../schema/index.ts";
import type { Passwords } from "./passwords.ts";

type User = Item<"users">;

export const RECOVERY_CODE_COUNT = 10;

/** 31 characters that aren't easily confused. Ten of them have 49 bits. */
const CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";
const CODE_LENGTH = 10;

const randomCharacter = () => CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length));

/** Generates ten codes, such as "4k2m9-fqt7x". */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const code = Array.from({ length: CODE_LENGTH }, randomCharacter).join("");
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/** Removes what people may type differently: case and separators. */
const normalizeCode = (code: string) => code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Hashes a code for storage, with its own salt, as for passwords (ASVS 5.0, 6.5.2). */
export const hashRecoveryCode = (passwords: Passwords, code: string): Promise<string> =>
  passwords.hash(normalizeCode(code));

/** Finds the stored hash that a typed code matches. */
export async function findMatchingHash(
  passwords: Passwords,
  { recoveryCodes }: User,
  typed: string,
): Promise<string | undefined> {
  const code = normalizeCode(typed);
  if (code.length !== CODE_LENGTH) return undefined;
  for (const each of recoveryCodes?.hashes ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- stops at the first match
    if (await passwords.verify(code, each, "stranger")) return each;
  }
  return undefined;
}

/** Returns the user's hashes without `hash`; undefined if it has been used in the meantime. */
export function removeHash({ recoveryCodes }: User, hash: string): string[] | undefined {
  const { hashes = [] } = recoveryCodes ?? {};
  return hashes.includes(hash) ? hashes.filter((each) => each !== hash) : undefined;
}
