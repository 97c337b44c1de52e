/**
 * Makes a backup, in steps that can be interrupted anywhere:
 *
 * 1. Lock out other processes, and remove what a kill left.
 * 2. Save an archive under its final name, verified first, unless there is one of the current period.
 * 3. Send the newest one to the bucket, encrypted, and read it back, unless it is there.
 * 4. Remove expired backups, here and remote, but never the newest good one. Only the serving site does, as it
 *    knows its settings: a command run by hand may not see them.
 *
 * Each step's result goes into the catalog at once. Steps 2 and 3 fail independently.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { entities } from "../../../schema/index.ts";
import type { Config } from "../../shared/config.ts";
import { siteTimeZone } from "../../shared/siteZone.ts";
import { undefinedIfMissing } from "../../storage/disk/disk.ts";
import { saveArchive } from "../saveArchive.ts";
import type { ArchivedSite } from "../writeArchive.ts";
import { type RemoteStorage, openRemoteStorage } from "./remoteBackups.ts";
import {
  type Backup,
  backupsIn,
  givingWay,
  idOf,
  lockBackups,
  archiveName,
  folderRefusal,
  removeBackups,
  shortIdOf,
} from "./backupFolder.ts";
import { type Catalog, type Entry, nextFailure, readCatalog, writeCatalog } from "./catalog.ts";
import { isDue, effectiveRetention, backupsToKeep, newestGoodBackup } from "./retention.ts";

interface BackUpOptions {
  readonly site: ArchivedSite;
  readonly config: Config;
  /** Even if there is one of the current period. */
  readonly force: boolean;
  /** Whether older ones may be removed: by BACKUP_KEEP, and if the disk is nearly full. */
  readonly prune: boolean;
  /** An archive to keep whatever its age: it is about to be restored. */
  readonly protectedArchive?: string | undefined;
  /** For a special backup: a remark for the owner, and how long it is kept at least, in milliseconds. */
  readonly pin?: { readonly remark: string; readonly keptFor: number };
  readonly now?: number;
  /** Prints a line. */
  readonly say?: (line: string) => void;
}

/** What failed, as a sentence; undefined on success. */
interface BackUpOutcome {
  readonly here: string | undefined;
  readonly away: string | undefined;
  /** It was made, but a picture in it is damaged or has lost a file. */
  readonly hasDamage?: true;
}

/** Throws `cannot_open` without a site, or if the folder can't be used. */
export async function createBackup(options: BackUpOptions): Promise<BackUpOutcome> {
  const { config, site } = options;
  const release = await lockBackups(config.backupDir);
  try {
    const run = await Run.begin(options, shortIdOf((await site.data.siteId()) ?? ""));
    const here = await run.attempt("failure", () => run.save());
    const { away: bucket } = run;
    const away = bucket && (await run.attempt("awayFailure", () => run.send(bucket)));
    const damage = run.hasDamage ? ({ hasDamage: true } as const) : {};
    if (!options.prune) return { here, away: away ?? run.missingBucketMessage(), ...damage };
    const left = await run.thin().catch((error: unknown) => folderRefusal(config.backupDir, error));
    return { here: here ?? left?.message, away, ...damage };
  } finally {
    release();
  }
}

class Run {
  readonly #options: BackUpOptions;
  readonly #site: string;
  readonly #folder: string;
  readonly #now: number;
  readonly away: RemoteStorage | undefined;
  /** Set by `save`. */
  hasDamage = false;
  #catalog: Catalog;

  static async begin(options: BackUpOptions, site: string): Promise<Run> {
    return new Run(options, site, await readCatalog(options.config.backupDir, site));
  }

  private constructor(options: BackUpOptions, site: string, catalog: Catalog) {
    this.#options = options;
    this.#site = site;
    this.#folder = options.config.backupDir;
    this.#now = options.now ?? Date.now();
    this.away = openRemoteStorage(options.config, site);
    this.#catalog = catalog;
  }

