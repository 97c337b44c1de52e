/** Large files that make a backup take a second or more: zeros, which use no disk space. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** Just below the largest size that an archive accepts. */
const SIZE_BYTES = 60_000_000;
const NAMES = ["one.bin", "two.bin", "three.bin"];

/** Adds large files to a site's pictures, so that a test can act while a backup is being made. */
export async function addLargeFiles(uploadsDir: string): Promise<void> {
  for (const name of NAMES) {
    const file = await open(join(uploadsDir, name), "w");
    await file.truncate(SIZE_BYTES);
    await file.close();
  }
}

export async function removeLargeFiles(uploadsDir: string): Promise<void> {
  for (const name of NAMES) await rm(join(uploadsDir, name));
}
