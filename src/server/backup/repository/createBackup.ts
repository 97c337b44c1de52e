/**
 * Makes a backup, in steps that can be interrupted anywhere:
 *
 * 1. Lock the backup folder, so that no other process uses it. Remove temporary files of killed processes.
 * 2. If the current period has no backup: write an archive, verify it, and give it its final name.
 * 3. If the newest backup isn't in the bucket: upload it encrypted, and verify the upload.
 * 4. Remove expired backups here and in the bucket, but never the newest good backup. Only jobs of the running site
 *    remove backups, because a manual command may lack the site's settings.
 *
 * Each step's result is written to the catalog at once. Step 3 runs even if step 2 failed.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { entities } from "../../../schema/index.ts";
import type { Config } from "../../shared/config.ts";
import { isSystemError } from "../../shared/errorDetails.ts";
import { cannotOpen, isRefusal, describeError, Refusal } from "../../shared/errors.ts";
import { resolveTimeZone } from "../../shared/siteZone.ts";
import { ignoreMissing } from "../../storage/disk/disk.ts";
import { saveArchive } from "../saveArchive.ts";
import type { SiteStorage } from "../writeArchive.ts";
import { type RemoteStorage, openRemoteStorage } from "./remoteBackups.ts";
import {
  type Backup,
  findBackups,
  selectBackupsToRemove,
  selectLocal,
  createBackupId,
  lockBackups,
  createArchiveName,
  toUnwritableFolderRefusal,
  removeLocalArchives,
  shortenSiteId,
} from "./backupFolder.ts";
import {
  type Catalog,
  type CatalogEntry,
  createNextFailure,
  readCatalog,
  writeCatalog,
} from "./catalog.ts";
import {
  isBackupNeeded,
  chooseRetention,
  selectBackupsToRetain,
  findNewestGoodBackup,
} from "./retention.ts";

interface CreateBackupOptions {
  readonly site: SiteStorage;
  readonly config: Config;
  /** True to make a backup even if the current period already has one. */
  readonly isForced: boolean;
  /** True to remove older backups as BACKUP_KEEP requires, and further ones if the disk lacks space (BACKUP_FREE). */
  readonly canRemoveBackups: boolean;
  /** Why the backup is made; shown as the first remark on the screen Backups. */
  readonly reason?: string;
  readonly now?: number;
  readonly report?: (line: string) => void;
}

/** The result of `createBackup`. The failures are sentences for people. */
interface CreateBackupOutcome {
  /** The path of the new archive; undefined if none was needed, or after a failure. */
  readonly archive: string | undefined;
  readonly localFailure: string | undefined;
  readonly remoteFailure: string | undefined;
  /** True if the backup was made, but a picture in it is damaged or lacks a file. */
  readonly hasDamage: boolean;
}

/** Makes a backup. Throws `cannot_open` if the backup folder can't be used. */
export async function createBackup(options: CreateBackupOptions): Promise<CreateBackupOutcome> {
  const { config, site, canRemoveBackups, now = Date.now() } = options;
  const release = await lockBackups(config.backupDir);
  try {
    const shortSiteId = shortenSiteId((await site.data.readSiteId()) ?? "");
    const catalog = await StoredCatalog.read(config.backupDir, shortSiteId, now);
    const run = new BackupRun(options, catalog, now);
    let localFailure = await run.runStep("failure", () => run.saveLocally());
    const { remote } = run;
    const remoteFailure = remote
      ? await run.runStep("awayFailure", () => run.uploadNewest(remote))
      : canRemoveBackups
        ? undefined
        : run.describeMissingBucket();
    if (canRemoveBackups)
      await run.removeExpired().catch((error: unknown) => {
        localFailure ??= toUnwritableFolderRefusal(config.backupDir, error).message;
      });
    return { archive: run.archive, localFailure, remoteFailure, hasDamage: run.hasDamage };
  } finally {
    release();
  }
}

/**
 * Tests the newest backup on this machine and writes the result to the catalog. If no site starts from the backup,
 * marks it as bad, so that the next check makes another one. Returns the archive's path. Throws any error of
 * `testArchive`, and `cannot_open` if there is no backup.
 */
