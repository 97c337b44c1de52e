/** Functions on the contents of a folder: check them, read them for an archive, and replace all of them. */
import type { Dirent } from "node:fs";
import {
  access,
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { join, relative } from "node:path";
import { ignoreMissing, isTemporary, syncPath, writeDurably } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import { LOCK_FILE } from "../disk/folderLock.ts";
import { isArchivableName, MAX_FILE_BYTES } from "../archiveEntries.ts";
import {
  createProblem,
  type ReplaceableContents,
  type Finding,
  type LeftoverCopy,
  type Replacement,
  type ReplacementNote,
} from "../engine.ts";
import type { ReportExcluded, StoredFile } from "../store.ts";
import { RESTORE_NOTE_FILE } from "./installation.ts";
import { writeSecret } from "../siteSecret.ts";

export async function checkPermissions(folder: string): Promise<Finding> {
  const stats = await lstat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) return createProblem(`The folder ${folder} is missing.`);
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return createProblem(
      `The folder ${folder} isn't writable. Make the user who runs Limelight its owner, and check that its disk is writable.`,
    );
  return (stats.mode & 0o077) !== 0
    ? createProblem(`Other users can read ${folder}. Run: chmod 700 ${folder}`)
    : { ok: true, message: `${folder} is private` };
}

/** Whether files with this name, such as locks and temporary files, are left out of archives without a report. */
export const isExcludedFromArchive = (name: string) =>
  /^\.(lock$|site$|reserve$|outlines$|restore-|before-restore-)/.test(name) || isTemporary(name);

export function findSkipReason(entry: Dirent): string | undefined {
  if (!entry.isFile() && !entry.isDirectory()) return "it is neither a file nor a folder";
  if (isArchivableName(entry.name)) return undefined;
  return entry.name.startsWith(".") ? "it is hidden" : "it isn't one of Limelight's files";
}

interface FilesOptions {
  readonly reportExcluded?: ReportExcluded | undefined;
  /** Paths for which this returns true are left out without a report. */
  readonly isExcluded?: (path: string) => boolean;
  readonly subfolder?: string;
}

