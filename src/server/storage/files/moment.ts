/**
 * A data folder as it is at one moment, in a folder of its own, to be read in peace: links to all of its files, which keep
 * what they were, since files are replaced and never changed.
 */
import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { copyFile, mkdir, readdir, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, type Disk, ifThere, linkOrCopy } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import { isPassing } from "./installation.ts";
import { isHidden, keptBy, whyNot } from "./folderContents.ts";
import { journalOf } from "./journal.ts";
import type { LeftOut } from "../store.ts";

/** What passes in a data folder: nothing in it is to last. */
const PASSING = ".site";

/** Those of this process. Its number tells nothing: in a container the process before had the same. */
const own = new Set<string>();

/** Removes the moments of processes that are no more, which a kill has left. */
export async function removeLeftMoments(directory: string): Promise<void> {
  const folder = join(directory, PASSING);
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const pid = Number(name.split("-")[1]);
    const isInUse = pid === process.pid ? own.has(join(folder, name)) : isRunning(pid);
    if (!isInUse) await rm(join(folder, name), { recursive: true });
  }
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

interface MomentOptions {
  readonly leftOut?: LeftOut | undefined;
  /** Whether a path is passed over. */
  readonly except?: (path: string) => boolean;
  readonly within?: string | undefined;
}

/**
 * Also of a folder that another process writes to. Journals are copied, since they grow: before the files, and once more after
 * them, so that no line is missing that a file lacks. To be removed by the caller. Throws what the disk throws.
 */
export async function takeMoment(
  directory: string,
  {
    leftOut = () => {},
    except = () => false,
    within = join(directory, PASSING),
  }: MomentOptions = {},
): Promise<string> {
  const moment = join(within, `moment-${process.pid}-${randomUUID()}`);
  for (let tried = 1; ; tried++) {
    const said: Parameters<LeftOut>[] = [];
    try {
      own.add(moment);
      await mkdir(moment, { recursive: true, mode: 0o700 });
      const before = await copyJournals(directory, moment);
      const linked = { leftOut: (...each: Parameters<LeftOut>) => said.push(each), except };
      await linkAll(directory, moment, linked);
      const after = new Set(await copyJournals(directory, moment));
      // One that was written down meanwhile: the files may be those of before, and what was copied of it a part.
      if (before.some((name) => !after.has(name))) throw gone();
      for (const each of said) leftOut(...each);
      return moment;
    } catch (error) {
      await removeMoment(moment);
      // A file that was listed went before it was linked.
      if (codeOf(error) !== "ENOENT" || tried === TRIES) throw error;
    }
  }
}

/** In memory: copies, for as long as somebody looks. A kill leaves them to the machine's next start. */
const ELSEWHERE = "/dev/shm";

/** The folder for them goes with the last one: whoever looks may be another user than the one who serves. */
export async function removeMoment(moment: string): Promise<void> {
  await rm(moment, { recursive: true, force: true });
  own.delete(moment);
  if (basename(dirname(moment)) === PASSING) await rmdir(dirname(moment)).catch(() => {});
}

const TAKES_NOTHING = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

/** Whether something failed for a disk that takes nothing. */
export const takesNothing = (error: unknown): boolean =>
  [error, (error as Error).cause].some((each) => TAKES_NOTHING.has(codeOf(each) ?? ""));

/**
 * Has `work` use what is stored in a folder as it is at one moment, also where its disk takes nothing: just then somebody wants
 * to know what is wrong. Throws what `work` throws.
 */
export async function inMoment<R>(
  directory: string,
  work: (moment: string) => Promise<R>,
): Promise<R> {
  const inOne = async (within?: string) => {
    const moment = await takeMoment(directory, { except: isKept, within });
    return work(moment).finally(() => removeMoment(moment));
  };
  return inOne().catch((error: unknown) => {
    if (!takesNothing(error)) throw error;
    return inOne(ELSEWHERE);
  });
}

const isKept = (path: string) => keptBy(path) !== undefined;

const unsynced = async <H extends object>(opened: Promise<H>): Promise<H> => ({
  ...(await opened),
  sync: async () => {},
});

/** For a moment: nothing of it has to reach the disk. */
export const passingDisk: Disk = {
  ...disk,
  create: (path) => unsynced(disk.create(path)),
  open: (path) => unsynced(disk.open(path)),
};

const gone = () => Object.assign(new Error("gone"), { code: "ENOENT" });

/** Returns the names of those that were there. */
async function copyJournals(directory: string, moment: string): Promise<string[]> {
  const copied: string[] = [];
  for (const name of (await readdir(directory)).filter((each) => journalOf(each) !== undefined)) {
    const copying = copyFile(join(directory, name), join(moment, name)).then(() =>
      copied.push(name),
    );
    // All of one that is gone is in the files.
    await ifThere(copying);
  }
  return copied;
}

/** What names other files comes before these. */
const rank = (name: string) => (/^(installation|segments)\./.test(name) ? 0 : 1);

async function linkAll(
  directory: string,
  moment: string,
  options: Required<Pick<MomentOptions, "except">> & { readonly leftOut: LeftOut },
  inside = "",
): Promise<void> {
  const entries = await readdir(join(directory, inside), { withFileTypes: true });
  for (const entry of entries
    .filter(isOwn(inside))
    .toSorted((one, other) => rank(one.name) - rank(other.name))) {
    const path = join(inside, entry.name);
    const why = whyNot(entry);
    if (options.except(path)) continue;
    if (why) options.leftOut(path, why);
    else if (entry.isDirectory()) {
      await mkdir(join(moment, path), { mode: 0o700 });
      await linkAll(directory, moment, options, path);
    } else await linkOrCopy(passingDisk, join(directory, path), join(moment, path));
  }
}

/** Not what is hidden, passes, or is copied. */
const isOwn =
  (inside: string) =>
  ({ name }: Dirent) =>
    !isHidden(name) && !(inside === "" && isPassing(name));
