/**
 * Puts an archive back in the place of a site's folders, as numbered steps with their way back:
 *
 * 1. Unpack beside the present files, in `.restore-…` of the data folder, and prove every byte.
 * 2. Write a note into the data folder: as long as it is there, a start refuses in words.
 * 3. Move the present files into `.before-restore-…` of each folder.
 * 4. Move the unpacked files up, and remove the note.
 * 5. Remove what step 1 left.
 *
 * A failure in step 3 or 4 moves everything back. After a kill the same command goes on: it never
 * mistakes the files of an archive for what was there before. Those stay until the owner removes them.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SECRET, type SiteFolders } from "./backupFolders.ts";
import { swapFolders } from "./swapFolders.ts";
import { unpackArchive } from "./unpackArchive.ts";

/** What a restore did. */
export interface Restored {
  readonly files: number;
  /** When the archive was made, as an ISO timestamp. */
  readonly createdAt: string;
  /** The name of the folder, in both folders, that holds what was there before. */
  readonly before: string;
}

const STAGING = ".restore-";

/**
 * Restores `archive` over a stopped site; the caller holds the site's lock. Raises ArchiveRefused when
 * the archive is not whole; nothing is changed then. Everyone logs in again afterwards.
 */
export async function restoreArchive(
  archive: string,
  folders: SiteFolders,
  now = new Date(),
): Promise<Restored> {
  const stamp = now.toISOString().replace(/[:.]/g, "-");
  await mkdir(folders.data, { recursive: true, mode: 0o700 });
  await mkdir(folders.uploads, { recursive: true, mode: 0o700 });
  await removeStagings(folders.data);
  const staging = join(folders.data, STAGING + stamp);
  await mkdir(staging, { mode: 0o700 });
  try {
    const manifest = await unpackArchive(archive, staging);
    await rm(join(staging, SECRET), { force: true });
    const before = await swapFolders(staging, folders, `.before-restore-${stamp}`);
    return { files: manifest.files.length, createdAt: manifest.createdAt, before };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** What a kill left of an earlier restore: copies of what is in its archive. */
async function removeStagings(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.startsWith(STAGING));
  for (const name of left) await rm(join(folder, name), { recursive: true });
}
