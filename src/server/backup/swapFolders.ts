/** Puts unpacked folders in the place of a site's, in steps that a kill at any moment can't spoil. */
import { cp, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { RESTORING } from "../storage/installation.ts";
import type { SiteFolders } from "./backupFolders.ts";
import { syncPath } from "./syncPath.ts";

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
export async function swapFolders(
  staging: string,
  folders: SiteFolders,
  before: string,
): Promise<string> {
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
    throw error;
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
    await syncPath(kept);
    await syncPath(folder);
  }
}

async function fill(staging: string, folders: SiteFolders, move: Move): Promise<void> {
  for (const name of NAMES) {
    const unpacked = await visible(join(staging, name)).catch(() => []);
    for (const entry of unpacked)
      await move(join(staging, name, entry), join(folders[name], entry));
    await syncPath(folders[name]);
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

/** Whole or not at all, and on the disk before anything is moved. */
async function writeNote(folder: string, note: Note): Promise<void> {
  const part = join(folder, ".restore-note");
  const handle = await open(part, "w", 0o600);
  try {
    await handle.writeFile(JSON.stringify(note));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, join(folder, RESTORING));
  await syncPath(folder);
}

async function removeNote(folder: string): Promise<void> {
  await rm(join(folder, RESTORING));
  await syncPath(folder);
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
