/** Opens a data folder: lock, clean, check against the marker, read everything, only then serve. */
import { join, resolve } from "node:path";
import type { AnyRecords, Entity, StoredItem } from "../../schema/entity.ts";
import { type DataKey, dataKeyOf } from "../shared/dataKey.ts";
import { cannotOpen, isRefusal } from "../shared/errors.ts";
import { DataFolder, reasonOf } from "./dataFolder.ts";
import {
  type Disk,
  ensureFolder,
  ifThere,
  isTemporary,
  listIfThere,
  writeDurably,
} from "./disk.ts";
import { disk as realDisk } from "./realDisk.ts";
import { type DocumentFile, openDocument } from "./document.ts";
import { documentSpec, recordsSpec } from "./entitySpecs.ts";
import { lockFolder } from "./folderLock.ts";
import { isLog } from "./lineLog.ts";
import { dataFiles, openInstallation, SECRET } from "./installation.ts";
import { openRecords, type SegmentedRecords } from "./records.ts";
import { onlyInstance } from "../shared/instances.ts";
import type { HandleOf, LeftOut, Store, StoredFile } from "./store.ts";
import { type SiteSecret, siteSecret } from "./siteSecret.ts";
import { savingTrial } from "./trySave.ts";

export interface StoreOptions {
  /** Made when missing; private to the owner (0700). */
  directory: string;
  entities: readonly Entity[];
  /** Default: the real one. */
  disk?: Disk;
  /** Default: standard error. */
  log?: (line: string) => void;
  /** After a failed fsync. Default: the process ends with 1. */
  onFatal?: (error: Error) => never;
  /** Default: none. */
  dataKey?: DataKey | undefined;
}

/** Throws `cannot_open`, whose message says what to do, and leaves the folder unlocked then. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const folder = folderOf(options);
  assertNames(options.entities.map(({ name }) => name));
  let release: (() => void) | undefined;
  try {
    await ensureFolder(folder.disk, folder.directory);
    await folder.disk.makeFolder(folder.directory);
    release = lockFolder(folder.directory);
    return new FolderStore(folder, await openAll(folder, options, release));
  } catch (error) {
    release?.();
    throw asRefusal(folder.directory, error);
  }
}

/**
 * Everything a start does but to keep others out: for a disk that keeps nothing (`trialStart.ts`).
 * Throws as `openStore` does.
 */
export async function openUnlocked(options: StoreOptions): Promise<void> {
  const folder = folderOf(options);
  try {
    await openAll(folder, options, () => {});
  } catch (error) {
    throw asRefusal(folder.directory, error);
  }
}

const folderOf = (options: StoreOptions) =>
  new DataFolder({
    directory: resolve(options.directory),
    disk: options.disk ?? realDisk,
    log: options.log ?? ((line) => console.error(line)),
    onFatal: options.onFatal ?? (() => process.exit(1)),
  });

async function openAll(
  folder: DataFolder,
  options: StoreOptions,
  release: () => void,
): Promise<Opened> {
  const { entities } = options;
  await lookAround(folder, entities);
  const recordNames = entities.filter(({ shape }) => shape === "records").map(({ name }) => name);
  const installation = await openInstallation(folder, recordNames);
  const { installed } = installation;
  const expected = new Set(installation.entities);
  const handles = new Map<Entity, AnyHandle>();
  await openEach(entities, async (entity) => {
    handles.set(entity, await openEntity(folder, entity, expected.has(entity.name)));
  });
  await folder.reserve.hold();
  const secret = await openSecret(folder, installed, options.dataKey ?? dataKeyOf());
  if (folder.sealings > 0)
    folder.log(`storage: ${folder.sealings} files of an earlier release got a checksum`);
  folder.takesUnsealed = false;
  await installation.complete(entities.map(({ name }) => name));
  return { handles, installed, siteId: installation.id, secret, release };
}

/**
 * Opens all at once. When one fails, the others finish first, so that nothing continues without the
 * lock.
 */
async function openEach<T>(specs: readonly T[], open: (spec: T) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(specs.map(open));
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  if (refused) throw refused.reason;
}

function openEntity(folder: DataFolder, entity: Entity, expected: boolean): Promise<AnyHandle> {
  return entity.shape === "records"
    ? openRecords<StoredItem, unknown>(folder, recordsSpec(entity), expected)
    : openDocument<unknown>(folder, documentSpec(entity), expected);
}

