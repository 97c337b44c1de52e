/** Encrypts archives in the age format (age-encryption.org/v1). Every Linux distribution has a tool for this format. */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { cannotOpen, wrongSetting } from "../shared/errors.ts";
import { getErrorCode } from "../shared/errorDetails.ts";

/** Loads the library only when it is needed, because most starts don't need it. */
export const loadAge = () => import("age-encryption");

type ByteStream = ReadableStream<Uint8Array>;

/** Throws `wrong_setting` unless every recipient is a public key of age. */
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

/** Encrypts a file while reading it. Any recipient's secret key decrypts it. */
export async function encryptFile(
  file: string,
  recipients: readonly string[],
): Promise<ByteStream> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  for (const each of recipients) encrypter.addRecipient(each);
  return encrypter.encrypt(openFileStream(file));
}

/** Reads the secret keys in a file that `limelight backup --new-key` or age-keygen wrote. Throws `cannot_open`. */
export async function readSecretKeys(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw cannotOpen(
      `The key file ${file} can't be read (${getErrorCode(error)}). Check its name and permissions.`,
      error,
    );
  });
  const keys = text.split(/\s+/).filter((word) => word.startsWith("AGE-SECRET-KEY-"));
  const { Decrypter } = await loadAge();
  try {
    for (const each of keys) new Decrypter().addIdentity(each);
    if (keys.length > 0) return keys;
  } catch {
    // A key with a wrong or missing letter leads to the error below, too.
  }
  throw cannotOpen(
    `${file} contains no valid secret key. A key file has a line that begins with AGE-SECRET-KEY-1.`,
  );
}

export async function createKeyPair(): Promise<{ secret: string; public: string }> {
  const { generateIdentity, identityToRecipient } = await loadAge();
  const secret = await generateIdentity();
  return { secret, public: await identityToRecipient(secret) };
}

/** Returns a file as a web stream. Node's types don't declare that the stream yields bytes. */
export const openFileStream = (file: string) =>
  Readable.toWeb(createReadStream(file)) as unknown as ByteStream;
