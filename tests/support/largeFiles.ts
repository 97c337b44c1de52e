/** Files that make a backup of a site take a second and more: zeros, which take no space on the disk. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** Just below the largest that an archive takes. */
const SIZE = 60_000_000;
const NAMES = ["one.bin", "two.bin", "three.bin"];

/** Puts them among a site's pictures, so that what is done with a backup that is being made is done in time. */
export async function addLargeFiles(uploadsDir: string): Promise<void> {
  for (const name of NAMES) {
    const file = await open(join(uploadsDir, name), "w");
    await file.truncate(SIZE);
    await file.close();
  }
}

export async function removeLargeFiles(uploadsDir: string): Promise<void> {
  for (const name of NAMES) await rm(join(uploadsDir, name));
}
