/** Writes files whole or not at all, even across a power failure. Tests make each call of `Disk` fail. */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { forEachConcurrently } from "../../shared/concurrency.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";

/** The system calls for files and folders. All calls throw Node's errors, which have a `code`. */
export interface Disk {
  read(path: string): Promise<Uint8Array>;
  list(path: string): Promise<string[]>;
  /** Creates a folder and its parents with mode 0700. An existing folder gets mode 0700 too. */
  makeFolder(path: string): Promise<void>;
  /** Creates a file with mode 0600. Throws EEXIST if it exists. */
  create(path: string): Promise<DiskHandle>;
  /** Opens a file with mode 0600 for appending and truncating. Creates a missing file. */
  openJournal(path: string): Promise<JournalHandle>;
  /** Opens an existing folder or file for fsync. */
  open(path: string): Promise<DiskHandle>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** The result of `create` and `open`. Only a file from `create` can be written to. */
export interface DiskHandle {
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalHandle extends Pick<DiskHandle, "sync" | "close"> {
  /** Writes at an offset in bytes. Resolves once the bytes are on the disk. */
  write(bytes: Uint8Array, offset: number): Promise<void>;
  truncate(length: number): Promise<void>;
}

/** Thrown after a failed fsync. The content of the disk is then unknown, so a store ends the process. */
export class FsyncError extends Error {
  override readonly name = "FsyncError";
}

/**
 * Writes a file and, with `hasCopy`, its `.bak`:
 *
 * 1. Writes and fsyncs a temporary file for `path` and one for the `.bak`.
 * 2. Renames the second temporary file to `.bak`, and fsyncs the folder. The `.bak` is thus never older than the file,
 *    and doesn't keep erased data.
 * 3. Renames the first temporary file to `path`, and fsyncs the folder.
 *
 * An error before step 3 leaves the file unchanged. Throws FsyncError and what the disk throws.
 */
export async function writeDurably(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  hasCopy = false,
): Promise<void> {
  const folder = await disk.open(dirname(path));
  const copyPath = `${path}.bak`;
  const temporaryPath = createTemporaryPath(path);
  const temporaryCopyPath = hasCopy ? createTemporaryPath(copyPath) : undefined;
  const temporaryPaths =
    temporaryCopyPath === undefined ? [temporaryPath] : [temporaryPath, temporaryCopyPath];
  let isCopied = false;
  try {
    // Both files are written at once, since syncing two files takes no longer than syncing one.
    await forEachConcurrently(temporaryPaths, (each) => createFile(disk, each, bytes));
    if (temporaryCopyPath) {
      await disk.rename(temporaryCopyPath, copyPath);
      isCopied = true;
      await syncHandle(folder);
    }
    await disk.rename(temporaryPath, path);
    isCopied = false;
    await syncHandle(folder);
  } catch (error) {
    for (const each of temporaryPaths) await removeQuietly(disk, each);
    if (isCopied) await revertCopy(disk, path);
    throw error;
  } finally {
    await closeQuietly(folder);
  }
}

/** Restores or removes the `.bak` after a refused write. The next start would otherwise use it. Throws FsyncError. */
async function revertCopy(disk: Disk, path: string): Promise<void> {
  const copyPath = `${path}.bak`;
  await copyFile(disk, path, copyPath)
    .catch(async () => {
      await disk.remove(copyPath);
      await syncPath(disk, dirname(path));
    })
    .catch((error: unknown) => {
      throw new FsyncError("a rejected write couldn't be undone", { cause: error });
    });
}

/** Copies a file's bytes. With a hard link, damage to the original would also damage the copy. */
export async function copyFile(disk: Disk, from: string, to: string): Promise<void> {
  await writeDurably(disk, to, await disk.read(from));
}

/** Creates a file and syncs its bytes; the caller must sync the folder. Throws FsyncError and what the disk throws. */
export async function createFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.create(path);
  try {
    await file.write(bytes);
    await syncHandle(file);
  } finally {
    await closeQuietly(file);
  }
}

/** Fsyncs a file or a folder. The fsync of a folder makes renames and removals in it durable. Throws FsyncError. */
export async function syncPath(disk: Disk, path: string): Promise<void> {
  const handle = await disk.open(path);
  try {
    await syncHandle(handle);
  } finally {
    await closeQuietly(handle);
  }
}

export async function syncHandle(handle: Pick<DiskHandle, "sync">): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    throw new FsyncError("fsync failed", { cause: error });
  }
}

/** Creates a missing folder and its parents durably, with mode 0700. Throws FsyncError and what the disk throws. */
export async function ensureFolder(disk: Disk, path: string): Promise<void> {
  if (await ignoreMissing(disk.list(path))) return;
  const parent = dirname(path);
  if (parent !== path) await ensureFolder(disk, parent);
  await disk.makeFolder(path);
  await syncPath(disk, parent);
}

export const createTemporaryPath = (path: string) => `${path}.${randomUUID()}.tmp`;

/** Whether a name is that of a temporary file, which a crash may leave behind. */
export const isTemporary = (name: string) => /\.[0-9a-f-]{36}\.tmp$/.test(name);

// Errors are ignored, since the next start removes leftover temporary files.
const removeQuietly = (disk: Disk, path: string) => disk.remove(path).catch(() => {});
export const closeQuietly = (handle: Pick<DiskHandle, "close">) => handle.close().catch(() => {});

export async function listOrEmpty(disk: Disk, path: string): Promise<string[]> {
  return (await ignoreMissing(disk.list(path))) ?? [];
}

export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
