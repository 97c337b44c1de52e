/**
 * Writes files durably: whole or not at all, even across a power failure; and the few calls this needs, so that
 * tests can make each fail. The real ones are in realDisk.ts.
 */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { errorCode } from "../../shared/errorDetails.ts";

/** The calls that reach the disk. Errors are Node's, with `code`. */
export interface Disk {
  read(path: string): Promise<Uint8Array>;
  list(path: string): Promise<string[]>;
  /** Mode 0700, parents included; existing folders become 0700 too. */
  makeFolder(path: string): Promise<void>;
  /** A new file, 0600; EEXIST if it exists. */
  create(path: string): Promise<DiskHandle>;
  /** A file that stays open, 0600, created if missing. */
  openLog(path: string): Promise<LogHandle>;
  /** An existing folder or file, for fsync. */
  open(path: string): Promise<DiskHandle>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** The result of `create` and `open`; only created files can be written. */
export interface DiskHandle {
  /** Appends. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file that is appended to, line by line. */
export interface LogHandle {
  /** Writes at this offset; resolves once it is on disk. */
  write(bytes: Uint8Array, at: number): Promise<void>;
  /** Truncates to this many bytes. */
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** After a failed fsync, what is on disk is unknown: a store that meets it ends the process. */
export class FsyncError extends Error {
  override readonly name = "FailedSync";
}

/**
 * 1. Write a temporary file, and with `hasCopy` one for the `.bak`; fsync them. 2. Rename the copy, which is never
 * older than the file, and fsync the folder, so that erased data is in neither. 3. Rename the file. 4. fsync the
 * folder. Until step 3 an error leaves the file unchanged; later only a failed fsync is possible, as the folder is
 * opened first. Throws FsyncError and what the disk throws.
 */
export async function writeDurably(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  hasCopy = false,
): Promise<void> {
  const folder = await disk.open(dirname(path));
  const copy = `${path}.bak`;
  const temporary = temporaryName(path);
  const temporaryCopy = hasCopy ? temporaryName(copy) : undefined;
  const temporaries = temporaryCopy === undefined ? [temporary] : [temporary, temporaryCopy];
  let isCopied = false;
  try {
    await createFiles(disk, temporaries, bytes);
    if (temporaryCopy) {
      await disk.rename(temporaryCopy, copy);
      isCopied = true;
      await syncHandle(folder);
    }
    await disk.rename(temporary, path);
    isCopied = false;
    await syncHandle(folder);
  } catch (error) {
    for (const each of temporaries) await removeQuietly(disk, each);
    if (isCopied) await removeCopy(disk, path);
    throw error;
  } finally {
    await closeQuietly(folder);
  }
}

/** In parallel, as disks sync two files as fast as one; both have finished when it rejects. */
async function createFiles(disk: Disk, paths: readonly string[], bytes: Uint8Array): Promise<void> {
  const outcomes = await Promise.allSettled(paths.map((path) => createFile(disk, path, bytes)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

/**
 * A refused write must not return at the next start, from a copy newer than its file: the copy is overwritten with the
 * file's bytes or, if that fails, removed. Throws FsyncError if neither works.
 */
async function removeCopy(disk: Disk, path: string): Promise<void> {
  const copy = `${path}.bak`;
  const isAsBefore = await copyFile(disk, path, copy).then(
    () => true,
    () => false,
  );
  if (isAsBefore) return;
  try {
    await disk.remove(copy);
    await syncPath(disk, dirname(path));
  } catch (error) {
    throw new FsyncError("a rejected write couldn't be undone", { cause: error });
  }
}

/** A second file rather than a hard link, as damage would hit both names of one file. */
export async function copyFile(disk: Disk, from: string, to: string): Promise<void> {
  await writeDurably(disk, to, await disk.read(from));
}

/** Gives the file a second name, or a copy if hard links don't work; the file is never missing. */
export async function linkOrCopyAs(disk: Disk, from: string, to: string): Promise<void> {
  const temporary = temporaryName(to);
  try {
    await linkOrCopy(disk, from, temporary);
    await disk.rename(temporary, to);
  } finally {
    // Renaming onto another link of the same file does nothing and leaves both names (POSIX rename).
    await removeQuietly(disk, temporary);
  }
}

const LINK_UNSUPPORTED_CODES = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

/** A hard link, or a copy if those don't work. */
export async function linkOrCopy(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.link(from, to);
  } catch (error) {
    if (!LINK_UNSUPPORTED_CODES.has(errorCode(error) ?? "")) throw error;
    await createFile(disk, to, await disk.read(from));
  }
}

/**
 * Creates a file and syncs its bytes; its name lasts once the folder is synced. Throws FsyncError and what the disk
 * throws, EEXIST for a name in use.
 */
export async function createFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.create(path);
  try {
    await file.write(bytes);
    await syncHandle(file);
  } finally {
    await closeQuietly(file);
  }
}

/** fsyncs a file, or the renames and removals in a folder. Throws FsyncError. */
export async function syncPath(disk: Disk, path: string): Promise<void> {
  const handle = await disk.open(path);
  try {
    await syncHandle(handle);
  } finally {
    await closeQuietly(handle);
  }
}

/** Makes earlier writes durable. Throws FsyncError. */
export async function syncHandle(handle: Pick<DiskHandle, "sync">): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    throw new FsyncError("fsync failed", { cause: error });
  }
}

/**
 * Creates a private folder, parents included, durably; leaves an existing one alone. Throws FsyncError and what the
 * disk throws.
 */
export async function ensureFolder(disk: Disk, path: string): Promise<void> {
  if (await orUndefinedIfMissing(disk.list(path))) return;
  const parent = dirname(path);
  if (parent !== path) await ensureFolder(disk, parent);
  await disk.makeFolder(path);
  await syncPath(disk, parent);
}

const temporaryName = (path: string) => `${path}.${randomUUID()}.tmp`;

/** Whether a name is a temporary file of ours, left by a crash. */
export const isTemporary = (name: string) => /\.[0-9a-f-]{36}\.tmp$/.test(name);

// A failed cleanup is harmless: the next start removes leftovers.
const removeQuietly = (disk: Disk, path: string) =>
  orUndefinedIfMissing(disk.remove(path)).catch(() => {});
export const closeQuietly = (handle: Pick<DiskHandle, "close">) => handle.close().catch(() => {});

/** The names in a folder; none if it doesn't exist. */
export async function listOrEmpty(disk: Disk, path: string): Promise<string[]> {
  return (await orUndefinedIfMissing(disk.list(path))) ?? [];
}

/** Undefined instead of ENOENT. */
export async function orUndefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