export async function testNewestBackup(
  config: Config,
  shortSiteId: string,
  testArchive: (file: string) => Promise<void>,
  now = Date.now(),
): Promise<string> {
  const { backupDir: folder } = config;
  const release = await lockBackups(folder);
  try {
    const catalog = await StoredCatalog.read(folder, shortSiteId, now);
    const localBackups = await catalog.listLocalBackups();
    const newest = findNewestGoodBackup(localBackups, now);
    if (!newest)
      throw cannotOpen(
        'This machine has no usable backup to test. Make one with "limelight backup".',
      );
    const { id } = newest;
    const file = join(folder, createArchiveName(shortSiteId, id));
    const saveResult = (ok: boolean, message: string, isBad = false) => {
      const rehearsal = { at: catalog.startedAt, id, ok, message, isBad };
      return catalog.updateEntry(id, { isBad }, { rehearsal }).catch((error: unknown) => {
        throw toUnwritableFolderRefusal(folder, error);
      });
    };
    let hasTestStarted = false;
    try {
      const bytes = UNPACKED_SIZE_FACTOR * (newest.localSize ?? 0);
      await catalog.freeDiskSpace(bytes, config.backupFree, localBackups);
      hasTestStarted = true;
      await testArchive(file);
    } catch (error) {
      // An error of the system, such as a full disk, doesn't mean that the backup is bad.
      const isBad = hasTestStarted && isRefusal(error, "cannot_open") && !isSystemError(error);
      const message =
        error instanceof Refusal
          ? error.message
          : `The restore test failed: ${describeError(error)}.`;
      await saveResult(false, message, isBad);
      throw error;
    }
    await saveResult(true, "A copy of the site was started from the latest backup.");
    return file;
  } finally {
    release();
  }
}

/** The estimated size of an unpacked archive, as a multiple of its size. Pictures are hardly compressed. */
const UNPACKED_SIZE_FACTOR = 3;

/** A site's catalog. Each change is written to the backup folder, which must be locked. */
class StoredCatalog {
  private constructor(
    readonly folder: string,
    readonly shortSiteId: string,
    public content: Catalog,
    /** The time when the command started, as an ISO timestamp. */
    readonly startedAt: string,
  ) {}

  static async read(folder: string, shortSiteId: string, now: number) {
    const openedAt = new Date(now).toISOString();
    return new StoredCatalog(folder, shortSiteId, await readCatalog(folder, shortSiteId), openedAt);
  }

  listBackups(): Promise<Backup[]> {
    return findBackups(this.folder, this.shortSiteId, this.content);
  }

  async listLocalBackups(): Promise<Backup[]> {
    return selectLocal(await this.listBackups());
  }

  /** Removes the oldest backups of `removable` until `freePercent` of the disk will be free after writing `bytes`. */
  async freeDiskSpace(bytes: number, freePercent: number, removable: readonly Backup[]) {
    const removed = await selectBackupsToRemove(this.folder, bytes, freePercent, removable);
    if (removed.length === 0) return;
    await removeLocalArchives(this.folder, this.shortSiteId, removed);
    await this.updateCatalog({ gaveWay: { at: this.startedAt, count: removed.length } });
  }

  updateEntry(id: string, fields: Partial<CatalogEntry>, catalogFields: Partial<Catalog> = {}) {
    const entry = { remarks: [], isBad: false, ...this.content.backups[id], ...fields };
    return this.updateCatalog({
      ...catalogFields,
      backups: { ...this.content.backups, [id]: entry },
    });
  }

  async updateCatalog(fields: { [K in keyof Catalog]?: Catalog[K] | undefined }): Promise<void> {
    this.content = JSON.parse(JSON.stringify({ ...this.content, ...fields })) as Catalog;
    await writeCatalog(this.folder, this.shortSiteId, this.content);
  }
}

class BackupRun {
  readonly remote: RemoteStorage | undefined;
  archive: string | undefined;
  hasDamage = false;

  constructor(
    private readonly options: CreateBackupOptions,
    private readonly catalog: StoredCatalog,
    private readonly now: number,
  ) {
    this.remote = openRemoteStorage(options.config, catalog.shortSiteId);
  }

  /** Runs a step and updates its failure in the catalog. Returns the failure's message; undefined after a success. */
  async runStep(field: "failure" | "awayFailure", step: () => Promise<void>) {
    const { catalog } = this;
    try {
      await step();
      if (catalog.content[field]) await catalog.updateCatalog({ [field]: undefined });
      return undefined;
    } catch (error) {
      const { message } = toUnwritableFolderRefusal(catalog.folder, error);
      const failure = createNextFailure(catalog.content[field], message, this.now);
      // Ignores a failed write, for example on a full disk, because the message is returned anyway.
      await catalog.updateCatalog({ [field]: failure }).catch(() => {});
      return message;
    }
  }

