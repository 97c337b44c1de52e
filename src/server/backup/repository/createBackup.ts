/**
 * Makes a backup, in steps that can be interrupted anywhere:
 *
 * 1. Lock out other processes, and remove leftovers of a kill.
 * 2. Save an archive under its final name, verified first, unless the current period has one.
 * 3. Send the newest one to the bucket, encrypted, and read it back, unless it is stored already.
 * 4. Remove expired backups, here and remote, but never the newest good one. Only the serving site does, since
 *    only it has its settings: a command run by hand may not see them.
 *
 * Each step's result is written to the catalog at once. Steps 2 and 3 fail independently. A restore test of the
 * newest backup works on the same catalog.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { entities } from "../../../schema/index.ts";
import type { Config } from "../../shared/config.ts";
import { isSystemError } from "../../shared/errorDetails.ts";
import { cannotOpen, isRefusal, describeError, Refusal } from "../../shared/errors.ts";
import { resolveTimeZone } from "../../shared/siteZone.ts";
import { orUndefinedIfMissing } from "../../storage/disk/disk.ts";
import { saveArchive } from "../saveArchive.ts";
import type { ArchivedSite } from "../writeArchive.ts";
import { type RemoteStorage, openRemoteStorage } from "./remoteBackups.ts";
import {
  type Backup,
  findBackups,
  selectBackupsToRemove,
  backupId,
  lockBackups,
  archiveName,
  folderRefusal,
  removeBackups,
  shortSiteId,
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
  readonly site: ArchivedSite;
  readonly config: Config;
  /** Even if there is one of the current period. */
  readonly force: boolean;
  /**
   * Whether older ones may be removed: by BACKUP_KEEP, and to free the share of the disk. Without it, only the space
   * that the backup itself takes is needed.
   */
  readonly prune: boolean;
  /** Why it is made, for the owner. */
  readonly occasion?: string;
  readonly now?: number;
  readonly say?: (line: string) => void;
}

/** The reason of a failure, as a sentence; undefined on success. */
interface CreateBackupOutcome {
  readonly localArchive: string | undefined;
  readonly remoteArchive: string | undefined;
  /** It was made, but a picture in it is damaged or has lost a file. */
  readonly hasDamage?: true;
}

/** Throws `cannot_open` without a site, or if the folder can't be used. */
export async function createBackup(options: CreateBackupOptions): Promise<CreateBackupOutcome> {
  const { config, site, prune, now = Date.now() } = options;
  const release = await lockBackups(config.backupDir);
  try {
    const catalog = await OpenCatalog.read(
      config,
      shortSiteId((await site.data.readSiteId()) ?? ""),
      now,
    );
    const run = new BackupRun(options, catalog, now);
    const localPath = await run.runStep("failure", () => run.saveLocally());
    const { remote } = run;
    const remoteName = remote && (await run.runStep("awayFailure", () => run.sendRemotely(remote)));
    const damage = run.hasDamage ? ({ hasDamage: true } as const) : {};
    if (!prune)
      return {
        localArchive: localPath,
        remoteArchive: remoteName ?? run.missingBucketMessage(),
        ...damage,
      };
    const left = await run
      .removeExpired()
      .catch((error: unknown) => folderRefusal(config.backupDir, error));
    return { localArchive: localPath ?? left?.message, remoteArchive: remoteName, ...damage };
  } finally {
    release();
  }
}

/**
 * Tests the newest local backup with `tryOut`, which starts a site from it elsewhere and discards that, and records the
 * result in the catalog. A backup that doesn't start no longer counts. Returns the archive's file; throws what `tryOut`
 * throws, and `cannot_open` without a backup.
 */
export async function testNewestBackup(
  config: Config,
  site: string,
  tryOut: (file: string) => Promise<void>,
  now = Date.now(),
): Promise<string> {
  const { backupDir: folder } = config;
  const release = await lockBackups(folder);
  try {
    const catalog = await OpenCatalog.read(config, site, now);
    const newest = findNewestGoodBackup(await catalog.localBackups(), now);
    if (!newest)
      throw cannotOpen('There is no backup to test yet. Make one with "limelight backup".');
    const { id } = newest;
    const file = join(folder, archiveName(site, id));
    const note = (ok: boolean, message: string, isBad = false) => {
      const rehearsal = { at: catalog.snapshot, id, ok, message, isBad };
      return catalog.updateEntry(id, { isBad }, { rehearsal }).catch((error: unknown) => {
        throw folderRefusal(folder, error);
      });
    };
    let isTried = false;
    try {
      await catalog.removeForSpace(
        UNPACKED_SIZE_FACTOR * (newest.localSize ?? 0),
        config.backupFree,
      );
      isTried = true;
      await tryOut(file);
    } catch (error) {
      // Lack of space, for example, isn't the archive's fault.
      const isBad = isTried && isRefusal(error, "cannot_open") && !isSystemError(error);
      const message =
        error instanceof Refusal
          ? error.message
          : `The restore test failed: ${describeError(error)}.`;
      await note(false, message, isBad);
      throw error;
    }
    await note(true, "The latest backup was restored, and the site started.");
    return file;
  } finally {
    release();
  }
}

