/** The file with the site's secret, and its copy, which begins with a checksum: of two that differ, it is right. */
import { join } from "node:path";
import { type Disk, undefinedIfMissing, writeDurably } from "../disk/disk.ts";

export const SECRET = "secret";
export const SECRET_COPY = `${SECRET}.bak`;

interface SecretContent {
  /** Undefined if the file is missing: removing it is the way to get a new secret. */
  readonly bytes: Uint8Array | undefined;
  /** True if the file differed from its copy, whose bytes these are. */
  readonly isRecovered: boolean;
  /** Both are whole. */
  readonly isComplete: boolean;
}

export async function readSecret(
  disk: Pick<Disk, "read">,
  directory: string,
): Promise<SecretContent> {
  const main = await undefinedIfMissing(disk.read(join(directory, SECRET)));
  const copy = await undefinedIfMissing(disk.read(join(directory, SECRET_COPY)));
  const copied = copy?.subarray(CHECKSUM_LENGTH);
  if (!main || !copy || !copied || !Buffer.from(copy).equals(withChecksum(copied)))
    return { bytes: main, isRecovered: false, isComplete: false };
  const isRecovered = !Buffer.from(main).equals(copied);
  return { bytes: copied, isRecovered, isComplete: !isRecovered };
}

/** The copy first: of two that differ it is taken. Throws what the disk throws. */
export async function writeSecret(disk: Disk, directory: string, bytes: Uint8Array): Promise<void> {
  await writeDurably(disk, join(directory, SECRET_COPY), withChecksum(bytes));
  await writeDurably(disk, join(directory, SECRET), bytes);
}

const CHECKSUM_LENGTH = 32;

const withChecksum = (bytes: Uint8Array): Buffer =>
  Buffer.concat([new Bun.CryptoHasher("sha256").update(bytes).digest(), bytes]);