  /** Step 2: saves a new archive on this machine, if one is needed. */
  async saveLocally(): Promise<void> {
    const { config, site, isForced, canRemoveBackups, reason, report } = this.options;
    const { folder } = this.catalog;
    const localBackups = await this.catalog.listLocalBackups();
    const intervalHours = config.backupEvery ?? 24;
    if (
      !isForced &&
      !isBackupNeeded(localBackups, this.now, intervalHours, await this.#readTimeZone())
    )
      return;
    let size = await measureFolder(site.data.location);
    for (const picture of await site.uploads.listFiles()) size += picture.size;
    // Frees space for the archive, and for its unpacked copy during the verification.
    await this.catalog.freeDiskSpace(
      2 * size,
      canRemoveBackups ? config.backupFree : 0,
      canRemoveBackups ? localBackups : [],
    );
    const id = createBackupId(this.now);
    const file = join(folder, createArchiveName(this.catalog.shortSiteId, id));
    const saved = await saveArchive(file, site, new Date(this.now));
    this.archive = file;
    this.hasDamage = saved.hasDamage;
    const remarks = [...(reason ? [reason] : []), ...saved.remarks];
    await this.catalog.updateEntry(id, { holds: saved.summary, remarks });
    for (const remark of saved.remarks) report?.(remark);
    report?.(`Saved ${file} (${Math.ceil(saved.size / 1024)} KB).`);
  }

  /** Step 3: updates the catalog to match the bucket, then uploads the newest backup if necessary. */
  async uploadNewest(remote: RemoteStorage): Promise<void> {
    const { catalog } = this;
    await this.#syncRemoteEntries(await remote.list());
    const newest = findNewestGoodBackup(await catalog.listLocalBackups(), this.now);
    if (!newest || newest.isRemoteVerified) return;
    const file = join(catalog.folder, createArchiveName(catalog.shortSiteId, newest.id));
    const size = await remote.upload(newest.id, file);
    await catalog.updateEntry(newest.id, { away: { size, checkedAt: catalog.startedAt } });
    this.options.report?.(`Uploaded the backup, encrypted (${Math.ceil(size / 1024)} KB).`);
  }

  /** Returns a message if the site has backups in a bucket, but BACKUP_S3 isn't set for this run. */
  describeMissingBucket(): string | undefined {
    const { backups, awayFailure } = this.catalog.content;
    const hasRemoteBackup =
      awayFailure !== undefined || Object.values(backups).some(({ away }) => away);
    return hasRemoteBackup
      ? "Nothing was uploaded: the site has off-site backups, but BACKUP_S3 isn't set for this command. Run it with the service's settings."
      : undefined;
  }

  async #syncRemoteEntries(remoteSizes: ReadonlyMap<string, number>): Promise<void> {
    const backups: Record<string, CatalogEntry> = {};
    for (const [id, { away, ...entry }] of Object.entries(this.catalog.content.backups)) {
      const size = remoteSizes.get(id);
      const checkedAt = away?.size === size ? (away?.checkedAt ?? null) : null;
      backups[id] = size === undefined ? entry : { ...entry, away: { size, checkedAt } };
    }
    for (const [id, size] of remoteSizes)
      backups[id] ??= { remarks: [], isBad: false, away: { size, checkedAt: null } };
    await this.catalog.updateCatalog({ backups });
  }

  async #readTimeZone(): Promise<string> {
    return resolveTimeZone(await this.options.site.data.readDocument(entities.site));
  }

  /** Step 4: removes expired backups. A failed removal is repeated with the next backup. */
  async removeExpired(): Promise<void> {
    const { catalog, now } = this;
    const { site, config } = this.options;
    const ownerSettings = await site.data.readDocument(entities.backupSettings);
    const retention = chooseRetention(ownerSettings, config.backupKeep);
    const zone = await this.#readTimeZone();
    const selectExpired = (backups: readonly Backup[]) => {
      const retained = selectBackupsToRetain(backups, now, retention, zone);
      return backups.filter((each) => !retained.has(each));
    };
    const backups = await catalog.listBackups();
    const expired = selectExpired(selectLocal(backups));
    await removeLocalArchives(catalog.folder, catalog.shortSiteId, expired);
    const removedIds = new Set<string>();
    // Ignores a failed removal, because some buckets are configured to refuse deletions.
    for (const { id } of selectExpired(backups.filter((each) => each.remoteSize !== null)))
      await this.remote?.remove(id).then(
        () => removedIds.add(id),
        () => {},
      );
    // Removes the entries of backups that are neither on this machine nor in the bucket.
    const localIds = new Set((await catalog.listLocalBackups()).map(({ id }) => id));
    const remaining = Object.entries(catalog.content.backups).flatMap(([id, entry]) => {
      const away = removedIds.has(id) ? undefined : entry.away;
      return localIds.has(id) || away ? [[id, { ...entry, away }] as const] : [];
    });
    await catalog.updateCatalog({ backups: Object.fromEntries(remaining) });
  }
}

/** Returns the size of a folder's files in bytes. Ignores files that are removed meanwhile. */
async function measureFolder(path: string): Promise<number> {
  let sum = 0;
  for (const entry of (await ignoreMissing(readdir(path, { withFileTypes: true }))) ?? []) {
    // Skips hidden folders, which a restore left and which aren't archived.
    if (entry.name.startsWith(".")) continue;
    const entryPath = join(path, entry.name);
    if (entry.isDirectory()) sum += await measureFolder(entryPath);
    else sum += (await ignoreMissing(stat(entryPath)))?.size ?? 0;
  }
  return sum;
}
