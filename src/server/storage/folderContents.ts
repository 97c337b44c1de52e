/** What a folder holds: read for an archive while it is written to, or replaced as a whole. */
import type { Dirent } from "node:fs";
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cannotOpen } from "../shared/errors.ts";
import { codeOf, ifThere, isTemporary, syncPath } from "./disk.ts";
import { disk } from "./realDisk.ts";
import type { Contents } from "./engine.ts";
import { isLog, linesInto } from "./lineLog.ts";
import type { LeftOut, StoredFile } from "./store.ts";

/** The largest file that is read, in bytes, as each is read whole; no file of ours is so large. */
export const LARGEST_FILE = 64 * 1024 * 1024;

/** What says which other files of its folder have to be there. */
const LIST = "segments.json";

/** Which files of a folder are read. */
export interface FilesOptions {
  /** Whether a path is passed over. */
  readonly except?: (path: string) => boolean;
  /** The files in the folder itself, not those of folders inside, are as they were at one moment. */
  readonly atOnce?: boolean;
  readonly leftOut?: LeftOut | undefined;
}

/**
 * The files of a folder, with their paths in it, in a stable order; those of a folder inside come
 * before its own. Passes over locks, what was there before a restore, and unfinished writes; says
 * what else it leaves out. A list goes ahead of what it names and of the look into the folder: it
 * names a file only once that is there, so that what it names is always found.
 */
export async function* filesIn(
  folder: string,
  options: FilesOptions = {},
  inside = "",
): AsyncGenerator<StoredFile> {
  const { except = () => false, leftOut = () => {}, atOnce = false } = options;
  const there = await readdir(folder);
  if (there.includes(LIST)) yield* read(folder, inside, LIST, leftOut);
  // Before the files that they follow: lines that are put into those meanwhile are known to be in them.
  const logs = atOnce ? [] : await filesOf(folder, inside, there.filter(isLog), leftOut);
  const entries = await readdir(folder, { withFileTypes: true });
  const kept = entries.filter(
    ({ name }) => !isPassing(name) && !except(inside + name) && name !== LIST && !isLog(name),
  );
  kept.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of kept) {
    const why = whyNot(entry);
    if (why) leftOut(inside + entry.name, why);
  }
  const archived = kept.filter((entry) => !whyNot(entry));
  for (const { name } of archived.filter((entry) => entry.isDirectory()))
    yield* filesIn(join(folder, name), { except, leftOut }, `${inside}${name}/`);
  if (atOnce) {
    const all = await Array.fromAsync(readAtOnce(folder, (path) => !except(path), leftOut));
    const whole = linesInto(
      all.filter(({ path }) => isLog(path)),
      leftOut,
    );
    return yield* all.filter(({ path }) => !isLog(path)).map(whole);
  }
  const whole = linesInto(logs, leftOut);
  for (const { name } of archived.filter((entry) => entry.isFile()))
    for (const file of await filesOf(folder, inside, [name], leftOut)) yield whole(file);
}

async function filesOf(
  folder: string,
  inside: string,
  names: readonly string[],
  leftOut: LeftOut,
): Promise<StoredFile[]> {
  const found = names.map((name) => Array.fromAsync(read(folder, inside, name, leftOut)));
  return (await Promise.all(found)).flat();
}

/** As long as a writer without a pause is waited for. */
const PATIENCE_MS = 10_000;

/**
 * Reads the files of a folder again until none moved: each was there unchanged from before it was read
 * until after the last was. All are in memory meanwhile. Throws `cannot_open` when it never comes so far.
 */
