/** Notices about lists that are nearly full, and about disks with little space. */
import { stat, statfs } from "node:fs/promises";
import { countLimitedItems } from "../../schema/entities/entity.ts";
import { formatNumber } from "../../schema/core/formatNumber.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Config } from "../shared/config.ts";
import type { Notice, NoticeSource } from "../shared/notice.ts";
import type { Store } from "../storage/store.ts";

const WARNING_THRESHOLDS_PERCENT = [95, 80] as const;

/** Returns notices about lists that owners fill, at 80 and at 95 percent of the limit. */
export function createListNotices(store: Store): Notice[] {
  return allEntities.flatMap((entity) => {
    const isFilledByOwners = entity.readers !== "none" || entity === entities.uploads;
    if (entity.shape !== "collection" || !isFilledByOwners) return [];
    const count = countLimitedItems(entity, store.of(entity).read().value);
    const reachedPercent = WARNING_THRESHOLDS_PERCENT.find(
      (percent) => 100 * count >= percent * entity.maxItems,
    );
    if (reachedPercent === undefined) return [];
    const maxItems = formatNumber(entity.maxItems);
    const message = `${entity.plural}: at least ${reachedPercent} percent of the limit of ${maxItems} is used. Once the list is full, nothing can be added. Delete what you no longer need.`;
    return [{ code: `limit_${entity.key}`, message }];
  });
}

const BYTES_PER_MB = 1024 * 1024;

/** A notice appears when a disk has less free space than one of these amounts, in ascending order. */
const LOW_DISK_THRESHOLDS_BYTES = [20 * BYTES_PER_MB, 100 * BYTES_PER_MB, 500 * BYTES_PER_MB];

/** Slightly less than the minute between two calls, so that each call starts a check. */
const CHECK_INTERVAL_MS = 50_000;

interface DiskSpace {
  readonly free: number;
  readonly diskId: unknown;
}

const readDiskSpace = async (folder: string): Promise<DiskSpace> => ({
  free: (await measureDiskSpace(folder)).free,
  diskId: (await stat(folder)).dev,
});

/** Returns the folders whose disks are checked, by a name for their content, the most important first. */
export const listDiskFolders = ({
  dataDir,
  uploadsDir,
  databaseUrl,
  uploadsS3,
}: Pick<Config, "dataDir" | "uploadsDir" | "databaseUrl" | "uploadsS3">): Readonly<
  Record<string, string>
> => ({
  // With a database, the data folder contains only files of a pending restore, and may be missing.
  ...(!databaseUrl && { data: dataDir }),
  [uploadsS3 ? "cache" : "pictures"]: uploadsDir,
});

/** Creates notices about disks with little space. `findNotices` returns the result of the last check. */
export function createDiskNotices(
  folders: Readonly<Record<string, string>>,
  readDisk: (folder: string) => Promise<DiskSpace> = readDiskSpace,
): { readonly findNotices: NoticeSource; readonly check: () => Promise<void> } {
  let latestNotices: Notice[] = [];
  const check = async () => {
    const results = await Promise.allSettled(
      Object.entries(folders).map(async ([name, folder]) => ({
        name,
        ...(await readDisk(folder)),
      })),
    );
    // Skips folders that can't be read: failed saves and /api/health report them.
    const disks = results.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    const firstIndexes = disks.map(({ diskId }) =>
      disks.findIndex((other) => other.diskId === diskId),
    );
    latestNotices = disks.flatMap(({ name, free }, index) =>
      firstIndexes[index] === index ? createDiskNotice(name, free) : [],
    );
  };
  let checkedAt = Number.NEGATIVE_INFINITY;
  const findNotices = () => {
    if (performance.now() - checkedAt >= CHECK_INTERVAL_MS) {
      checkedAt = performance.now();
      void check();
    }
    return latestNotices;
  };
  findNotices();
  return { findNotices, check };
}

function createDiskNotice(name: string, bytes: number): Notice[] {
  const threshold = LOW_DISK_THRESHOLDS_BYTES.find((each) => bytes < each);
  if (threshold === undefined) return [];
  const consequence =
    FULL_DISK_CONSEQUENCES[name] ?? "nothing can be saved and visitors can't send messages";
  const message = `The disk with the site's ${name} has less than ${threshold / BYTES_PER_MB} MB left. Once it is full, ${consequence}. Free up space, or get a larger disk.`;
  return [{ code: `disk_${name}`, problem: "disk", message }];
}

/** What a full disk prevents, by the only folder on it. */
const FULL_DISK_CONSEQUENCES: Readonly<Record<string, string>> = {
  pictures: "no images can be added",
  cache: "only images cached on this server can be shown",
};

/** Returns the size and the free space of a folder's disk in bytes, without the space that only root can use. */
export async function measureDiskSpace(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
