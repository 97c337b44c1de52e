/** Opens a data folder: locks it, removes leftovers, checks the marker, and reads all files and journals. */
import { join, resolve } from "node:path";
import type { Entity, StoredItem } from "../../../schema/entities/entity.ts";
import { type DataKey, createDataKey } from "../../shared/secrets.ts";
import { cannotOpen, isRefusal, type Refusal } from "../../shared/errors.ts";
import { forEachConcurrently } from "../../shared/concurrency.ts";
import { Committer } from "./committer.ts";
import { DataFolder, type FolderOptions, getErrorReason } from "./dataFolder.ts";
import { ensureFolder, ignoreMissing, isTemporary, listOrEmpty } from "../disk/disk.ts";
import type { EngineOptions } from "../engine.ts";
import { createDocumentSpec, createRecordsSpec } from "../entitySpecs.ts";
import { lockFolder } from "../disk/folderLock.ts";
import { FolderStore, type Handle, type OpenedFolder } from "./folderStore.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { beginJournal, removeJournals } from "./journal.ts";
import { removeStaleSnapshots } from "./folderSnapshot.ts";
import {
  type ParsedJournals,
  readJournalBytes,
  parseJournals,
  resumeJournals,
} from "./readJournals.ts";
import { disk as realDisk } from "../disk/realDisk.ts";
import {
  readSecret,
  SECRET_FILE,
  writeSecret,
  type SiteSecret,
  createSiteSecret,
} from "../siteSecret.ts";
import { StoredDocument } from "./storedDocument.ts";
import { StoredList } from "./storedList.ts";
import { Checkpointer } from "./checkpointer.ts";

export interface StoreOptions
  extends EngineOptions, Partial<Pick<FolderOptions, "disk" | "onFatal" | "onDamage">> {
  /** If the folder is missing, it is created with mode 0700. */
  readonly directory: string;
  /** Called with each further reason if several entities can't be opened. The first reason is thrown. */
  readonly onRefusal?: (error: unknown) => void;
}

/** Opens a data folder. On failure, unlocks it and throws `cannot_open`, whose message explains what to do. */
export async function openStore(options: StoreOptions): Promise<FolderStore> {
  const folder = new DataFolder({
    directory: resolve(options.directory),
    disk: options.disk ?? realDisk,
    log: options.log ?? ((line) => console.error(line)),
    onFatal: options.onFatal ?? (() => process.exit(1)),
    onDamage: options.onDamage,
  });
  let releaseLock: (() => void) | undefined;
  try {
    await ensureFolder(folder.disk, folder.directory);
    await folder.disk.makeFolder(folder.directory);
    releaseLock = lockFolder(folder.directory);
    await removeStaleSnapshots(folder.directory);
    const openedFolder = await openContents(folder, options);
    return new FolderStore(folder, openedFolder, releaseLock);
  } catch (error) {
    releaseLock?.();
    throw toOpenRefusal(folder.directory, error);
  }
}

async function openContents(folder: DataFolder, options: StoreOptions): Promise<OpenedFolder> {
  const { entities } = options;
  await removeUnfinishedWrites(folder, entities);
  const recordNames = entities.filter(({ shape }) => shape === "records").map(({ name }) => name);
  const installation = await openInstallation(folder, recordNames);
  const parsed = await readExistingJournals(folder, installation);
  const expectedNames = new Set(installation.entityNames);
  const handles = new Map<Entity, Handle>();
  const committer: Committer = new Committer(folder, () => checkpointer.schedule());
  const checkpointer = new Checkpointer(folder, committer, handles);
  const open = async (entity: Entity) => {
    const wasStored = expectedNames.has(entity.name);
    const handle =
      entity.shape === "records"
        ? StoredList.open<StoredItem, unknown>(
            folder,
            createRecordsSpec(entity),
            wasStored,
            committer,
          )
        : StoredDocument.open<unknown>(folder, createDocumentSpec(entity), wasStored, committer);
    handles.set(entity, await handle);
  };
  await runInParallel(entities, open, options.onRefusal);
  const hasUnwrittenChanges = [...handles.values()].some(({ isWritten }) => !isWritten);
  replayChanges(handles, parsed);
  await folder.reserve.allocate();
  const { isInstalled } = installation;
  const secret = await openSecret(folder, isInstalled, options.dataKey ?? createDataKey());
  const seqs = [...handles.values()].map((handle) => ("seq" in handle ? handle.seq : 0));
  const journal =
    parsed.journals.length > 0
      ? await resumeJournals(folder, installation.id, parsed)
      : await beginJournal(folder, installation.id, Math.max(0, ...seqs));
  try {
    committer.begin(journal);
    const names = entities.map(({ name }) => name);
    await installation.saveRequirements(names, journal.oldestNumber);
    if (hasUnwrittenChanges) await checkpointer.runNow();
    if (parsed.changes.length > 0) checkpointer.schedule();
  } catch (error) {
    await checkpointer.close();
    await journal.close();
    throw error;
  }
  return { handles, installation, secret, journal, committer, checkpointer };
}

