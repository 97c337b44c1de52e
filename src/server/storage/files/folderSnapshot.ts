/** Takes snapshots of a data folder with hard links. A snapshot never changes, since the store replaces whole files. */
import { randomUUID } from "node:crypto";
import type { Dirent } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Disk, ignoreMissing } from "../disk/disk.ts";
import { disk, linkOrCopy } from "../disk/realDisk.ts";
import { isNeverArchived } from "./installation.ts";
import { isExcludedFromArchive, findLeftoverOrigin, findSkipReason } from "./folderContents.ts";
import { parseJournalNumber } from "./journal.ts";
import type { ReportExcluded } from "../store.ts";
import { getErrorCode, hasErrorCode } from "../../shared/errorDetails.ts";
import { cannotStore } from "../../shared/errors.ts";
import { MINUTE } from "../../shared/time.ts";

const SNAPSHOTS_FOLDER = ".site";

/** This process's snapshots. The pid alone isn't enough: in a container, a killed process may have had the same pid. */
const activeSnapshots = new Set<string>();

/** Removes snapshots of processes that were killed. Returns the names of the remaining snapshots. */
export async function removeStaleSnapshots(directory: string): Promise<string[]> {
  const folder = join(directory, SNAPSHOTS_FOLDER);
  const namesInUse: string[] = [];
  for (const name of (await ignoreMissing(readdir(folder))) ?? []) {
    const pid = Number(name.split("-")[1]);
    const isInUse =
      pid === process.pid ? activeSnapshots.has(join(folder, name)) : isProcessRunning(pid);
    if (isInUse) namesInUse.push(name);
    else await rm(join(folder, name), { recursive: true, force: true });
  }
  return namesInUse;
}

/** The maximum time to wait until all current snapshots are removed. */
const READERS_TIMEOUT_MS = MINUTE;
const CHECK_INTERVAL_MS = 100;

/** Waits until all current snapshots are removed, since they may contain deleted data. Throws `cannot_store`. */
export async function waitForSnapshots(directory: string): Promise<void> {
  const deadline = performance.now() + READERS_TIMEOUT_MS;
  let remainingNames = new Set(await removeStaleSnapshots(directory));
  while (remainingNames.size > 0) {
    if (performance.now() > deadline) throw cannotStore(SNAPSHOT_IN_USE_MESSAGE);
    await Bun.sleep(CHECK_INTERVAL_MS);
    remainingNames = remainingNames.intersection(new Set(await removeStaleSnapshots(directory)));
  }
}

const SNAPSHOT_IN_USE_MESSAGE =
  "The data was deleted, but a backup or export in progress still contains it. Try again in a few minutes.";

function isProcessRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process is running, but as another user.
    return getErrorCode(error) === "EPERM";
  }
}

const MAX_ATTEMPTS = 20;

interface SnapshotOptions {
  readonly reportExcluded?: ReportExcluded | undefined;
  /** Paths for which this returns true are left out without a report. */
  readonly isExcluded?: (path: string) => boolean;
  readonly targetFolder?: string | undefined;
}

/**
 * Takes a snapshot, even while another process writes to the folder. Files are linked. Journals, which grow, are copied
 * before and after the files, so that the snapshot has all changes. The caller must remove the snapshot.
 */
