/**
 * Archives encrypted for the owner, in the age format (age-encryption.org/v1), for which every distribution has a tool.
 * The library is loaded with the first such archive.
 */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { cannotOpen, wrongSetting } from "../shared/errors.ts";
import { errorCode } from "../shared/errorDetails.ts";

export const loadAge = () => import("age-encryption");

type Bytes = ReadableStream<Uint8Array>;

/** Throws `wrong_setting` unless these are valid public keys. */
export async function assertValidRecipients(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await loadAge();
  try {
    for (const each of recipients) new Encrypter().addRecipient(each);
  } catch {
    throw wrongSetting(
      "BACKUP_KEY isn't a valid public key: a character is wrong or missing. Copy it again; it begins with age1.",
    );
  }
}

/** A file, encrypted while it is read, for the secret parts of these keys. */
export async function encryptFile(file: string, recipients: readonly string[]): Promise<Bytes> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const each of recipients) encrypter.addRecipient(each);
  return encrypter.encrypt(openFileStream(file));
}

/** The secret keys in a file from `limelight backup --new-key` or age-keygen. */
export async function readSecretKeys(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw cannotOpen(`The key ${file} can't be read (${errorCode(error)}).`, error);
  });
  const keys = text.split(/\s+/).filter((word) => word.startsWith("AGE-SECRET-KEY-"));
  const { Decrypter } = await loadAge();
  try {
    for (const each of keys) new Decrypter().addIdentity(each);
    if (keys.length > 0) return keys;
  } catch {
    // A letter is wrong or missing: reported below.
  }
  throw cannotOpen(
    `${file} contains no key. A key file has a line that begins with AGE-SECRET-KEY-1.`,
  );
}

/** A new key pair: `secret` decrypts what is encrypted for `public`. */
export async function createKeyPair(): Promise<{ secret: string; public: string }> {
  const { generateIdentity, identityToRecipient } = await loadAge();
  const secret = await generateIdentity();
  return { secret, public: await identityToRecipient(secret) };
}

// Node's types don't declare that a file's stream yields bytes.
export const openFileStream = (file: string) =>
  Readable.toWeb(createReadStream(file)) as unknown as Bytes;
