/**
 * A data folder as it is at one moment, in a folder of its own, to be read in peace: links to all of its files, which keep
 * what they were, since files are replaced and never changed.
 */
import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { copyFile, link, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, ifThere } from "../disk/disk.ts";
import { isPassing } from "./installation.ts";
import { isHidden, whyNot } from "./folderContents.ts";
import { journalOf } from "./journal.ts";
import type { LeftOut } from "../store.ts";

/** What passes in a data folder: nothing in it is to last. */
const PASSING = ".site";

/** Removes the moments of processes that are no more, which a kill has left. */
export async function removeLeftMoments(directory: string): Promise<void> {
  const folder = join(directory, PASSING);
  for (const name of (await ifThere(readdir(folder))) ?? [])
    if (!isRunning(Number(name.split("-")[1]))) await rm(join(folder, name), { recursive: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return codeOf(error) === "EPERM";
  }
}

const TRIES = 20;

/**
 * Also of a folder that another process writes to. Journals are copied, since they grow: before the files, and once more after
 * them, so that no line is missing that a file lacks. To be removed by the caller. Throws what the disk throws.
 */
export async function takeMoment(
  directory: string,
  leftOut: LeftOut = () => {},
  within = join(directory, PASSING),
): Promise<string> {
  const moment = join(within, `moment-${process.pid}-${randomUUID()}`);
  for (let tried = 1; ; tried++) {
    await mkdir(moment, { recursive: true, mode: 0o700 });
    const said: Parameters<LeftOut>[] = [];
    try {
      const before = await copyJournals(directory, moment);
      await linkAll(directory, moment, "", (...each) => said.push(each));
      const after = new Set(await copyJournals(directory, moment));
      // One that was written down meanwhile: the files may be those of before, and what was copied of it a part.
      if (before.some((name) => !after.has(name))) throw gone();
      for (const each of said) leftOut(...each);
      return moment;
    } catch (error) {
      await rm(moment, { recursive: true, force: true });
      // A file that was listed went before it was linked.
      if (codeOf(error) !== "ENOENT" || tried === TRIES) throw error;
    }
  }
}

/** In memory: copies, for as long as somebody looks. A kill leaves them to the machine's next start. */
const ELSEWHERE = "/dev/shm";

/** Also of a folder whose disk takes nothing: just then somebody wants to know what is wrong. */
export async function takeMomentAnywhere(directory: string): Promise<string> {
  return takeMoment(directory).catch((error: unknown) => {
    if (!["ENOSPC", "EDQUOT", "EROFS"].includes(codeOf(error) ?? "")) throw error;
    return takeMoment(directory, undefined, ELSEWHERE);
  });
}

const gone = () => Object.assign(new Error("gone"), { code: "ENOENT" });

/** Returns the names of those that were there. */
async function copyJournals(directory: string, moment: string): Promise<string[]> {
  const copied: string[] = [];
  for (const name of (await readdir(directory)).filter((each) => journalOf(each) !== undefined))
    if (await isCopied(join(directory, name), join(moment, name))) copied.push(name);
  return copied;
}

const isCopied = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to).then(
    () => true,
    (error: unknown) => {
      // All of it is in the files.
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    },
  );

/** What names other files comes before these. */
const rank = (name: string) => (/^(installation|segments)\./.test(name) ? 0 : 1);

async function linkAll(
  directory: string,
  moment: string,
  inside: string,
  leftOut: LeftOut,
): Promise<void> {
  const entries = await readdir(join(directory, inside), { withFileTypes: true });
  for (const entry of entries
    .filter(isOwn(inside))
    .toSorted((one, other) => rank(one.name) - rank(other.name))) {
    const path = join(inside, entry.name);
    const why = whyNot(entry);
    if (why) leftOut(path, why);
    else if (entry.isDirectory()) {
      await mkdir(join(moment, path), { mode: 0o700 });
      await linkAll(directory, moment, path, leftOut);
    } else await linkOrCopy(join(directory, path), join(moment, path));
  }
}

/** Not what is hidden, passes, or is copied. */
const isOwn =
  (inside: string) =>
  ({ name }: Dirent) =>
    !isHidden(name) && !(inside === "" && isPassing(name));

/** Where there are no links, what a file holds. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (codeOf(error) === "ENOENT") throw error;
    await copyFile(from, to);
  });
}