export async function takeSnapshot(
  directory: string,
  {
    reportExcluded = () => {},
    isExcluded = () => false,
    targetFolder = join(directory, SNAPSHOTS_FOLDER),
  }: SnapshotOptions = {},
): Promise<string> {
  const snapshot = join(targetFolder, `snapshot-${process.pid}-${randomUUID()}`);
  for (let attempt = 1; ; attempt++) {
    const exclusions: Parameters<ReportExcluded>[] = [];
    try {
      activeSnapshots.add(snapshot);
      await mkdir(snapshot, { recursive: true, mode: 0o700 });
      const firstLinesBefore = await copyJournals(directory, snapshot);
      await linkFiles(directory, snapshot, {
        isExcluded,
        reportExcluded: (...exclusion) => exclusions.push(exclusion),
      });
      const firstLinesAfter = await copyJournals(directory, snapshot);
      // If a journal was removed or replaced meanwhile, the snapshot may lack changes, so it is taken again.
      if (
        [...firstLinesBefore].some(
          ([name, firstLine]) => firstLine !== "" && firstLinesAfter.get(name) !== firstLine,
        )
      )
        throw Object.assign(new Error("a journal was removed"), { code: "ENOENT" });
      for (const exclusion of exclusions) reportExcluded(...exclusion);
      return snapshot;
    } catch (error) {
      await removeSnapshot(snapshot);
      // After ENOENT, the snapshot is taken again: a file was removed between listing and linking.
      if (getErrorCode(error) !== "ENOENT" || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** A folder in memory. A killed process's snapshot stays there until the machine restarts. */
const MEMORY_FOLDER = "/dev/shm";

/** Removes a snapshot, and the folder of snapshots if it is empty, since another user's process couldn't use it. */
export async function removeSnapshot(snapshot: string): Promise<void> {
  await rm(snapshot, { recursive: true, force: true });
  activeSnapshots.delete(snapshot);
  if (basename(dirname(snapshot)) === SNAPSHOTS_FOLDER)
    await rmdir(dirname(snapshot)).catch(() => {});
}

const UNWRITABLE_CODES = ["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"];

/** Whether nothing can be written to the disk: it is full, read-only, or belongs to another user. */
export const isUnwritable = (error: unknown): boolean => hasErrorCode(UNWRITABLE_CODES, error);

/** Calls `work` with a snapshot, which is in memory if the disk is unwritable, so that the doctor still works. */
export async function withSnapshot<R>(
  directory: string,
  work: (snapshot: string) => Promise<R>,
): Promise<R> {
  const readSnapshot = async (targetFolder?: string) => {
    const snapshot = await takeSnapshot(directory, { isExcluded: isLeftover, targetFolder });
    return work(snapshot).finally(() => removeSnapshot(snapshot));
  };
  return readSnapshot().catch((error: unknown) => {
    if (!isUnwritable(error)) throw error;
    return readSnapshot(MEMORY_FOLDER);
  });
}

const isLeftover = (path: string) => findLeftoverOrigin(path) !== undefined;

const disableSync = async <H extends object>(handlePromise: Promise<H>): Promise<H> => ({
  ...(await handlePromise),
  sync: async () => {},
});

/** The system's disk without fsync, which a snapshot doesn't need. */
export const unsyncedDisk: Disk = {
  ...disk,
  create: (path) => disableSync(disk.create(path)),
  open: (path) => disableSync(disk.open(path)),
};

/** Copies all journals. Returns their first lines by file name; a line is empty while its journal is being created. */
async function copyJournals(directory: string, snapshot: string): Promise<Map<string, string>> {
  const firstLines = new Map<string, string>();
  for (const name of await readdir(directory)) {
    if (parseJournalNumber(name) === undefined) continue;
    const copy = join(snapshot, name);
    try {
      await copyFile(join(directory, name), copy);
    } catch (error) {
      // The journal was removed, so the files already have all of its changes.
      if (getErrorCode(error) === "ENOENT") continue;
      throw error;
    }
    const [firstLine = ""] = (await readFile(copy, "latin1")).split("\n", 1);
    firstLines.set(name, firstLine);
  }
  return firstLines;
}

/** Files that list other files are linked first, since a later version could list a file that isn't linked. */
const getLinkRank = (name: string) => (/^(installation|segments)\./.test(name) ? 0 : 1);

async function linkFiles(
  directory: string,
  snapshot: string,
  options: Required<Pick<SnapshotOptions, "isExcluded">> & {
    readonly reportExcluded: ReportExcluded;
  },
  subfolder = "",
): Promise<void> {
  const entries = await readdir(join(directory, subfolder), { withFileTypes: true });
  for (const entry of entries
    .filter(createContentFilter(subfolder))
    .toSorted((one, other) => getLinkRank(one.name) - getLinkRank(other.name))) {
    const path = join(subfolder, entry.name);
    const reason = findSkipReason(entry);
    if (options.isExcluded(path)) continue;
    if (reason) options.reportExcluded(path, reason);
    else if (entry.isDirectory()) {
      await mkdir(join(snapshot, path), { mode: 0o700 });
      await linkFiles(directory, snapshot, options, path);
    } else await linkOrCopy(join(directory, path), join(snapshot, path));
  }
}

/** Excludes temporary files and, in the data folder itself, the secret, the journals and the restore's note. */
const createContentFilter =
  (subfolder: string) =>
  ({ name }: Dirent) =>
    !isExcludedFromArchive(name) && !(subfolder === "" && isNeverArchived(name));
