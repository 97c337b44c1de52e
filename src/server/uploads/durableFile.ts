/** Writes a file so that it is either whole on the disk or not there at all. */
import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** The ending of a file that is still being written. */
export const UNFINISHED = ".unfinished";

const EXCLUSIVE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Writes `bytes` (mode 0600) under a temporary name, syncs and renames it. The caller syncs the
 * folder once for all of its files. On an error nothing stays behind, and the error is thrown on.
 */
export async function writeDurably(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const unfinished = join(folder, name + UNFINISHED);
  try {
    await writeSynced(unfinished, bytes);
    await rename(unfinished, join(folder, name));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Makes the names in a folder durable: a rename is safe only once its folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, EXCLUSIVE, 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