  /** Runs a step and records the result. Returns what failed, as a sentence. */
  async attempt(
    what: "failure" | "awayFailure",
    step: () => Promise<void>,
  ): Promise<string | undefined> {
    try {
      await step();
      if (this.#catalog[what]) await this.#note({ [what]: undefined });
      return undefined;
    } catch (error) {
      const { message } = folderRefusal(this.#folder, error);
      const failed = nextFailure(this.#catalog[what], message, this.#now);
      // On a full disk this fails too, but the caller still gets the message.
      await this.#note({ [what]: failed }).catch(() => {});
      return message;
    }
  }

  /** Step 2. */
  async save(): Promise<void> {
    const { config, site, force, pin: occasion, say } = this.#options;
    const backups = await this.#backups();
    const here = backups.filter((each) => each.here !== null);
    const every = config.backupEvery ?? 24;
    if (!force && !isDue(here, this.#now, every, await this.#zone())) return;
    await this.#makeRoom(here);
    const id = idOf(this.#now);
    const name = archiveName(this.#site, id);
    const saved = await saveArchive(join(this.#folder, name), site, { now: new Date(this.#now) });
    this.hasDamage = saved.problems.some(({ isPicture }) => isPicture);
    const remarks = [
      ...saved.leftOut.map(({ path, why }) => `Left out ${path}: ${why}.`),
      ...saved.problems.map(({ message }) => `Saved despite a problem: ${message}`),
    ];
    const { size, holds } = saved;
    await this.#describe(id, { size, holds, isBad: false, ...noted(occasion, remarks, this.#now) });
    for (const remark of remarks) say?.(remark);
    say?.(`Saved ${join(this.#folder, name)} (${Math.ceil(saved.size / 1024)} KB).`);
  }

  /** Removes older backups if the disk is nearly full. */
  async #makeRoom(here: readonly Backup[]): Promise<void> {
    const { config, site } = this.#options;
    const size = (await sizeOf(site.data.location)) + (await sizeOfPictures(site.uploads));
    // The archive, plus its contents while it is verified.
    const others = here.filter((each) => this.#options.prune && !this.#isSpared(each));
    const going = await givingWay(this.#folder, 2 * size, config.backupFree, others);
    if (going.length === 0) return;
    await removeBackups(this.#folder, this.#site, going);
    const at = new Date(this.#now).toISOString();
    await this.#note({ gaveWay: { at, count: going.length } });
  }

  /** Step 3. Also records remote backups that the catalog didn't see sent. */
  async send(offsite: RemoteStorage): Promise<void> {
    await this.#align(await offsite.list());
    const here = (await this.#backups()).filter((each) => each.here !== null);
    const newest = newestGoodBackup(here, this.#now);
    if (!newest || newest.isRemoteVerified) return;
    const size = await offsite.send(
      newest.id,
      join(this.#folder, archiveName(this.#site, newest.id)),
    );
    const checkedAt = new Date(this.#now).toISOString();
    await this.#describe(newest.id, { away: { size, checkedAt } });
    this.#options.say?.(`Uploaded, encrypted (${Math.ceil(size / 1024)} KB).`);
  }

  /** A message if this run has no bucket though the site has remote backups. */
  missingBucketMessage(): string | undefined {
    const { backups, awayFailure } = this.#catalog;
    const hasOne = awayFailure !== undefined || Object.values(backups).some(({ away }) => away);
    return !this.away && hasOne
      ? "Nothing was uploaded: the site has off-site backups, but BACKUP_S3 isn't set for this command. Run it with the service's settings."
      : undefined;
  }

  /** Updates remote backups in the catalog to what the bucket has. */
  async #align(there: ReadonlyMap<string, number>): Promise<void> {
    const backups: Record<string, Entry> = {};
    for (const [id, { away, ...entry }] of Object.entries(this.#catalog.backups)) {
      const size = there.get(id);
      const checkedAt = away?.size === size ? (away?.checkedAt ?? null) : null;
      backups[id] = size === undefined ? entry : { ...entry, away: { size, checkedAt } };
    }
    for (const [id, size] of there)
      backups[id] ??= { size: null, remarks: [], isBad: false, away: { size, checkedAt: null } };
    await this.#note({ backups });
  }

  async #zone(): Promise<string> {
    return siteTimeZone(await this.#options.site.data.readDocument(entities.site));
  }

  /** Step 4. Removals that fail are retried next time. */
  async thin(): Promise<void> {
    const { site, config } = this.#options;
    const keep = effectiveRetention(
      await site.data.readDocument(entities.backupSettings),
      config.backupKeep,
    );
    const backups = await this.#backups();
    const here = backups.filter((each) => each.here !== null);
    const away = backups.filter((each) => each.away !== null);
    const zone = await this.#zone();
    const keptHere = backupsToKeep(here, this.#now, keep, zone);
    const keptAway = backupsToKeep(away, this.#now, keep, zone);
    await removeBackups(
      this.#folder,
      this.#site,
      here.filter((each) => !keptHere.has(each) && !this.#isSpared(each)),
    );
    const gone = new Set<string>();
    // A bucket that refuses deletions is a good place too.
    for (const { id } of away.filter((each) => !keptAway.has(each)))
      await this.away?.remove(id).then(
        () => gone.add(id),
        () => {},
      );
    await this.#forget(gone);
  }

  /** Removes backups from the catalog that are in neither place. */
  async #forget(goneAway: ReadonlySet<string>): Promise<void> {
    const here = new Set(
      (await this.#backups()).filter((each) => each.here !== null).map(({ id }) => id),
    );
    const left = Object.entries(this.#catalog.backups).flatMap(([id, { away, ...entry }]) => {
      const stays = away && !goneAway.has(id) ? { away } : {};
      return here.has(id) || "away" in stays ? [[id, { ...entry, ...stays }] as const] : [];
    });
    await this.#note({ backups: Object.fromEntries(left) });
  }

  #isSpared({ id }: Backup): boolean {
    const { protectedArchive: spare } = this.#options;
    return spare !== undefined && basename(spare) === archiveName(this.#site, id);
  }

  #backups(): Promise<Backup[]> {
    return backupsIn(this.#folder, this.#site, this.#catalog);
  }

  #describe(id: string, more: Partial<Entry>): Promise<void> {
    const entry = { size: null, remarks: [], isBad: false, ...this.#catalog.backups[id], ...more };
    return this.#note({ backups: { ...this.#catalog.backups, [id]: entry } });
  }

  async #note(more: { [K in keyof Catalog]?: Catalog[K] | undefined }): Promise<void> {
    this.#catalog = JSON.parse(JSON.stringify({ ...this.#catalog, ...more })) as Catalog;
    await writeCatalog(this.#folder, this.#site, this.#catalog);
  }
}

/** A backup's remarks, its occasion first. */
function noted(occasion: BackUpOptions["pin"], remarks: readonly string[], now: number) {
  if (!occasion) return { remarks: [...remarks] };
  const keptUntil = new Date(now + occasion.keptFor).toISOString();
  return { remarks: [occasion.remark, ...remarks], keptUntil };
}

async function sizeOfPictures(storage: ArchivedSite["uploads"]): Promise<number> {
  return (await storage.files()).reduce((sum, { size }) => sum + size, 0);
}

/** The size of a folder and its contents, in bytes; vanished files count nothing. */
async function sizeOf(path: string): Promise<number> {
  let sum = 0;
  for (const entry of (await undefinedIfMissing(readdir(path, { withFileTypes: true }))) ?? []) {
    // Hidden: set aside by a restore, and in no archive.
    if (entry.name.startsWith(".")) continue;
    const inside = join(path, entry.name);
    if (entry.isDirectory()) sum += await sizeOf(inside);
    else sum += (await undefinedIfMissing(stat(inside)))?.size ?? 0;
  }
  return sum;
}
