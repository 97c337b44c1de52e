/**
 * Puts an archive back in the place of a site's folders, as numbered steps with their way back:
 *
 * 1. Unpack beside the present files, in `.restore-…` of each folder, and prove every byte.
 * 2. Move the present files into `.before-restore-…` of each folder, the data folder's marker first:
 *    from here until step 4 a start refuses in words.
 * 3. Move the unpacked files up, the marker last.
 * 4. Remove what step 1 left.
 *
 * A failure in step 2 or 3 moves everything back. The files from before stay until the owner removes them.
 */
import { cp, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SiteFolders } from "./backupFolders.ts";
import { unpackArchive } from "./unpackArchive.ts";

/** What a restore did. */
export interface Restored {
  readonly files: number;
  /** When the archive was made, as an ISO timestamp. */
  readonly createdAt: string;
  /** The name of the folder, in both folders, that holds what was there before. */
  readonly before: string;
}

const MARKER = "installation.json";

/**
 * Restores `archive` over a stopped site; the caller holds the site's lock. Raises ArchiveRefused when
 * the archive is not whole; nothing is changed then.
 */
export async function restoreArchive(
  archive: string,
  folders: SiteFolders,
  now = new Date(),
): Promise<Restored> {
  const stamp = now.toISOString().replace(/[:.]/g, "-");
  const staging = join(folders.data, `.restore-${stamp}`);
  const before = `.before-restore-${stamp}`;
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await mkdir(folders.uploads, { recursive: true, mode: 0o700 });
  try {
    const manifest = await unpackArchive(archive, staging);
    await swap(staging, folders, before);
    return { files: manifest.files.length, createdAt: manifest.createdAt, before };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function swap(staging: string, folders: SiteFolders, before: string): Promise<void> {
  const moved: [string, string][] = [];
  const move = async (from: string, to: string) => {
    await renameAnywhere(from, to);
    moved.push([from, to]);
  };
  try {
    for (const name of ["data", "uploads"] as const) {
      const folder = folders[name];
      await mkdir(join(folder, before), { mode: 0o700 });
      for (const entry of markerFirst(await visible(folder))) {
        await move(join(folder, entry), join(folder, before, entry));
      }
    }
    for (const name of ["uploads", "data"] as const) {
      const unpacked = await visible(join(staging, name)).catch(() => []);
      for (const entry of markerFirst(unpacked).toReversed()) {
        await move(join(staging, name, entry), join(folders[name], entry));
      }
      await sync(folders[name]);
    }
  } catch (error) {
    for (const [from, to] of moved.toReversed()) await renameAnywhere(to, from);
    throw error;
  }
}

async function visible(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith("."));
}

function markerFirst(names: string[]): string[] {
  return names.sort((a, b) => Number(b === MARKER) - Number(a === MARKER));
}

/** Renames, or copies and removes when data and uploads are on different disks. */
async function renameAnywhere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await cp(from, to, { recursive: true, errorOnExist: true, force: false });
    await rm(from, { recursive: true });
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
