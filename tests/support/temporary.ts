/** The folder for files that tests write. */
import { statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const MEMORY_FOLDER = "/dev/shm";
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/** The original temporary folder, for files that are kept between runs. */
export const DISK_FOLDER = (process.env["TEMPORARY_ON_DISK"] ??= tmpdir());

/**
 * From now on, temporary folders are in memory, if there is room and TMPDIR isn't set. The program syncs every write,
 * and on a disk the syncs of hundreds of short-lived sites took a sixth of the processor time of the server's tests,
 * and delayed them. A kill loses as little in memory as on a disk.
 */
export function moveTemporaryFolderIntoMemory(): void {
  const hasRoom = Math.min(measureFreeBytes(MEMORY_FOLDER), freemem()) >= MIN_FREE_BYTES;
  if (!process.env["TMPDIR"] && hasRoom) process.env["TMPDIR"] = MEMORY_FOLDER;
}

/** Returns a folder's free space in bytes; 0 if the folder doesn't exist. */
function measureFreeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