/** Reads a folder's files in a stable order, subfolders first. The folder must not change meanwhile. */
export async function* readFolderFiles(
  folder: string,
  { reportExcluded = () => {}, subfolder = "", isExcluded = () => false }: FilesOptions = {},
): AsyncGenerator<StoredFile> {
  const entries = await readdir(join(folder, subfolder), { withFileTypes: true });
  const candidates = entries
    .filter(({ name }) => !isExcludedFromArchive(name) && !isExcluded(subfolder + name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of candidates) {
    const reason = findSkipReason(entry);
    if (reason) reportExcluded(subfolder + entry.name, reason);
  }
  const archivable = candidates.filter((entry) => !findSkipReason(entry));
  for (const { name } of archivable.filter((entry) => entry.isDirectory()))
    yield* readFolderFiles(folder, {
      reportExcluded,
      isExcluded,
      subfolder: `${subfolder}${name}/`,
    });
  for (const { name } of archivable.filter((entry) => entry.isFile())) {
    const path = subfolder + name;
    if (Bun.file(join(folder, path)).size > MAX_FILE_BYTES)
      reportExcluded(path, "it is larger than 64 MB");
    else yield { path, bytes: await readFile(join(folder, path)) };
  }
}

/** Replaces a folder's contents with those of a folder on the same disk. Hidden and excluded files stay in place. */
export function createFolderContents(
  folder: string,
  excludedNames: readonly string[] = [],
): ReplaceableContents {
  const listContents = async () =>
    (await readdir(folder)).filter(
      (name) => !name.startsWith(".") && !excludedNames.includes(name),
    );
  return {
    async moveOut({ before, emptied }) {
      const target = join(folder, before);
      const names = await listContents();
      if (names.length > 0 && !emptied) await mkdir(target, { recursive: true, mode: 0o700 });
      for (const name of names) {
        if (emptied) await rm(join(folder, name), { recursive: true });
        else await rename(join(folder, name), join(target, name));
      }
      if (names.length > 0 && !emptied) await syncPath(disk, target);
      await syncPath(disk, folder);
    },
    async moveIn(sourceFolder) {
      // Only a missing folder is ignored. If other errors were ignored, the staged pictures would be lost.
      const names = (await ignoreMissing(readdir(sourceFolder))) ?? [];
      for (const name of names.filter((each) => !excludedNames.includes(each)))
        await rename(join(sourceFolder, name), join(folder, name));
      await syncPath(disk, folder);
    },
  };
}

/** Returns the steps that replace a folder's site. While the note of a replacement exists, no store can be opened. */
export function createFolderReplacement(
  folder: string,
  openOldData: Replacement["openOldData"],
): Replacement {
  const notePath = join(folder, RESTORE_NOTE_FILE);
  return {
    ...createFolderContents(folder, [RESTORE_NOTE_FILE]),
    stagingFolder: folder,
    openOldData,
    async readPendingNote() {
      const text = await ignoreMissing(readFile(notePath, "utf8"));
      if (text === undefined) return undefined;
      return JSON.parse(text) as ReplacementNote;
    },
    begin: (note) => writeDurably(disk, notePath, Buffer.from(JSON.stringify(note))),
    putSecret: (secret) => writeSecret(disk, folder, secret),
    async end() {
      await rm(notePath, { force: true });
      await syncPath(disk, folder);
    },
  };
}

/** Fsyncs a folder and its subfolders. The files in them must already be fsynced. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  await syncPath(disk, folder);
}

/** Finds the copies left by restores, damage and migrations; none if the folder is missing. */
export async function findLeftoverCopies(folder: string, subfolder = ""): Promise<LeftoverCopy[]> {
  const entries = await ignoreMissing(readdir(join(folder, subfolder), { withFileTypes: true }));
  const copies: LeftoverCopy[] = [];
  for (const entry of (entries ?? []).toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = subfolder + entry.name;
    const origin = findLeftoverOrigin(path);
    if (origin) copies.push({ path, size: await measureSize(join(folder, path)), origin });
    else if (entry.isDirectory() && !entry.name.startsWith("."))
      copies.push(...(await findLeftoverCopies(folder, `${path}/`)));
  }
  return copies;
}

/** Removes copies found by `findLeftoverCopies`. The caller must hold the lock. */
export async function removeCopies(folder: string, copies: readonly LeftoverCopy[]): Promise<void> {
  for (const { path } of copies) await rm(join(folder, path), { recursive: true, force: true });
  if (copies.length > 0) await syncPath(disk, folder);
}

/** Returns the origin of a leftover copy, derived from its path in the folder; undefined for data. */
export function findLeftoverOrigin(path: string): LeftoverCopy["origin"] | undefined {
  if (path.startsWith(".before-restore-")) return "a restore";
  if (path.startsWith(".restore-")) return "an interrupted restore";
  if (/\.jsonl?(\.bak)?\.bad-\w+$/.test(path)) return "damage";
  return /^migrations\/.*\.json$/.test(path) ? "a migration" : undefined;
}

/** Finds files that contain a text, ignoring case. The text must be ASCII, as email addresses are (`emailSchema`). */
export async function findFilesContaining(folder: string, text: string): Promise<string[]> {
  const searchText = Buffer.from(text).toString("latin1").toLowerCase();
  const containsText = async (path: string) => {
    let previousTail = "";
    for await (const bytes of Bun.file(path).stream()) {
      const chunk = previousTail + Buffer.from(bytes).toString("latin1").toLowerCase();
      if (chunk.includes(searchText)) return true;
      previousTail = chunk.slice(-searchText.length);
    }
    return false;
  };
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const matchingPaths: string[] = [];
  // Skips the lock's file: when this process closes that file, it loses the lock.
  for (const entry of entries.filter((each) => each.isFile() && each.name !== LOCK_FILE)) {
    const path = join(entry.parentPath, entry.name);
    // A missing file is ignored, since it may have been deleted meanwhile.
    if (await ignoreMissing(containsText(path))) matchingPaths.push(relative(folder, path));
  }
  return matchingPaths.toSorted();
}

async function measureSize(path: string): Promise<number> {
  const stats = await ignoreMissing(stat(path));
  if (!stats?.isDirectory()) return stats?.size ?? 0;
  const sizes = await Promise.all(
    (await readdir(path)).map((name) => measureSize(join(path, name))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
