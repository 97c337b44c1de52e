/** Opens a data folder: lock, clean, check against the marker, read everything, only then serve. */
import { join, resolve } from "node:path";
import { DataFolder, reasonOf } from "./dataFolder.ts";
import { disk as realDisk, ifThere, listIfThere, type Disk } from "./disk.ts";
import { ensureFolder } from "./ensureFolder.ts";
import { lockFolder } from "./folderLock.ts";
import { FolderStore, type AnyDocument, type AnyRecords, type Opened } from "./folderStore.ts";
import { openInstallation } from "./installation.ts";
import { openDocument } from "./openDocument.ts";
import { openRecords } from "./openRecords.ts";
import { openSecret } from "./secretFile.ts";
import { InvalidValue, StorageRefusal } from "./storageErrors.ts";
import type { DocumentSpec, RecordsSpec, Store } from "./store.ts";
import { isTemporary } from "./writeDurably.ts";

export interface StoreOptions {
  /** Made when missing; private to the owner (0700). */
  directory: string;
  // Each specification has types of its own, which a list can not carry.
  // oxlint-disable-next-line typescript/no-explicit-any
  documents: DocumentSpec<any>[];
  // oxlint-disable-next-line typescript/no-explicit-any
  records: RecordsSpec<any, any>[];
  /** Default: the real one. */
  disk?: Disk;
  /** Default: standard error. */
  log?: (line: string) => void;
  /** After a failed fsync. Default: the process ends with 1. */
  onFatal?: (error: Error) => never;
}

/** Raises StorageRefusal, whose message says what to do, and leaves the folder unlocked then. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const folder = new DataFolder({
    directory: resolve(options.directory),
    disk: options.disk ?? realDisk,
    log: options.log ?? ((line) => console.error(line)),
    onFatal: options.onFatal ?? (() => process.exit(1)),
  });
  assertNames([...options.documents, ...options.records].map(({ name }) => name));
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

async function openAll(
  folder: DataFolder,
  options: StoreOptions,
  release: () => void,
): Promise<Opened> {
  const recordNames = options.records.map(({ name }) => name);
  await removeTemporaries(folder, options);
  const installation = await openInstallation(folder, recordNames);
  const { installed } = installation;
  const expected = new Set(installation.entities);
  const documents = new Map<string, AnyDocument>();
  const records = new Map<string, AnyRecords>();
  await all(options.documents, async (spec) => {
    documents.set(spec.name, await openDocument(folder, spec, expected.has(spec.name)));
  });
  await all(options.records, async (spec) => {
    records.set(spec.name, await openRecords(folder, spec, expected.has(spec.name)));
  });
  const secret = await openSecret(folder, installed);
  await installation.complete([...documents.keys(), ...recordNames]);
  return { documents, records, installed, secret, release };
}

/** Opens all at once; when one refuses, the others end first, so that nothing runs on without the lock. */
async function all<T>(specs: readonly T[], open: (spec: T) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(specs.map(open));
  const refused = outcomes.find((outcome) => outcome.status === "rejected");
  if (refused) throw refused.reason;
}

/** What a crash left behind; it was never acknowledged. */
async function removeTemporaries(folder: DataFolder, options: StoreOptions): Promise<void> {
  const { directory, disk } = folder;
  const inside = [
    "",
    ...options.records.flatMap(({ name }) => [name, join("migrations", name)]),
    ...options.documents.map(({ name }) => join("history", name)),
    "migrations",
  ];
  for (const place of inside.map((name) => join(directory, name))) {
    for (const name of await listIfThere(disk, place)) {
      if (isTemporary(name)) await ifThere(disk.remove(join(place, name)));
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
  if (error instanceof StorageRefusal || error instanceof InvalidValue) return error;
  return new StorageRefusal(
    `The data folder ${directory} could not be opened (${reasonOf(error)}). Check that it belongs to the user who starts Limelight and that its disk has room, then start again.`,
    { cause: error },
  );
}
