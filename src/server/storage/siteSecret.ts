/** Stores the secret that signs a site's sessions and links: 256 random bits, plain or sealed with DATA_KEY. */
import { join } from "node:path";
import { type DataKey, isSealed } from "../shared/secrets.ts";
import { type Disk, ignoreMissing, writeDurably } from "./disk/disk.ts";
import { cannotOpen } from "../shared/errors.ts";

export interface SiteSecret {
  /** Throws `cannot_open` if the secret is sealed and DATA_KEY can't unseal it. */
  read(): Uint8Array;
  /** The bytes to store; undefined if the secret is already stored as DATA_KEY requires. */
  readonly bytesToStore: Uint8Array | undefined;
  /** True if the stored secret was missing or damaged, so a new secret was generated. */
  readonly isNew: boolean;
}

/** Decodes the stored secret, or generates one if it is missing or damaged. `location` is for messages. */
export function createSiteSecret(
  stored: Uint8Array | undefined,
  dataKey: DataKey,
  location: string,
): SiteSecret {
  const text = stored && decodeSecretText(stored);
  if (text === undefined) {
    const secret = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    return { read: () => secret.slice(), bytesToStore: sealSecret(secret, dataKey), isNew: true };
  }
  const unsealed = dataKey.unseal(text, SEAL_PURPOSE);
  if (unsealed === undefined)
    return { read: () => throwUnusable(location), bytesToStore: undefined, isNew: false };
  const secret = new Uint8Array(Buffer.from(unsealed, "base64"));
  const bytesToStore = dataKey.isSealedAsConfigured(text, SEAL_PURPOSE)
    ? undefined
    : sealSecret(secret, dataKey);
  return { read: () => secret.slice(), bytesToStore, isNew: false };
}

const SEAL_PURPOSE = "secret";
const SECRET_BYTES = 32;

/** Returns the secret's sealed text, or its plain bytes in base64; undefined if the bytes aren't a secret. */
function decodeSecretText(stored: Uint8Array): string | undefined {
  const text = encodeSecret(stored);
  return isSealed(text) || isSecret(stored) ? text : undefined;
}

/** Fewer than 20 different values mean damage: random bytes have so few with a probability below 10^-9. */
const isSecret = (bytes: Uint8Array) => bytes.length === SECRET_BYTES && new Set(bytes).size >= 20;

function sealSecret(secret: Uint8Array, dataKey: DataKey): Uint8Array {
  const text = dataKey.seal(Buffer.from(secret).toString("base64"), SEAL_PURPOSE);
  return isSealed(text) ? Buffer.from(text, "latin1") : secret;
}

function throwUnusable(location: string): never {
  throw cannotOpen(
    `The secret of ${location} is encrypted, and DATA_KEY can't decrypt it. Start with the key that encrypted it. If that key is lost, docs/operating.md says what to do. Nothing was changed.`,
  );
}

/** Converts the stored bytes of a secret to text, for the table `meta`. */
export function encodeSecret(stored: Uint8Array): string {
  const text = Buffer.from(stored).toString("latin1");
  return isSealed(text) ? text : Buffer.from(stored).toString("base64");
}

export const decodeSecret = (text: string): Uint8Array =>
  new Uint8Array(Buffer.from(text, isSealed(text) ? "latin1" : "base64"));

/** Returns the doctor's finding about a sealed secret; undefined for a plain or missing secret. */
export function createSecretFinding(
  stored: Uint8Array | undefined,
  dataKey: DataKey,
  hasKey: boolean,
) {
  const text = stored && decodeSecretText(stored);
  if (text === undefined || !isSealed(text)) return undefined;
  if (dataKey.unseal(text, SEAL_PURPOSE) !== undefined)
    return { ok: true, message: "the secret is encrypted, and DATA_KEY decrypts it" };
  const message = hasKey
    ? "the secret is encrypted with a key other than DATA_KEY. Set DATA_KEY to the key that encrypted it."
    : "the secret is encrypted; DATA_KEY isn't set for this command, so it wasn't checked";
  return { ok: !hasKey, message, ...(hasKey && { blocksStart: true }) };
}

export const SECRET_FILE = "secret";
/** The copy begins with the SHA-256 of the secret. If the files differ and the SHA-256 is right, the copy is used. */
export const SECRET_COPY_FILE = `${SECRET_FILE}.bak`;

interface SecretContent {
  /** Undefined if the main file is missing, even with a copy: operators remove that file to get a new secret. */
  readonly bytes: Uint8Array | undefined;
  /** True if the main file differs from a valid copy. `bytes` then come from the copy. */
  readonly isRecovered: boolean;
  /** True if both files are undamaged and equal. */
  readonly isComplete: boolean;
}

export async function readSecret(
  disk: Pick<Disk, "read">,
  directory: string,
): Promise<SecretContent> {
  const main = await ignoreMissing(disk.read(join(directory, SECRET_FILE)));
  const copy = await ignoreMissing(disk.read(join(directory, SECRET_COPY_FILE)));
  const copiedBytes = copy?.subarray(CHECKSUM_BYTES);
  if (!main || !copy || !copiedBytes || !Buffer.from(copy).equals(appendChecksum(copiedBytes)))
    return { bytes: main, isRecovered: false, isComplete: false };
  const isRecovered = !Buffer.from(main).equals(copiedBytes);
  return { bytes: copiedBytes, isRecovered, isComplete: !isRecovered };
}

/** Writes the copy first, since `readSecret` would prefer an old copy to a new file. Throws what the disk throws. */
export async function writeSecret(disk: Disk, directory: string, bytes: Uint8Array): Promise<void> {
  await writeDurably(disk, join(directory, SECRET_COPY_FILE), appendChecksum(bytes));
  await writeDurably(disk, join(directory, SECRET_FILE), bytes);
}

const CHECKSUM_BYTES = 32;

const appendChecksum = (bytes: Uint8Array): Buffer =>
  Buffer.concat([new Bun.CryptoHasher("sha256").update(bytes).digest(), bytes]);