async function* readAtOnce(
  folder: string,
  isWanted: (name: string) => boolean,
  leftOut: LeftOut,
): AsyncGenerator<StoredFile> {
  const end = performance.now() + PATIENCE_MS;
  const held = new Map<string, { state: string; file: StoredFile | undefined }>();
  const said = new Map<string, string>();
  for (let moved = true; moved;) {
    if (performance.now() > end)
      throw cannotOpen(
        "The site was changed again and again while the archive was made. Try again in a moment.",
      );
    moved = false;
    const states = await statesIn(folder, isWanted);
    for (const name of held.keys()) if (!states.has(name)) moved = held.delete(name);
    for (const [name, state] of states) {
      if (held.get(name)?.state === state) continue;
      moved = true;
      const [file] = await Array.fromAsync(
        read(folder, "", name, (path, why) => said.set(path, why)),
      );
      held.set(name, { state, file });
    }
  }
  for (const [path, why] of said) leftOut(path, why);
  for (const name of [...held.keys()].sort()) {
    const { file } = held.get(name)!;
    if (file) yield file;
  }
}

/** What tells each file from one that took its name since. */
async function statesIn(
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const wanted = entries.filter(
    (entry) => entry.isFile() && !isPassing(entry.name) && !whyNot(entry) && isWanted(entry.name),
  );
  const states = await Promise.all(
    wanted.map(async ({ name }) => {
      const found = await ifThere(lstat(join(folder, name), { bigint: true }));
      return found && ([name, `${found.ino} ${found.mtimeNs} ${found.size}`] as const);
    }),
  );
  return new Map(states.filter((each) => each !== undefined));
}

/** Ours, and of no worth to an archive. */
const isPassing = (name: string) =>
  /^\.(lock$|site$|reserve$|outlines$|first-pages(?:\.new)?$|moving$|restore-|before-restore-)/.test(
    name,
  ) || isTemporary(name);

/** A name of ours, in whatever folder: these alone are archived and restored. */
export const isPlainName = (name: string) => /^(?!\.)[\w.-]+$/.test(name);

function whyNot(entry: Dirent): string | undefined {
  if (!entry.isFile() && !entry.isDirectory()) return "it is neither a file nor a folder";
  if (isPlainName(entry.name)) return undefined;
  return entry.name.startsWith(".") ? "it is hidden" : "its name is none that Limelight gives";
}

/** Nothing for a file that is too large, or gone: an old revision may go after the listing. */
async function* read(
  folder: string,
  inside: string,
  name: string,
  leftOut: LeftOut,
): AsyncGenerator<StoredFile> {
  const path = join(folder, name);
  if (Bun.file(path).size > LARGEST_FILE) return leftOut(inside + name, "it is larger than 64 MB");
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  if (bytes) yield { path: inside + name, bytes };
}

/** What a folder holds but for hidden files and `leaveAlone`, to be replaced. */
export function folderContents(folder: string, leaveAlone: readonly string[] = []): Contents {
  const moved: [from: string, to: string][] = [];
  const move = async (from: string, to: string) => {
    await renameAnywhere(from, to);
    moved.push([from, to]);
  };
  const own = async () =>
    (await readdir(folder)).filter((name) => !name.startsWith(".") && !leaveAlone.includes(name));
  return {
    async takeOut({ before, emptied }) {
      const kept = join(folder, before);
      await mkdir(kept, { recursive: true, mode: 0o700 });
      for (const name of await own()) {
        if (emptied) await rm(join(folder, name), { recursive: true });
        else await move(join(folder, name), join(kept, name));
      }
      await syncPath(disk, kept);
      await syncPath(disk, folder);
    },
    async putIn(from) {
      const names = await readdir(from).catch(() => []);
      for (const name of names.filter((each) => !leaveAlone.includes(each)))
        await move(join(from, name), join(folder, name));
      await syncPath(disk, folder);
    },
    async undo() {
      for (const [from, to] of moved.splice(0).toReversed()) await renameAnywhere(to, from);
    },
  };
}

/** Renames, or copies and removes when the two are on different disks. */
export async function renameAnywhere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    await copy(from, to);
    await rm(from, { recursive: true });
  }
}

/** Copies a file or a folder in the place of another; a copy that was cut short is made anew. */
export async function copyOver(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await copy(from, to);
}

/**
 * Leaves nothing half copied behind. Unlike a rename, a copy is not on the disk until it is synced.
 */
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
