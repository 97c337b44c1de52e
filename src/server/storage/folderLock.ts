/** One process per data folder: SQLite's exclusive lock, which the kernel lifts even after kill -9. */
import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { cannotOpen, Refusal } from "../errors.ts";
import { codeOf } from "./disk.ts";

// Kept here, because a database that is garbage-collected releases its lock while the store is still open.
const held = new Set<Database>();

/**
 * Returns the function that releases the lock. It is a POSIX lock: opening and closing `.lock` anywhere else
 * in this process (a backup, say) would silently lift it. Throws `cannot_open`.
 */
export function lockFolder(directory: string): () => void {
  const path = join(directory, ".lock");
  let database: Database | undefined;
  try {
    database = new Database(path);
    // Nothing is ever written to it, so it needs no journal beside it.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    database.run("BEGIN EXCLUSIVE");
    chmodSync(path, 0o600);
  } catch (error) {
    database?.close();
    throw refusalFor(directory, error);
  }
  const lock = database;
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}

function refusalFor(directory: string, error: unknown): Refusal {
  const busy = codeOf(error)?.startsWith("SQLITE_BUSY");
  const message = busy
    ? `Another process is using the data folder ${directory}. Stop it first, or choose another folder with DATA_DIR.`
    : `The data folder ${directory} couldn't be locked. Check that it belongs to the user who starts Limelight and that its disk has room and supports locks.`;
  return cannotOpen(message, error);
}
