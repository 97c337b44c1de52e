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
import { cp, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, disk, syncPath, writeDurably } from "../storage/disk.ts";
import { RESTORING } from "../storage/installation.ts";
import { SECRET, type SiteFolders } from "./archive.ts";
import { fullDisk, unpackArchive } from "./unpackArchive.ts";

// Puts unpacked folders in the place of a site's, in steps that a kill at any moment can't spoil.

/** What stands in the note that a start sees while folders are swapped. */
interface Note {
  /** The folder, in both folders, that takes what was there. */
  readonly before: string;
  /** True from when all of it is there: what is in the folders then comes from an archive. */
  readonly emptied: boolean;
}

/**
 * Moves what the folders hold into `before` of each, and what `staging` holds into their place. A
 * note in the data folder keeps every start out meanwhile; after a kill the next call goes on
 * where this one ended. An error moves everything back. Gives the name of the folder used.
 */
async function swapFolders(staging: string, folders: SiteFolders, before: string): Promise<string> {
  const earlier = await readNote(folders.data);
  const note: Note = earlier ?? { before, emptied: false };
  const moved: [string, string][] = [];
  const move: Move = async (from, to) => {
    await renameAnywhere(from, to);
    moved.push([from, to]);
  };
  try {
    await writeNote(folders.data, note);
    await empty(folders, note, move);
    await writeNote(folders.data, { ...note, emptied: true });
    await fill(staging, folders, move);
  } catch (error) {
    for (const [from, to] of moved.toReversed()) await renameAnywhere(to, from);
    if (earlier) await writeNote(folders.data, earlier);
    else await removeNote(folders.data);
    throw codeOf(error) === "ENOSPC" ? fullDisk() : error;
  }
  await removeNote(folders.data);
  return note.before;
}

type Move = (from: string, to: string) => Promise<void>;

const NAMES = ["data", "uploads"] as const;

async function empty(folders: SiteFolders, { before, emptied }: Note, move: Move): Promise<void> {
  for (const folder of NAMES.map((name) => folders[name])) {
    const kept = join(folder, before);
    await mkdir(kept, { recursive: true, mode: 0o700 });
    for (const entry of await visible(folder)) {
      if (emptied) await rm(join(folder, entry), { recursive: true });
      else await move(join(folder, entry), join(kept, entry));
    }
    await syncPath(disk, kept);
    await syncPath(disk, folder);
  }
}

async function fill(staging: string, folders: SiteFolders, move: Move): Promise<void> {
  for (const name of NAMES) {
    const unpacked = await visible(join(staging, name)).catch(() => []);
    for (const entry of unpacked)
      await move(join(staging, name, entry), join(folders[name], entry));
    await syncPath(disk, folders[name]);
  }
}

async function visible(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith(".") && name !== RESTORING);
}

async function readNote(folder: string): Promise<Note | undefined> {
  const text = await readFile(join(folder, RESTORING), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { before, emptied } = JSON.parse(text) as Note;
  return { before, emptied };
}

/** On the disk before anything is moved. */
async function writeNote(folder: string, note: Note): Promise<void> {
  await writeDurably(disk, join(folder, RESTORING), Buffer.from(JSON.stringify(note)));
}

async function removeNote(folder: string): Promise<void> {
  await rm(join(folder, RESTORING));
  await syncPath(disk, folder);
}

/** Renames, or copies and removes when data and uploads are on different disks. */
async function renameAnywhere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    await copy(from, to);
    await rm(from, { recursive: true });
  }
}

/** Leaves no half behind; what was copied is not on the disk yet, other than what is renamed. */
async function copy(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, errorOnExist: true, force: false });
  } catch (error) {
    if (codeOf(error) !== "ERR_FS_CP_EEXIST") await rm(to, { recursive: true, force: true });
    throw error;
  }
  await syncAll(to);
}

async function syncAll(path: string): Promise<void> {
  if ((await stat(path)).isDirectory())
    for (const name of await readdir(path)) await syncAll(join(path, name));
  await syncPath(disk, path);
}

/** What a restore did. */
interface Restored {
  readonly files: number;
  /** When the archive was made, as an ISO timestamp. */
  readonly createdAt: string;
  /** The name of the folder, in both folders, that holds what was there before. */
  readonly before: string;
}

const STAGING = ".restore-";

/**
 * Restores `archive` over a stopped site; the caller holds the site's lock. Throws `cannot_open` when
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
