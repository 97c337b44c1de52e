/**
 * The one way a file gets onto the disk, whole or not at all, and still there after the power fails; and the few
 * calls this takes, so that tests can make each of them fail. The real ones are in realDisk.ts.
 */
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";

/** The calls that reach the disk. Errors are Node's, with `code`. */
export interface Disk {
  read(path: string): Promise<Uint8Array>;
  list(path: string): Promise<string[]>;
  /** 0700, parents included; an existing folder becomes 0700 too. */
  makeFolder(path: string): Promise<void>;
  /** A new file, 0600; EEXIST when there is one. */
  create(path: string): Promise<DiskHandle>;
  /** A file that stays open, 0600, made where it isn't there. */
  openLog(path: string): Promise<LogHandle>;
  /** A folder or a file that is there, for its fsync. */
  open(path: string): Promise<DiskHandle>;
  link(from: string, to: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** What `create` and `open` return; only a created file can be written. */
export interface DiskHandle {
  /** Behind what was written before. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A file that is written to its end, line by line. */
export interface LogHandle {
  /** From this byte on; over once it is on the disk. */
  write(bytes: Uint8Array, at: number): Promise<void>;
  /** Cuts off all that is behind so many bytes. */
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** After a failed fsync nobody knows what is on the disk: a store that meets it ends the process. */
export class FailedSync extends Error {
  override readonly name = "FailedSync";
}

/**
 * 1. Write a temporary file, and with `hasCopy` one for the `.bak`; fsync them. 2. Rename the copy, which is never older than
 * the file, and fsync the folder, so that what was erased is in neither. 3. Rename the file. 4. fsync the folder.
 * Until step 3 an error leaves the file as it was; after it only a failed fsync is possible, because
 * the folder is opened before anything else. Throws FailedSync and what the disk throws.
 */
export async function writeDurably(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  hasCopy = false,
): Promise<void> {
  const folder = await disk.open(dirname(path));
  const copy = `${path}.bak`;
  const temporary = temporaryFor(path);
  const temporaryCopy = hasCopy ? temporaryFor(copy) : undefined;
  const temporaries = temporaryCopy === undefined ? [temporary] : [temporary, temporaryCopy];
  let isCopied = false;
  try {
    await createFiles(disk, temporaries, bytes);
    if (temporaryCopy) {
      await disk.rename(temporaryCopy, copy);
      isCopied = true;
      await sync(folder);
    }
    await disk.rename(temporary, path);
    isCopied = false;
    await sync(folder);
  } catch (error) {
    for (const each of temporaries) await removeQuietly(disk, each);
    if (isCopied) await takeBackCopy(disk, path);
    throw error;
  } finally {
    await closeQuietly(folder);
  }
}

/** At the same time, since the disk syncs two files as quickly as one; all are over when it rejects. */
async function createFiles(disk: Disk, paths: readonly string[], bytes: Uint8Array): Promise<void> {
  const outcomes = await Promise.allSettled(paths.map((path) => createFile(disk, path, bytes)));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

/**
 * What was refused must not come back at the next start, from a copy that is newer than its file: the copy
 * gets the file's bytes again, or, where the disk takes none, goes. Throws FailedSync when neither works.
 */
async function takeBackCopy(disk: Disk, path: string): Promise<void> {
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
    throw new FailedSync("a refused write couldn't be taken back", { cause: error });
  }
}

/** A second file with the same bytes, not a second name of one file, which damage would hit at once. */
export async function copyFile(disk: Disk, from: string, to: string): Promise<void> {
  await writeDurably(disk, to, await disk.read(from));
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

/** A second name of a file, or a copy where there are no hard links. */
export async function linkOrCopy(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.link(from, to);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error) ?? "")) throw error;
    await createFile(disk, to, await disk.read(from));
  }
}

/**
 * A new file with its bytes on the disk; its name lasts once its folder is synced. Throws FailedSync
 * and what the disk throws, EEXIST for a name that is taken.
 */
export async function createFile(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.create(path);
  try {
    await file.write(bytes);
    await sync(file);
  } finally {
    await closeQuietly(file);
  }
}

/** Makes a file last, or what was renamed and removed inside a folder. Throws FailedSync. */
export async function syncPath(disk: Disk, path: string): Promise<void> {
  const handle = await disk.open(path);
  try {
    await sync(handle);
  } finally {
    await closeQuietly(handle);
  }
}

/** Makes what was written last. Throws FailedSync. */
export async function sync(handle: Pick<DiskHandle, "sync">): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    throw new FailedSync("fsync failed", { cause: error });
  }
}

/**
 * Makes a private folder, parents included, whose name is still there after the power fails; leaves
 * one that is there alone. Throws FailedSync and what the disk throws.
 */
export async function ensureFolder(disk: Disk, path: string): Promise<void> {
  if (await ifThere(disk.list(path))) return;
  const parent = dirname(path);
  if (parent !== path) await ensureFolder(disk, parent);
  await disk.makeFolder(path);
  await syncPath(disk, parent);
}

const temporaryFor = (path: string) => `${path}.${randomUUID()}.tmp`;

/** Whether a name is one of ours that a crash left behind. */
export const isTemporary = (name: string) => /\.[0-9a-f-]{36}\.tmp$/.test(name);

// Failing to clean up is harmless: the next start removes leftovers.
const removeQuietly = (disk: Disk, path: string) => ifThere(disk.remove(path)).catch(() => {});
export const closeQuietly = (handle: Pick<DiskHandle, "close">) => handle.close().catch(() => {});

/** The names inside a folder; none when there is no such folder. */
export async function listIfThere(disk: Disk, path: string): Promise<string[]> {
  return (await ifThere(disk.list(path))) ?? [];
}

/** Undefined instead of ENOENT. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Node's name of what went wrong (ENOENT, ENOSPC …), if the error has one. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
