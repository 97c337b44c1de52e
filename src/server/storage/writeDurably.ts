/** The one way a file gets onto the disk: whole or not at all, and still there after the power fails. */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { codeOf, ifThere, type Disk, type DiskHandle } from "./disk.ts";

/** After a failed fsync nobody knows what is on the disk, so the process has to end (design §6). */
export class FailedSync extends Error {
  override readonly name = "FailedSync";
}

export interface KeepOld {
  /**
   * `previous`: the `.bak` becomes the file as it was. `same`: the `.bak` gets the new content too,
   * so that what was erased is in neither. `untouched`: there is no old file worth keeping.
   */
  backup: "previous" | "same" | "untouched";
  /** A further path under which the file as it was stays. */
  history?: string | undefined;
}

/**
 * 1. Write a temporary file, fsync it. 2. Keep the old file. 3. Rename. 4. fsync the folder.
 * Until the rename an error leaves the file as it was; after it only a failed fsync is possible,
 * because the folder is opened before anything else.
 */
export async function writeDurably(disk: Disk, path: string, bytes: Uint8Array, keep: KeepOld) {
  const folder = await disk.openFolder(dirname(path));
  const temporary = temporaryFor(path);
  try {
    await writeNew(disk, temporary, bytes);
    if (keep.history) await keepInHistory(disk, path, keep.history);
    if (keep.backup === "previous") await keepAs(disk, path, `${path}.bak`);
    if (keep.backup === "same") await replaceBackup(disk, path, bytes, folder);
    await disk.rename(temporary, path);
    await sync(folder);
  } catch (error) {
    await removeQuietly(disk, temporary);
    throw error;
  } finally {
    await closeQuietly(folder);
  }
}

/** The backup goes first: once the record is gone from the file, no older copy may be left. */
async function replaceBackup(disk: Disk, path: string, bytes: Uint8Array, folder: DiskHandle) {
  const temporary = temporaryFor(`${path}.bak`);
  try {
    await writeNew(disk, temporary, bytes);
    await disk.rename(temporary, `${path}.bak`);
  } catch (error) {
    await removeQuietly(disk, temporary);
    throw error;
  }
  await sync(folder);
}

async function keepInHistory(disk: Disk, path: string, history: string) {
  const folder = await disk.openFolder(dirname(history));
  try {
    await keepAs(disk, path, history);
    await sync(folder);
  } finally {
    await closeQuietly(folder);
  }
}

/** Gives the file a second name, or a copy where there are no hard links; it never goes missing. */
export async function keepAs(disk: Disk, from: string, to: string): Promise<void> {
  const temporary = temporaryFor(to);
  try {
    await linkOrCopy(disk, from, temporary);
    await disk.rename(temporary, to);
  } finally {
    // Renaming onto another link of the same file does nothing and leaves both names (POSIX rename).
    await removeQuietly(disk, temporary);
  }
}

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

async function linkOrCopy(disk: Disk, from: string, to: string) {
  try {
    await disk.link(from, to);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error;
    await writeNew(disk, to, await disk.read(from));
  }
}

async function writeNew(disk: Disk, path: string, bytes: Uint8Array) {
  const file = await disk.create(path);
  try {
    await file.write(bytes);
    await sync(file);
  } finally {
    await closeQuietly(file);
  }
}

/** Raises FailedSync. */
export async function sync(handle: DiskHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    throw new FailedSync("fsync failed", { cause: error });
  }
}

/** Makes renames and removals inside a folder last. Raises FailedSync. */
export async function syncFolder(disk: Disk, path: string): Promise<void> {
  const folder = await disk.openFolder(path);
  try {
    await sync(folder);
  } finally {
    await closeQuietly(folder);
  }
}

const temporaryFor = (path: string) => `${path}.${randomUUID()}.tmp`;

/** Whether a name is one of ours that a crash left behind. */
export const isTemporary = (name: string) => /\.[0-9a-f-]{36}\.tmp$/.test(name);

// What it was for is over either way, and a leftover goes at the next start.
const removeQuietly = (disk: Disk, path: string) => ifThere(disk.remove(path)).catch(() => {});
const closeQuietly = (handle: DiskHandle) => handle.close().catch(() => {});
