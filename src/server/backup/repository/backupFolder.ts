/** The backups on this machine: the folder BACKUP_DIR, its archives by name, and the disk space for another backup. */
import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { cannotOpen, cannotStore, notFound, Refusal } from "../../shared/errors.ts";
import { syncPath } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { lockFolder } from "../../storage/disk/folderLock.ts";
import { type Catalog, type CatalogEntry, readCatalog } from "./catalog.ts";
import type { DatedBackup } from "./retention.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";

/** A backup on this machine, in the bucket, or both. */
export interface Backup extends DatedBackup {
  /** The time of the backup as in the archive's name: `2026-11-21T03-00-00-000Z`. */
  readonly id: string;
  readonly createdAt: string;
  /** In bytes; null if the archive isn't on this machine. */
  readonly localSize: number | null;
  /** The encrypted size in bytes; null if the archive isn't in the bucket. */
  readonly remoteSize: number | null;
  /** Whether the uploaded archive was downloaded again and compared with the original. */
  readonly isRemoteVerified: boolean;
  readonly summary: CatalogEntry["holds"];
  readonly remarks: readonly string[];
}

/** The start of a site's id, used in names because several sites may share a folder or a bucket. */
export const shortenSiteId = (siteId: string) => siteId.slice(0, 8);

/** Returns the id of a backup made at `now`. Sorting ids as text sorts them by time. */
export const createBackupId = (now: number) => new Date(now).toISOString().replace(/[:.]/g, "-");

/** Returns the file name of a backup's archive on this machine. In the bucket, `.age` is added. */
export const createArchiveName = (shortSiteId: string, id: string) =>
  `limelight-${shortSiteId}-${id}.tar.gz`;

const ARCHIVE_NAME_PATTERN =
  /^limelight-([0-9a-f]{8})-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.tar\.gz(?:\.age)?$/;

export interface ArchiveName {
  readonly shortSiteId: string;
  readonly id: string;
  readonly createdAt: string;
}

export function parseArchiveName(name: string): ArchiveName | undefined {
  const [, shortSiteId, id] = ARCHIVE_NAME_PATTERN.exec(name) ?? [];
  if (shortSiteId === undefined || id === undefined) return undefined;
  const createdAt = parseBackupId(id);
  return Number.isNaN(Date.parse(createdAt)) ? undefined : { shortSiteId, id, createdAt };
}

/** Returns the sizes of a site's archives by backup id. `sizes` has the sizes of all sites' archives by file name. */
export function selectArchivesOfSite(sizes: ReadonlyMap<string, number>, shortSiteId: string) {
  const archives = [...sizes].map(([name, size]) => ({ ...parseArchiveName(name), size }));
  const siteArchives = archives.filter((each) => each.shortSiteId === shortSiteId);
  return new Map(siteArchives.map(({ id = "", size }) => [id, size]));
}

const parseBackupId = (id: string) => id.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/, "T$1:$2:$3.$4Z");

/** Returns a site's backups, newest first: local ones from the folder, and uploaded ones from the catalog. */
export async function findBackups(
  folder: string,
  shortSiteId: string,
  catalog?: Catalog,
): Promise<Backup[]> {
  const { backups: entries } = catalog ?? (await readCatalog(folder, shortSiteId));
  const sizes = selectArchivesOfSite(await readArchiveSizes(folder), shortSiteId);
  const uploadedIds = Object.entries(entries).flatMap(([id, catalogEntry]) =>
    catalogEntry.away ? [id] : [],
  );
  const ids = new Set([...sizes.keys(), ...uploadedIds]);
  return [...ids]
    .toSorted()
    .toReversed()
    .map((id) => {
      const createdAt = parseBackupId(id);
      const catalogEntry = entries[id];
      return {
        id,
        createdAt,
        timeMs: Date.parse(createdAt),
        isGood: !catalogEntry?.isBad,
        localSize: sizes.get(id) ?? null,
        remoteSize: catalogEntry?.away?.size ?? null,
        isRemoteVerified: Boolean(catalogEntry?.away?.checkedAt),
        summary: catalogEntry?.holds,
        remarks: catalogEntry?.remarks ?? [],
      };
    });
}

