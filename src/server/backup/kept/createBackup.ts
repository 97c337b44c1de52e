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
import { isOfTheMachine } from "../../shared/errorDetails.ts";
import { cannotOpen, isRefusal, reasonIn, Refusal } from "../../shared/errors.ts";
import { siteTimeZone } from "../../shared/siteZone.ts";
import { undefinedIfMissing } from "../../storage/disk/disk.ts";
import { saveArchive } from "../saveArchive.ts";
import type { ArchivedSite } from "../writeArchive.ts";
import { type RemoteStorage, openRemoteStorage } from "./remoteBackups.ts";
import {
  type Backup,
  backupsIn,
  backupsToRemove,
  idOf,
  lockBackups,
  archiveName,
  folderRefusal,
  removeBackups,
  shortIdOf,
} from "./backupFolder.ts";
import { type Catalog, type Entry, nextFailure, readCatalog, writeCatalog } from "./catalog.ts";
import { isDue, effectiveRetention, backupsToRetain, newestGoodBackup } from "./retention.ts";

interface BackUpOptions {
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
interface BackUpOutcome {
  readonly localArchive: string | undefined;
  readonly remoteArchive: string | undefined;
  /** It was made, but a picture in it is damaged or has lost a file. */
  readonly hasDamage?: true;
}

/** Throws `cannot_open` without a site, or if the folder can't be used. */
export async function createBackup(options: BackUpOptions): Promise<BackUpOutcome> {
  const { config, site, prune, now = Date.now() } = options;
  const release = await lockBackups(config.backupDir);
  try {
    const catalog = await OpenCatalog.read(
      config,
      shortIdOf((await site.data.siteId()) ?? ""),
      now,
    );
    const run = new Run(options, catalog, now);
    const localPath = await run.attempt("failure", () => run.save());
    const { remote } = run;
    const remoteName = remote && (await run.attempt("awayFailure", () => run.send(remote)));
    const damage = run.hasDamage ? ({ hasDamage: true } as const) : {};
    if (!prune)
      return {
        localArchive: localPath,
        remoteArchive: remoteName ?? run.missingBucketMessage(),
        ...damage,
      };
    const left = await run.thin().catch((error: unknown) => folderRefusal(config.backupDir, error));
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
    const newest = newestGoodBackup(await catalog.localBackups(), now);
    if (!newest)
      throw cannotOpen('There is no backup to test yet. Make one with "limelight backup".');
    const { id } = newest;
    const file = join(folder, archiveName(site, id));
    const note = (ok: boolean, message: string, isBad = false) => {
      const rehearsal = { at: catalog.snapshot, id, ok, message, isBad };
      return catalog.describe(id, { isBad }, { rehearsal }).catch((error: unknown) => {
        throw folderRefusal(folder, error);
      });
    };
    let isTried = false;
    try {
      await catalog.makeRoom(UNPACKED_SIZE_FACTOR * (newest.localSize ?? 0), config.backupFree);
      isTried = true;
      await tryOut(file);
    } catch (error) {
      // Lack of space, for example, isn't the archive's fault.
      const isBad = isTried && isRefusal(error, "cannot_open") && !isOfTheMachine(error);
      const message =
        error instanceof Refusal ? error.message : `The restore test failed: ${reasonIn(error)}.`;
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
    return backupsIn(this.folder, this.site, this.value);
  }

  async localBackups(): Promise<Backup[]> {
    return (await this.backups()).filter((each) => each.localSize !== null);
  }

  /** Removes older local backups so that `percent` of the disk is free after writing so many bytes. */
  async makeRoom(bytes: number, percent: number, removable?: readonly Backup[]): Promise<void> {
    const here = removable ?? (await this.localBackups());
    const going = await backupsToRemove(this.folder, bytes, percent, here);
    if (going.length === 0) return;
    await removeBackups(this.folder, this.site, going);
    await this.note({ gaveWay: { at: this.snapshot, count: going.length } });
  }

  describe(id: string, more: Partial<Entry>, about: Partial<Catalog> = {}): Promise<void> {
    const entry = { remarks: [], isBad: false, ...this.value.backups[id], ...more };
    return this.note({ ...about, backups: { ...this.value.backups, [id]: entry } });
  }

  async note(more: { [K in keyof Catalog]?: Catalog[K] | undefined }): Promise<void> {
    this.value = JSON.parse(JSON.stringify({ ...this.value, ...more })) as Catalog;
    await writeCatalog(this.folder, this.site, this.value);
  }
}

class Run {
  readonly remote: RemoteStorage | undefined;
  /** Set by `save`. */
  hasDamage = false;

  constructor(
    private readonly options: BackUpOptions,
    private readonly catalog: OpenCatalog,
    private readonly now: number,
  ) {
    this.remote = openRemoteStorage(options.config, catalog.site);
  }

  /** Runs a step and records the result. Returns what failed, as a sentence. */
  async attempt(
    failureField: "failure" | "awayFailure",
    step: () => Promise<void>,
  ): Promise<string | undefined> {
    const { catalog } = this;
    try {
      await step();
      if (catalog.value[failureField]) await catalog.note({ [failureField]: undefined });
      return undefined;
    } catch (error) {
      const { message } = folderRefusal(catalog.folder, error);
      const failed = nextFailure(catalog.value[failureField], message, this.now);
      // On a full disk this fails too, but the caller still gets the message.
      await catalog.note({ [failureField]: failed }).catch(() => {});
      return message;
    }
  }

  /** Step 2. */
  async save(): Promise<void> {
    const { config, site, force, prune, occasion, say } = this.options;
    const { folder } = this.catalog;
    const local = await this.catalog.localBackups();
    if (!force && !isDue(local, this.now, config.backupEvery ?? 24, await this.#zone())) return;
    const size = (await sizeOf(site.data.location)) + (await sizeOfPictures(site.uploads));
    // The archive, plus its contents while it is verified.
    await this.catalog.makeRoom(2 * size, prune ? config.backupFree : 0, prune ? local : []);
    const id = idOf(this.now);
    const file = join(folder, archiveName(this.catalog.site, id));
    const saved = await saveArchive(file, site, { now: new Date(this.now) });
    this.hasDamage = saved.problems.some(({ isPicture }) => isPicture);
    const remarks = [
      ...saved.leftOut.map(({ path, why }) => `Left out ${path}: ${why}.`),
      ...saved.problems.map(({ message }) => `Saved despite a problem: ${message}`),
    ];
    await this.catalog.describe(id, {
      holds: saved.holds,
      remarks: occasion ? [occasion, ...remarks] : remarks,
    });
    for (const remark of remarks) say?.(remark);
    say?.(`Saved ${file} (${Math.ceil(saved.size / 1024)} KB).`);
  }

  /** Step 3. Also records remote backups that the catalog didn't see sent. */
  async send(remote: RemoteStorage): Promise<void> {
    const { catalog } = this;
    await this.#align(await remote.list());
    const newest = newestGoodBackup(await catalog.localBackups(), this.now);
    if (!newest || newest.isRemoteVerified) return;
    const file = join(catalog.folder, archiveName(catalog.site, newest.id));
    const size = await remote.send(newest.id, file);
    await catalog.describe(newest.id, { away: { size, checkedAt: catalog.snapshot } });
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
  async #align(remoteSizes: ReadonlyMap<string, number>): Promise<void> {
    const backups: Record<string, Entry> = {};
    for (const [id, { away, ...entry }] of Object.entries(this.catalog.value.backups)) {
      const size = remoteSizes.get(id);
      const checkedAt = away?.size === size ? (away?.checkedAt ?? null) : null;
      backups[id] = size === undefined ? entry : { ...entry, away: { size, checkedAt } };
    }
    for (const [id, size] of remoteSizes)
      backups[id] ??= { remarks: [], isBad: false, away: { size, checkedAt: null } };
    await this.catalog.note({ backups });
  }

  async #zone(): Promise<string> {
    return siteTimeZone(await this.options.site.data.readDocument(entities.site));
  }

  /** Step 4. Removals that fail are retried next time. */
  async thin(): Promise<void> {
    const { catalog, now } = this;
    const { site, config } = this.options;
    const chosen = await site.data.readDocument(entities.backupSettings);
    const retention = effectiveRetention(chosen, config.backupKeep);
    const zone = await this.#zone();
    const expired = (backups: readonly Backup[]) => {
      const retained = backupsToRetain(backups, now, retention, zone);
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
    await this.#forget(removed);
  }

  /** Removes backups from the catalog that are in neither place. */
  async #forget(removedRemote: ReadonlySet<string>): Promise<void> {
    const localIds = new Set((await this.catalog.localBackups()).map(({ id }) => id));
    const left = Object.entries(this.catalog.value.backups).flatMap(([id, { away, ...entry }]) => {
      const stays = away && !removedRemote.has(id) ? { away } : {};
      return localIds.has(id) || "away" in stays ? [[id, { ...entry, ...stays }] as const] : [];
    });
    await this.catalog.note({ backups: Object.fromEntries(left) });
  }
}

async function sizeOfPictures(storage: ArchivedSite["uploads"]): Promise<number> {
  return (await storage.files()).reduce((sum, { size }) => sum + size, 0);
}

/** The size of a folder and its contents, in bytes; vanished files count nothing. */
async function sizeOf(path: string): Promise<number> {
  let sum = 0;
  for (const entry of (await undefinedIfMissing(readdir(path, { withFileTypes: true }))) ?? []) {
    // Hidden: moved away by a restore, and in no archive.
    if (entry.name.startsWith(".")) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory()) sum += await sizeOf(inside);
    else sum += (await undefinedIfMissing(stat(inside)))?.size ?? 0;
  }
  return sum;
}
