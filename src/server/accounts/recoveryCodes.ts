/** Recovery codes for users who lost their phone: ten, shown once, each valid for one login. */
import { randomInt, scrypt } from "node:crypto";
import pLimit from "p-limit";
import type { Item } from "../../schema/index.ts";
import { constantTimeEqual } from "../shared/constantTimeEqual.ts";
import type { Passwords } from "./passwords.ts";

type User = Item<"users">;

/** How many are generated at a time. */
export const RECOVERY_CODES = 10;

/** Without characters that are easily confused: 31 characters, ten of which are 49 bits. */
const SIGNS = "23456789abcdefghjkmnpqrstuvwxyz";
const LENGTH = 10;

const sign = () => SIGNS.charAt(randomInt(SIGNS.length));

/** New codes in readable form: "4k2m9-fqt7x". */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: LENGTH }, sign).join("");
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/** Ignores case and separators. */
const plain = (code: string) => code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** A code's stored hash: salted individually, like a password's (ASVS 5.0, 6.5.2). */
export const recoveryHash = (passwords: Passwords, code: string): Promise<string> =>
  passwords.hash(plain(code));

/** The stored hash that a typed code matches; undefined when none does. */
export async function matchingHash(
  passwords: Passwords,
  { id, recoveryCodes }: User,
  typed: string,
): Promise<string | undefined> {
  const code = plain(typed);
  if (code.length !== LENGTH) return undefined;
  const { hashes = [] } = recoveryCodes ?? {};
  const earlier = hashes.filter((each) => !each.startsWith("$"));
  if (earlier.length > 0) {
    const hash = await earlierHash(id, code);
    const found = earlier.find((each) => constantTimeEqual(each, hash));
    if (found !== undefined) return found;
  }
  for (const each of hashes) {
    if (!each.startsWith("$")) continue;
    // oxlint-disable-next-line no-await-in-loop -- most of ten would be for nothing
    if (await passwords.verify(code, each, "stranger")) return each;
  }
  return undefined;
}

/** The user's hashes without one; undefined if it isn't among them any more. */
export function withoutHash({ recoveryCodes }: User, hash: string): string[] | undefined {
  const { hashes = [] } = recoveryCodes ?? {};
  return hashes.includes(hash) ? hashes.filter((each) => each !== hash) : undefined;
}

/** The hash of codes from before each had its own salt. */
function earlierHash(userId: string, code: string): Promise<string> {
  return oneAtATime(() => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    scrypt(code, `limelight-recovery:${userId}`, 32, { N: 2 ** 14, r: 8, p: 1 }, (error, key) =>
      error ? reject(error) : resolve(key.toString("base64url")),
    );
    return promise;
  });
}

/** Hashing uses one of the few threads that disk writes need too. */
const oneAtATime = pLimit(1);