/** The growth of an archive when unpacked: pictures hardly compress, text does. */
const UNPACKED_SIZE_FACTOR = 3;

/** The catalog of a site's backups, whose folder is locked. */
class OpenCatalog {
  /** Now, as an ISO timestamp. */
  readonly snapshot: string;

  private constructor(
    readonly folder: string,
    readonly site: string,
    public value: Catalog,
    now: number,
  ) {
    this.snapshot = new Date(now).toISOString();
  }

  static async read({ backupDir: folder }: Config, site: string, now: number) {
    return new OpenCatalog(folder, site, await readCatalog(folder, site), now);
  }

  backups(): Promise<Backup[]> {
    return findBackups(this.folder, this.site, this.value);
  }

  async localBackups(): Promise<Backup[]> {
    return (await this.backups()).filter((each) => each.localSize !== null);
  }

  /** Removes older local backups so that `percent` of the disk is free after writing so many bytes. */
  async removeForSpace(
    bytes: number,
    percent: number,
    removable?: readonly Backup[],
  ): Promise<void> {
    const here = removable ?? (await this.localBackups());
    const going = await selectBackupsToRemove(this.folder, bytes, percent, here);
    if (going.length === 0) return;
    await removeBackups(this.folder, this.site, going);
    await this.updateCatalog({ gaveWay: { at: this.snapshot, count: going.length } });
  }

  updateEntry(
    id: string,
    more: Partial<CatalogEntry>,
    about: Partial<Catalog> = {},
  ): Promise<void> {
    const entry = { remarks: [], isBad: false, ...this.value.backups[id], ...more };
    return this.updateCatalog({ ...about, backups: { ...this.value.backups, [id]: entry } });
  }

  async updateCatalog(more: { [K in keyof Catalog]?: Catalog[K] | undefined }): Promise<void> {
    this.value = JSON.parse(JSON.stringify({ ...this.value, ...more })) as Catalog;
    await writeCatalog(this.folder, this.site, this.value);
  }
}

class BackupRun {
  readonly remote: RemoteStorage | undefined;
  /** Set by `saveLocally`. */
  hasDamage = false;

  constructor(
    private readonly options: CreateBackupOptions,
    private readonly catalog: OpenCatalog,
    private readonly now: number,
  ) {
    this.remote = openRemoteStorage(options.config, catalog.site);
  }

  /** Runs a step and records the result. Returns what failed, as a sentence. */
  async runStep(
    failureField: "failure" | "awayFailure",
    step: () => Promise<void>,
  ): Promise<string | undefined> {
    const { catalog } = this;
    try {
      await step();
      if (catalog.value[failureField]) await catalog.updateCatalog({ [failureField]: undefined });
      return undefined;
    } catch (error) {
      const { message } = folderRefusal(catalog.folder, error);
      const failed = createNextFailure(catalog.value[failureField], message, this.now);
      // On a full disk this fails too, but the caller still gets the message.
      await catalog.updateCatalog({ [failureField]: failed }).catch(() => {});
      return message;
    }
  }