/** What a crash left behind: unfinished writes, which were never acknowledged, go; lines are noted. */
async function lookAround(
  { directory, disk, logs }: DataFolder,
  entities: readonly Entity[],
): Promise<void> {
  const own = entities.flatMap(({ name, shape }) =>
    shape === "records" ? [name, join("migrations", name)] : [join("history", name)],
  );
  const inside = ["", ...own, "migrations"];
  for (const place of inside.map((name) => join(directory, name))) {
    for (const name of await listIfThere(disk, place)) {
      if (isTemporary(name)) await ifThere(disk.remove(join(place, name)));
      if (isLog(name)) logs.add(join(place, name));
    }
  }
}

const RESERVED = new Set(["installation", "history", "migrations", "secret"]);

function assertNames(names: string[]): void {
  for (const [at, name] of names.entries()) {
    const usable = /^[a-zA-Z][a-zA-Z0-9-]*$/.test(name) && !RESERVED.has(name);
    if (!usable || names.indexOf(name) !== at) throw new Error(`"${name}" can't name an entity.`);
  }
}

function asRefusal(directory: string, error: unknown): unknown {
  if (isRefusal(error, "cannot_open") || isRefusal(error, "invalid_value")) return error;
  return cannotOpen(
    `The data folder ${directory} couldn't be opened (${reasonOf(error)}). Check that it belongs to the user who starts Limelight and that its disk has room, then start again.`,
    error,
  );
}

/** `installed`: a secret was there before, so making a new one is worth a line in the log. */
async function openSecret(
  folder: DataFolder,
  installed: boolean,
  dataKey: DataKey,
): Promise<SiteSecret> {
  const path = join(folder.directory, SECRET);
  const secret = siteSecret(await ifThere(folder.disk.read(path)), dataKey, folder.directory);
  const { toKeep, isNew } = secret;
  if (isNew && installed)
    folder.log(`storage: ${path} was missing or damaged; with a new one everyone logs in again`);
  if (toKeep) await folder.write("secret", () => writeDurably(folder.disk, path, toKeep));
  return secret;
}

type AnyHandle = DocumentFile<unknown> | SegmentedRecords<StoredItem, unknown>;

/** A data folder with everything in it opened. */
interface Opened {
  handles: ReadonlyMap<Entity, AnyHandle>;
  installed: boolean;
  siteId: string;
  secret: SiteSecret;
  release: () => void;
}

class FolderStore implements Store {
  readonly installed: boolean;
  readonly instances = onlyInstance;
  readonly siteId: string;
  readonly #folder: DataFolder;
  readonly #opened: Opened;
  readonly #trySaving: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(folder: DataFolder, opened: Opened) {
    this.#folder = folder;
    this.#opened = opened;
    this.#trySaving = savingTrial(folder.disk, folder.directory);
    this.installed = opened.installed;
    this.siteId = opened.siteId;
  }

  of<E extends Entity>(entity: E): HandleOf<E> {
    const handle = this.#opened.handles.get(entity);
    if (!handle) throw new Error(`The store was not opened with the entity "${entity.name}".`);
    // Safe: the handle was opened with this entity's types.
    return handle as unknown as HandleOf<E>;
  }

  async present(
    lists: readonly AnyRecords[],
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const found = await Promise.all(lists.map((each) => this.of<AnyRecords>(each).present(ids)));
    return new Set(found.flatMap((each) => [...each]));
  }

  onChange(listener: (name: string) => void): () => void {
    return this.#folder.onChange(listener);
  }

  async secret(): Promise<Uint8Array> {
    return this.#opened.secret.read();
  }

  async read(): Promise<void> {
    const { handles } = this.#opened;
    await Promise.all([...handles.values()].map((handle) => "page" in handle && handle.read()));
  }

  async health(): Promise<void> {
    this.#folder.assertWhole();
    for (const handle of this.#opened.handles.values()) handle.assertWhole();
    try {
      await this.#trySaving();
    } catch (error) {
      this.#folder.log(
        `storage: the data folder can't be used (${reasonOf((error as Error).cause)})`,
      );
      throw error;
    }
  }

  files(leftOut?: LeftOut): AsyncIterable<StoredFile> {
    return dataFiles(this.#folder.directory, leftOut);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const { handles, release } = this.#opened;
    await Promise.all([...handles.values()].map((handle) => handle.close()));
    release();
  }
}