/** Reads the journals. If the marker requires no journal, existing journals are leftovers and are removed. */
async function readExistingJournals(
  folder: DataFolder,
  { id, isInstalled, journalNumber }: Installation,
): Promise<ParsedJournals> {
  const { disk, directory } = folder;
  const files = await readJournalBytes(disk, directory);
  if (isInstalled && journalNumber !== null)
    return parseJournals(files, directory, { journalNumber, siteId: id });
  await removeJournals(folder, [...files.keys()]);
  return { changes: [], journals: [], seq: 0 };
}

function replayChanges(handles: ReadonlyMap<Entity, Handle>, { changes }: ParsedJournals): void {
  const byName = new Map([...handles].map(([{ name }, handle]) => [name, handle]));
  for (const { seq, writes } of changes)
    for (const write of writes) {
      const handle = byName.get(write.entity);
      if ("segment" in write && handle instanceof StoredList) handle.replay(write, seq);
      if ("revision" in write && handle instanceof StoredDocument) handle.replay(write);
    }
}

/** Runs `work` on all items. Waits for all even if one fails, since the caller then releases the lock. */
async function runInParallel<T>(
  items: readonly T[],
  work: (each: T) => Promise<void>,
  onRefusal: StoreOptions["onRefusal"],
): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work));
  const failures = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of failures.slice(1)) onRefusal?.(reason);
  if (failures[0]) throw failures[0].reason;
}

/** Removes temporary files left by a crash. Their writes were never acknowledged. */
async function removeUnfinishedWrites(
  { directory, disk }: DataFolder,
  entities: readonly Entity[],
): Promise<void> {
  const folders = entities.flatMap(({ name, shape }) =>
    shape === "records" ? [name, join("migrations", name)] : [join("history", name)],
  );
  await forEachConcurrently(["", ...folders, "migrations"], async (name) => {
    const path = join(directory, name);
    const temporaryNames = (await listOrEmpty(disk, path)).filter(isTemporary);
    for (const file of temporaryNames) await ignoreMissing(disk.remove(join(path, file)));
  });
}

export function toOpenRefusal(directory: string, error: unknown): Refusal {
  if (isRefusal(error, "cannot_open") || isRefusal(error, "invalid_value")) return error;
  return cannotOpen(
    `The data folder ${directory} couldn't be opened (${getErrorReason(error)}). Check that it belongs to the user who runs Limelight and that its disk has free space, then start again.`,
    error,
  );
}

/** Reads or creates the secret. On an installed site, the creation is logged, because everyone has to log in again. */
async function openSecret(
  folder: DataFolder,
  isInstalled: boolean,
  dataKey: DataKey,
): Promise<SiteSecret> {
  const path = join(folder.directory, SECRET_FILE);
  const { bytes, isRecovered, isComplete } = await readSecret(folder.disk, folder.directory);
  const secret = createSiteSecret(bytes, dataKey, folder.directory);
  const bytesToStore = secret.bytesToStore ?? (isComplete ? undefined : bytes);
  if (isRecovered) {
    folder.onDamage?.(path, new Error("differs from its copy"));
    folder.log(`storage: RECOVERED ${path} from its copy; nothing is lost`);
  }
  if (secret.isNew && isInstalled)
    folder.log(
      `storage: ${path} was missing or damaged; a new secret was created, so everyone has to log in again`,
    );
  if (bytesToStore)
    await folder.write("secret", () => writeSecret(folder.disk, folder.directory, bytesToStore));
  return secret;
}