export const selectLocal = (backups: readonly Backup[]) =>
  backups.filter(({ localSize }) => localSize !== null);

/** Returns the sizes of all sites' archives in a folder, in bytes, by file name. */
export async function readArchiveSizes(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  // Ignores an unreadable folder, which the next backup reports, and files that can't be examined (EIO, ESTALE).
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.endsWith(".age") || !parseArchiveName(name)) continue;
    const file = await stat(join(folder, name)).catch(() => undefined);
    if (file?.isFile()) sizes.set(name, file.size);
  }
  return sizes;
}

/** Throws `not_found` if the archive isn't on this machine. */
export async function getArchivePath(
  folder: string,
  shortSiteId: string,
  id: string,
): Promise<string> {
  const backup = (await findBackups(folder, shortSiteId)).find((each) => each.id === id);
  if (!backup) throw notFound("This backup no longer exists. Reload the list.");
  if (backup.localSize === null)
    throw notFound(
      `This backup is only in the bucket, encrypted with a key that isn't on this server. To restore it, copy your key file to the server, and run there: limelight restore ${createArchiveName(shortSiteId, id)} --key key.txt`,
    );
  return join(folder, createArchiveName(shortSiteId, id));
}

/** Creates the folder if needed, locks it, and removes files of killed processes. Returns the unlock function. */
export async function lockBackups(folder: string): Promise<() => void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotOpen(
      `The backup folder ${folder} can't be created (${getErrorCode(error)}). Create it for the user who runs Limelight, or choose another one with BACKUP_DIR.`,
      error,
    );
  }
  const release = lockFolder(folder, "BACKUP_DIR");
  try {
    const leftovers = (await readdir(folder)).filter((name) => LEFTOVER_PATTERN.test(name));
    for (const name of leftovers) await rm(join(folder, name), { recursive: true, force: true });
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

const LEFTOVER_PATTERN =
  /^(?:limelight-.*\.part|\.limelight-.*\.check|\.limelight-fetched-.*|limelight-.*\.tmp)$/;

/** Turns a disk error into a `cannot_store`; returns a refusal unchanged. */
export function toUnwritableFolderRefusal(folder: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return cannotStore(
    `The backup folder ${folder} isn't writable (${getErrorCode(error) ?? "unknown reason"}). Check that it belongs to the user who runs Limelight and that its disk has free space.`,
    error,
  );
}

/** Removes archives from the folder, which must be locked. */
export async function removeLocalArchives(
  folder: string,
  shortSiteId: string,
  backups: readonly Backup[],
) {
  for (const { id } of backups)
    await rm(join(folder, createArchiveName(shortSiteId, id)), { force: true });
  if (backups.length > 0) await syncPath(disk, folder);
}

/** The number of newest backups that are never removed to free disk space. */
const MIN_RETAINED_BACKUPS = 3;

/**
 * Selects the oldest backups whose removal leaves `percent` of the disk free after writing `bytes`. `backups` are
 * on this machine, newest first. Throws `cannot_open` if removing all candidates wouldn't be enough.
 */
export async function selectBackupsToRemove(
  folder: string,
  bytes: number,
  percent: number,
  backups: readonly Backup[],
): Promise<Backup[]> {
  const { bavail, bsize, blocks } = await statfs(folder);
  let missingBytes = bytes + (blocks * bsize * percent) / 100 - bavail * bsize;
  const selected: Backup[] = [];
  for (const each of backups.slice(MIN_RETAINED_BACKUPS).toReversed()) {
    if (missingBytes <= 0) break;
    selected.push(each);
    missingBytes -= each.localSize ?? 0;
  }
  if (missingBytes <= 0) return selected;
  throw cannotOpen(
    `Not enough disk space for a backup: making one needs ${formatMegabytes(bytes)}, and ${percent}% of the disk must stay free. Free up ${formatMegabytes(missingBytes)}, or choose another disk with BACKUP_DIR.`,
  );
}

const formatMegabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
