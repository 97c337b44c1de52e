/** What the owner is told before a limit bites: lists that are nearly full, and a disk with little room. */
import { stat, statfs } from "node:fs/promises";
import { countOf } from "../../schema/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Notice, NoticeSource } from "../shared/notice.ts";
import type { Store } from "../storage/store.ts";

const TOLD_AT = [95, 80] as const;

/** Tells of the owner's lists, pictures included, at 80 and at 95 percent of what they hold. */
export function listNotices(store: Store): Notice[] {
  return allEntities.flatMap((entity) => {
    const isFilled = entity.readers !== "none" || entity === entities.uploads;
    if (entity.shape !== "collection" || !isFilled) return [];
    const count = countOf(entity, store.of(entity).read().value);
    const reached = TOLD_AT.find((level) => 100 * count >= level * entity.limit);
    if (reached === undefined) return [];
    const most = entity.limit.toLocaleString("en-GB");
    const message = `${entity.plural}: more than ${reached} percent of the ${most} that fit are there. Once the list is full, nothing can be added: delete what you no longer need.`;
    return [{ code: `limit_${entity.key}`, message }];
  });
}

const MB = 1024 * 1024;

/** In bytes, the least first. Each is told once, as the room gets less. */
const LOW = [20 * MB, 100 * MB, 500 * MB];

/** Somewhat less than the minute after which it is asked for again. */
const EVERY_MS = 50_000;

/** How much is left on the disk of a folder, in bytes, and which disk that is. */
interface Disk {
  readonly free: number;
  readonly disk: unknown;
}

const diskOf = async (folder: string): Promise<Disk> => ({
  free: (await roomOf(folder)).free,
  disk: (await stat(folder)).dev,
});

/** Tells of the folders whose disk has little room, of those on one disk the first; asked again by those who ask, once a minute at most. */
export function diskNotices(
  folders: Readonly<Record<string, string>>,
  ask: (folder: string) => Promise<Disk> = diskOf,
): { readonly notices: NoticeSource; readonly look: () => Promise<void> } {
  let present: Notice[] = [];
  const look = async () => {
    const names = Object.keys(folders);
    const disks = await Promise.all(Object.values(folders).map(ask));
    const first = disks.map(({ disk }) => disks.findIndex((other) => other.disk === disk));
    present = disks.flatMap(({ free }, at) => (first[at] === at ? noticeOf(names[at], free) : []));
  };
  // A disk that can't be asked says so where it is needed: in a save, and in /api/health.
  let lookedAt = 0;
  const quietly = () => {
    lookedAt = performance.now();
    void look().catch(() => {});
  };
  quietly();
  const notices = () => {
    if (performance.now() - lookedAt >= EVERY_MS) quietly();
    return present;
  };
  return { notices, look };
}

function noticeOf(name = "", bytes: number): Notice[] {
  const low = LOW.find((level) => bytes < level);
  if (low === undefined) return [];
  const message = `The disk with the site's ${name} has less than ${low / MB} MB left. Once it is full, nothing can be saved and visitors' messages are refused: make room on it, or get a larger one.`;
  return [{ code: `disk_${name}`, message }];
}

/** The disk of a folder in bytes; `free` is what is left for whoever isn't root. Throws where it can't be asked. */
export async function roomOf(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
