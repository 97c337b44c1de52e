/** Lets only one process open a folder, with an exclusive SQLite lock. The kernel releases it even after kill -9. */
import { Database } from "bun:sqlite";
import { chmodSync, type Stats } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { cannotOpen, inUse, type Refusal } from "../../shared/errors.ts";
import { ignoreMissing } from "./disk.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";

// References to the locks' databases. Garbage collection would otherwise close them, and thus release the locks.
const heldLocks = new Set<Database>();

/** The process must not open this file again: closing any handle of the file releases the lock (POSIX). */
export const LOCK_FILE = ".lock";

/** Returns a function that releases the lock. Throws `cannot_open`. */
export function lockFolder(directory: string, setting = "DATA_DIR"): () => void {
  const path = join(directory, LOCK_FILE);
  let database: Database | undefined;
  try {
    database = new Database(path);
    // The database is never written to, so it needs no journal file.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    database.run("BEGIN EXCLUSIVE");
    chmodSync(path, 0o600);
  } catch (error) {
    database?.close();
    throw createLockRefusal(directory, setting, error);
  }
  const lock = database;
  heldLocks.add(lock);
  return () => {
    heldLocks.delete(lock);
    lock.close();
  };
}

function createLockRefusal(directory: string, setting: string, error: unknown): Refusal {
  if (getErrorCode(error)?.startsWith("SQLITE_BUSY"))
    return inUse(
      `Another process is using the folder ${directory}. Stop it first, or choose another folder with ${setting}.`,
      error,
    );
  return cannotOpen(
    `The folder ${directory} couldn't be locked. Check that it belongs to the user who runs Limelight and that its disk has free space and supports file locks.`,
    error,
  );
}

/**
 * Returns the pid of the process with the lock, if this user may see it. Asks the kernel, because opening `.lock` could
 * release the lock.
 */
export async function findLockHolders(directory: string): Promise<readonly string[]> {
  const lockStats = await ignoreMissing(stat(join(directory, LOCK_FILE)));
  if (!lockStats) return [];
  const table = await readFile("/proc/locks", "utf8");
  const writerPids = [...table.matchAll(/ POSIX +ADVISORY +WRITE +(\d+) /g)].flatMap(
    ([, pid]) => pid ?? [],
  );
  // Compares the processes' open files, because on some file systems the device numbers in /proc/locks and stat differ.
  for (const pid of new Set(writerPids)) if (await isFileOpenIn(pid, lockStats)) return [pid];
  return [];
}

async function isFileOpenIn(pid: string, file: Stats): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  for (const name of await readdir(folder).catch(() => [])) {
    const openFile = await stat(join(folder, name)).catch(() => undefined);
    if (openFile?.ino === file.ino && openFile.dev === file.dev) return true;
  }
  return false;
}
