/** The folder for files that tests write. */
import { statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";

const MEMORY = "/dev/shm";
const NEEDED = 4 * 1024 ** 3;

/** The temporary folder there was before; for what is kept from run to run. */
export const ON_DISK = (process.env["TEMPORARY_ON_DISK"] ??= tmpdir());

/**
 * From now on temporary folders lie in memory, where there is room for it and TMPDIR names no other place. The
 * program asks for every write to be durable, and hundreds of sites that live for seconds kept a disk busy with
 * that: a sixth of the processor time of the server's tests, and the waiting. A kill loses as little there as on a
 * disk.
 */
export function writeIntoMemory(): void {
  const hasRoom = Math.min(freeIn(MEMORY), freemem()) >= NEEDED;
  if (!process.env["TMPDIR"] && hasRoom) process.env["TMPDIR"] = MEMORY;
}

/** In bytes; none where there is no such folder. */
function freeIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
