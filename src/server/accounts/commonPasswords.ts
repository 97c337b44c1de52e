/** Recognizes passwords that are long enough, but among the first that attackers try. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import listed from "./commonPasswords.bin" with { type: "file" };

/** With five bytes and 44,000 passwords, one in 25 million other passwords matches by chance. */
const KEY_BYTES = 5;

/** A password's entry in `commonPasswords.bin`, which src/build/commonPasswords.ts writes. */
export function commonPasswordKey(password: string): Buffer {
  return createHash("sha256").update(password.toLowerCase()).digest().subarray(0, KEY_BYTES);
}

let commonPasswordKeys: Buffer | undefined;

/** Searches the sorted hashes, which are read when the first password is checked. */
export function isCommonPassword(password: string): boolean {
  const all = (commonPasswordKeys ??= readFileSync(listed));
  const wanted = commonPasswordKey(password);
  let [low, high] = [0, all.length / KEY_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * KEY_BYTES;
    const order = wanted.compare(all, at, at + KEY_BYTES);
    if (order === 0) return true;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return false;
}