  /** Step 2. */
  async saveLocally(): Promise<void> {
    const { config, site, force, prune, occasion, say } = this.options;
    const { folder } = this.catalog;
    const local = await this.catalog.localBackups();
    if (
      !force &&
      !isBackupNeeded(local, this.now, config.backupEvery ?? 24, await this.#readTimeZone())
    )
      return;
    const size = (await measureFolder(site.data.location)) + (await measurePictures(site.uploads));
    // The archive, plus its contents while it is verified.
    await this.catalog.removeForSpace(2 * size, prune ? config.backupFree : 0, prune ? local : []);
    const id = backupId(this.now);
    const file = join(folder, archiveName(this.catalog.site, id));
    const saved = await saveArchive(file, site, { now: new Date(this.now) });
    this.hasDamage = saved.problems.some(({ isPicture }) => isPicture);
    const remarks = [
      ...saved.leftOut.map(({ path, why }) => `Left out ${path}: ${why}.`),
      ...saved.problems.map(({ message }) => `Saved despite a problem: ${message}`),
    ];
    await this.catalog.updateEntry(id, {
      holds: saved.holds,
      remarks: occasion ? [occasion, ...remarks] : remarks,
    });
    for (const remark of remarks) say?.(remark);
    say?.(`Saved ${file} (${Math.ceil(saved.size / 1024)} KB).`);
  }

  /** Step 3. Also records remote backups that the catalog didn't see sent. */
  async sendRemotely(remote: RemoteStorage): Promise<void> {
    const { catalog } = this;
    await this.#syncRemoteEntries(await remote.list());
    const newest = findNewestGoodBackup(await catalog.localBackups(), this.now);
    if (!newest || newest.isRemoteVerified) return;
    const file = join(catalog.folder, archiveName(catalog.site, newest.id));
    const size = await remote.send(newest.id, file);
    await catalog.updateEntry(newest.id, { away: { size, checkedAt: catalog.snapshot } });
    this.options.say?.(`Uploaded, encrypted (${Math.ceil(size / 1024)} KB).`);
  }

  /** A message if this run has no bucket though the site has remote backups. */
  missingBucketMessage(): string | undefined {
    const { backups, awayFailure } = this.catalog.value;
    const hasOne = awayFailure !== undefined || Object.values(backups).some(({ away }) => away);
    return !this.remote && hasOne
      ? "Nothing was uploaded: the site has off-site backups, but BACKUP_S3 isn't set for this command. Run it with the service's settings."
      : undefined;
  }

  /** Updates remote backups in the catalog to what the bucket has. */
  async #syncRemoteEntries(remoteSizes: ReadonlyMap<string, number>): Promise<void> {
    const backups: Record<string, CatalogEntry> = {};
    for (const [id, { away, ...entry }] of Object.entries(this.catalog.value.backups)) {
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

  /** Step 4. Removals that fail are retried next time. */
  async removeExpired(): Promise<void> {
    const { catalog, now } = this;
    const { site, config } = this.options;
    const chosen = await site.data.readDocument(entities.backupSettings);
    const retention = chooseRetention(chosen, config.backupKeep);
    const zone = await this.#readTimeZone();
    const expired = (backups: readonly Backup[]) => {
      const retained = selectBackupsToRetain(backups, now, retention, zone);
      return backups.filter((each) => !retained.has(each));
    };
    const backups = await catalog.backups();
    const local = backups.filter((each) => each.localSize !== null);
    await removeBackups(catalog.folder, catalog.site, expired(local));
    const removed = new Set<string>();
    // A bucket that refuses deletions is a good place too.
    for (const { id } of expired(backups.filter((each) => each.remoteSize !== null)))
      await this.remote?.remove(id).then(
        () => removed.add(id),
        () => {},
      );
    await this.#removeEntries(removed);
  }

  /** Removes backups from the catalog that are in neither place. */
  async #removeEntries(removedRemote: ReadonlySet<string>): Promise<void> {
    const localIds = new Set((await this.catalog.localBackups()).map(({ id }) => id));
    const left = Object.entries(this.catalog.value.backups).flatMap(([id, { away, ...entry }]) => {
      const stays = away && !removedRemote.has(id) ? { away } : {};
      return localIds.has(id) || "away" in stays ? [[id, { ...entry, ...stays }] as const] : [];
    });
    await this.catalog.updateCatalog({ backups: Object.fromEntries(left) });
  }
}

async function measurePictures(storage: ArchivedSite["uploads"]): Promise<number> {
  return (await storage.listFiles()).reduce((sum, { size }) => sum + size, 0);
}

/** The size of a folder and its contents, in bytes; vanished files count nothing. */
async function measureFolder(path: string): Promise<number> {
  let sum = 0;
  for (const entry of (await orUndefinedIfMissing(readdir(path, { withFileTypes: true }))) ?? []) {
    // Hidden: moved away by a restore, and in no archive.
    if (entry.name.startsWith(".")) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory()) sum += await measureFolder(inside);
    else sum += (await orUndefinedIfMissing(stat(inside)))?.size ?? 0;
  }
  return sum;
}
