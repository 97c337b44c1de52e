/** Codes for who has lost the phone: ten, shown once, each good for one login. */
import { randomInt, scrypt, timingSafeEqual } from "node:crypto";
import pLimit from "p-limit";
import type { User } from "./owners.ts";

/** How many are made at a time. */
export const RECOVERY_CODES = 10;

/** Without those that are mistaken for another in handwriting: 31 signs, 49 bits in ten of them. */
const SIGNS = "23456789abcdefghjkmnpqrstuvwxyz";
const LENGTH = 10;

const sign = () => SIGNS[randomInt(SIGNS.length)]!;

/** New codes, as a person reads them: "4k2m9-fqt7x". */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from({ length: LENGTH }, sign).join("");
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

/**
 * What is stored of a code. scrypt makes guessing 49 bits from a stolen backup hopeless, and one
 * salt for each user lets one computation be compared with all ten.
 */
export function recoveryHash(userId: string, code: string): Promise<string> {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return oneAtATime(() => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    scrypt(plain, `limelight-recovery:${userId}`, 32, { N: 2 ** 14, r: 8, p: 1 }, (error, key) =>
      error ? reject(error) : resolve(key.toString("base64url")),
    );
    return promise;
  });
}

/** A hash takes one of the few threads that the disk is written by, too: ten at once held up every save. */
const oneAtATime = pLimit(1);

/** The user's hashes without the one that fits; undefined when none does. */
export function withoutHash({ recoveryCodes }: User, hash: string): string[] | undefined {
  const { hashes = [] } = recoveryCodes ?? {};
  const wanted = Buffer.from(hash);
  const left = hashes.filter((each) => {
    const known = Buffer.from(each);
    return known.length !== wanted.length || !timingSafeEqual(known, wanted);
  });
  return left.length < hashes.length ? left : undefined;
}
