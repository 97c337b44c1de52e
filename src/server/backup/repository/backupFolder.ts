/** The backup folder for backups on this machine: its contents, and space for another. */
import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { cannotOpen, cannotStore, notFound, Refusal } from "../../shared/errors.ts";
import { syncPath } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { lockFolder } from "../../storage/disk/folderLock.ts";
import { type Catalog, type CatalogEntry, readCatalog } from "./catalog.ts";
import type { DatedBackup } from "./retention.ts";
import { errorCode } from "../../shared/errorDetails.ts";

/** One backup, wherever it is stored. */
export interface Backup extends DatedBackup {
  /** Its time, as in its name: `2026-11-21T03-00-00-000Z`. */
  readonly id: string;
  /** An ISO timestamp. */
  readonly createdAt: string;
  /** In bytes, of the local copy; null without one. */
  readonly localSize: number | null;
  /** In bytes, of the remote copy; null without one. */
  readonly remoteSize: number | null;
  /** Whether the remote copy was read back after upload. */
  readonly isRemoteVerified: boolean;
  readonly summary: CatalogEntry["holds"];
  readonly remarks: readonly string[];
}

/** Distinguishes a site's backups from another's in the same place: the start of its id. */
export const shortSiteId = (siteId: string) => siteId.slice(0, 8);

/** A time as used in names: sorts as text. */
export const backupId = (now: number) => new Date(now).toISOString().replace(/[:.]/g, "-");

/** The name of a backup's archive; remote ones also end in `.age`. */
export const archiveName = (site: string, id: string) => `limelight-${site}-${id}.tar.gz`;

const ARCHIVE_NAME_PATTERN =
  /^limelight-([0-9a-f]{8})-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)\.tar\.gz(?:\.age)?$/;

export interface BackupName {
  /** The short id of its site. */
  readonly site: string;
  readonly id: string;
  /** An ISO timestamp. */
  readonly createdAt: string;
}

/** The backup with this file name, local or remote; undefined for other files. */
export function parseArchiveName(name: string): BackupName | undefined {
  const [, site, id] = ARCHIVE_NAME_PATTERN.exec(name) ?? [];
  if (site === undefined || id === undefined) return undefined;
  const createdAt = parseBackupId(id);
  return Number.isNaN(Date.parse(createdAt)) ? undefined : { site, id, createdAt };
}

/** Picks a site's archives out of those by name; returns them by id. */
export const archivesOfSite = (
  sizes: ReadonlyMap<string, number>,
  site: string,
): Map<string, number> =>
  new Map(
    [...sizes].flatMap(([name, size]) => {
      const named = parseArchiveName(name);
      return named?.site === site ? [[named.id, size] as const] : [];
    }),
  );

/** The ISO timestamp of an id. */
const parseBackupId = (id: string) => id.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/, "T$1:$2:$3.$4Z");

/**
 * A site's backups, newest first: local ones from the folder, regardless of the catalog, and remote ones from the
 * catalog. None if the folder is missing or can't be read.
 */
export async function findBackups(
  folder: string,
  site: string,
  catalog?: Catalog,
): Promise<Backup[]> {
  const { backups: entries } = catalog ?? (await readCatalog(folder, site));
  const sizes = archivesOfSite(await findArchives(folder), site);
  const remoteIds = Object.entries(entries).flatMap(([id, entry]) => (entry.away ? [id] : []));
  const ids = new Set([...sizes.keys(), ...remoteIds]);
  return [...ids]
    .toSorted()
    .toReversed()
    .map((id) => createBackupRecord(id, sizes.get(id) ?? null, entries[id]));
}

function createBackupRecord(
  id: string,
  localSize: number | null,
  entry: CatalogEntry | undefined,
): Backup {
  const createdAt = parseBackupId(id);
  return {
    id,
    createdAt,
    at: Date.parse(createdAt),
    isGood: !entry?.isBad,
    localSize,
    remoteSize: entry?.away?.size ?? null,
    isRemoteVerified: Boolean(entry?.away?.checkedAt),
    summary: entry?.holds,
    remarks: entry?.remarks ?? [],
  };
}

/** A folder's archives, of any site: sizes in bytes, by name. */
export async function findArchives(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  // Writers report a folder that can't be read; a file that can't be examined (EIO, ESTALE) isn't a usable backup, but
  // must not hide the others.
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.endsWith(".age") || !parseArchiveName(name)) continue;
    const file = await stat(join(folder, name)).catch(() => undefined);
    if (file?.isFile()) sizes.set(name, file.size);
  }
  return sizes;
}

/**
 * A backup's archive as a local file, read-only. Throws `not_found`, also if it is only remote: there it is encrypted,
 * and the key isn't on this machine.
 */
export async function openBackup(folder: string, site: string, id: string): Promise<string> {
  const backup = (await findBackups(folder, site)).find((each) => each.id === id);
  if (!backup) throw notFound("This backup no longer exists. Reload the list.");
  if (backup.localSize === null)
    throw notFound(
      "This backup is only in the bucket, encrypted with a key that isn't on this server. Download it, then run: limelight restore",
    );
  return join(folder, archiveName(site, id));
}

/** Creates the folder, locks it until the returned function is called, and tidies it. */
export async function lockBackups(folder: string): Promise<() => void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw cannotOpen(
      `The backup folder ${folder} can't be created (${errorCode(error)}). Create it for the user who runs Limelight, or choose another one with BACKUP_DIR.`,
      error,
    );
  }
  const release = lockFolder(folder, "BACKUP_DIR");
  try {
    await removeLeftovers(folder);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** Leftovers of a kill. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (LEFTOVER_PATTERN.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

const LEFTOVER_PATTERN =
  /^(?:limelight-.*\.part|\.limelight-.*\.check|\.limelight-fetched-.*|limelight-.*\.tmp)$/;

/** A disk error while the folder's lock was held, as `cannot_store`. */
export function folderRefusal(folder: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return cannotStore(
    `The backup folder ${folder} isn't writable (${errorCode(error) ?? "unknown reason"}). Check that it belongs to the user who runs Limelight and that its disk has free space.`,
    error,
  );
}

/** Removes local archives; the caller holds the lock. */
export async function removeBackups(
  folder: string,
  site: string,
  backups: readonly Backup[],
): Promise<void> {
  for (const { id } of backups) await rm(join(folder, archiveName(site, id)), { force: true });
  if (backups.length > 0) await syncPath(disk, folder);
}

/** Kept however full the disk is. */
const MIN_RETAINED_BACKUPS = 3;

/**
 * The oldest local backups to remove so that after writing `bytes`, `percent` of the disk is free. Throws
 * `cannot_open` if even that isn't enough; nothing should be removed then.
 */
export async function selectBackupsToRemove(
  folder: string,
  bytes: number,
  percent: number,
  backups: readonly Backup[],
): Promise<Backup[]> {
  const { bavail, bsize, blocks } = await statfs(folder);
  const share = (blocks * bsize * percent) / 100;
  let missing = bytes + share - bavail * bsize;
  const going: Backup[] = [];
  const local = backups.filter((each) => each.localSize !== null);
  for (const each of local.slice(MIN_RETAINED_BACKUPS).toReversed()) {
    if (missing <= 0) break;
    going.push(each);
    missing -= each.localSize ?? 0;
  }
  if (missing <= 0) return going;
  throw cannotOpen(
    `Not enough disk space for a backup: making one needs ${formatMegabytes(bytes)}, and ${percent}% of the disk must stay free. Free up ${formatMegabytes(missing)}, or choose another disk with BACKUP_DIR.`,
  );
}

const formatMegabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`;
