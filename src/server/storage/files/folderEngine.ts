/** The engine for a data folder: a JSON file for each document or segment, and a journal of later changes. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type {
  AnyRecords,
  Collection,
  Entity,
  ItemOf,
  Singleton,
} from "../../../schema/entities/entity.ts";
import { allEntities } from "../../../schema/index.ts";
import { isPermissionError } from "../../shared/errorDetails.ts";
import { isRefusal, type Refusal, withFolderPath } from "../../shared/errors.ts";
import { acceptManualEdits } from "./acceptManualEdits.ts";
import { disk } from "../disk/realDisk.ts";
import {
  type DocumentEntity,
  type Engine,
  type Finding,
  createProblem,
  INTERRUPTED_RESTORE_FINDING,
  createLossFinding,
  createStartRefusalFinding,
  type StoredValue,
} from "../engine.ts";
import {
  parseArchivedDocument,
  chooseNewerDocument,
  parseArchivedRecords,
  createDocumentFileName,
  parseEntryPath,
  hasMarker,
  MARKER_FILE,
  type SiteMarker,
  markerFormat,
} from "../archiveEntries.ts";
import { decodeEnvelope, EditedFileError } from "../envelope.ts";
import {
  checkPermissions,
  readFolderFiles,
  findLeftoverCopies,
  removeCopies,
  createFolderReplacement,
} from "./folderContents.ts";
import { lockFolder, findLockHolders } from "../disk/folderLock.ts";
import { isNeverArchived, RESTORE_NOTE_FILE } from "./installation.ts";
import { parseJournalNumber } from "./journal.ts";
import {
  withSnapshot,
  unsyncedDisk,
  removeSnapshot,
  takeSnapshot,
  isUnwritable,
} from "./folderSnapshot.ts";
import { toOpenRefusal, openStore } from "./openStore.ts";
import { readSecret } from "../siteSecret.ts";
import type { ReportExcluded, StoredFile } from "../store.ts";

/** Creates the engine for a folder, which may be missing. `storableEntities`: the entities that it may contain. */
export function createFolderEngine(
  folder: string,
  storableEntities: readonly Entity[] = allEntities,
): Engine {
  const directory = resolve(folder);
  const isInstalled = async () => hasMarker(await readdir(directory).catch(() => []));
  const readEntity = <R>(entity: Entity, work: (folder: string) => Promise<R>) =>
    readCompletedSnapshot(directory, entity, work);
  return {
    location: folder,
    open: (options) => openStore({ directory, ...options }),
    async lock() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return lockFolder(directory);
    },
    findLockHolders: () => findLockHolders(directory),
    isInstalled,
    isEmpty: async () =>
      (await readdir(directory).catch(() => [])).every((name) => name.startsWith(".")),
    readSiteId: async () => (await readMarker(directory))?.id,
    examine: (entities) => examineFolder(folder, entities),
    acceptManualEdits: (entities) => acceptManualEdits(directory, entities),
    async readDocument<E extends DocumentEntity>(entity: E) {
      // The cast is safe, since the value was checked against the entity's schema.
      return (await readEntity(entity, (sourceFolder) => readDocument(sourceFolder, entity))) as
        StoredValue<E> | undefined;
    },
    readRecords: (entity) =>
      readEntity(entity, (sourceFolder) => readRecords(sourceFolder, entity)),
    readFiles: (reportExcluded) => readArchiveFiles(directory, storableEntities, reportExcluded),
    findLeftoverCopies: () => findLeftoverCopies(directory),
    removeCopies: (copies) => removeCopies(directory, copies),
    readSecret: async () => (await readSecret(disk, directory)).bytes,
    replacement: createFolderReplacement(directory, ({ before, keeps }) =>
      createFolderEngine(
        join(directory, before),
        storableEntities.filter(({ name }) => keeps.includes(name)),
      ),
    ),
  };
}

/** Calls `work` with the data folder or, if it has journals, a snapshot whose files have all changes of the entity. */
async function readCompletedSnapshot<R>(
  directory: string,
  entity: Entity,
  work: (folder: string) => Promise<R>,
): Promise<R> {
  if (!(await hasJournals(directory))) return work(directory);
  return withSnapshot(directory, async (snapshot) => {
    await completeSnapshot(snapshot, directory, [entity]);
    return work(snapshot);
  });
}

/** Whether the files may lack changes. Journals exist while a store is open and after a kill. */
async function hasJournals(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => []);
  return names.some((name) => parseJournalNumber(name) !== undefined);
}

/** Writes the journal's changes of some entities into a snapshot's files. Throws `cannot_open`. */
async function completeSnapshot(
  snapshot: string,
  directory: string,
  entities: readonly Entity[],
): Promise<void> {
  if (!(await hasJournals(snapshot))) return;
  const storedNames = new Set((await readMarker(snapshot))?.entities);
  const storedEntities = entities.filter(({ name }) => storedNames.has(name));
  try {
    const options = {
      directory: snapshot,
      entities: storedEntities,
      disk: unsyncedDisk,
      log: () => {},
    };
    const store = await openStore(options);
    await store.purgeOldVersions().finally(() => store.close());
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    throw withFolderPath(error, snapshot, directory);
  }
}

/** Reads a folder's files for an archive, even while this or another process writes to the folder. */
async function* readArchiveFiles(
  directory: string,
  entities: readonly Entity[],
  reportExcluded?: ReportExcluded,
): AsyncGenerator<StoredFile> {
  const snapshot = await takeSnapshot(directory, { reportExcluded });
  try {
    await completeSnapshot(snapshot, directory, entities);
    yield* readFolderFiles(snapshot, { reportExcluded, isExcluded: isNeverArchived });
  } finally {
    await removeSnapshot(snapshot);
  }
}

/** Reads the marker of a folder; undefined if neither the file nor its copy is readable. */
async function readMarker(directory: string): Promise<SiteMarker | undefined> {
  for await (const bytes of readCopies(join(directory, MARKER_FILE)))
    try {
      return decodeEnvelope(markerFormat, bytes).envelope.value;
    } catch {
      // The loop reads the copy next.
    }
  return undefined;
}

/** Reads the value of a document that a start would use; undefined if neither the file nor its copy is readable. */
async function readDocument(directory: string, entity: Singleton | Collection): Promise<unknown> {
  const path = createDocumentFileName(entity.name);
  const candidates = await Array.fromAsync(readCopies(join(directory, path)), (bytes) =>
    parseArchivedDocument({ path, bytes }, entity),
  );
  return candidates.reduce(chooseNewerDocument, undefined)?.value;
}

/** Reads the records of all segments. Segments without a readable file or copy are skipped. */
async function readRecords<E extends AnyRecords>(
  directory: string,
  entity: E,
): Promise<ItemOf<E>[]> {
  const names = await readdir(join(directory, entity.name)).catch((): string[] => []);
  const allRecords: ItemOf<E>[] = [];
  for (const name of names.toSorted()) {
    const path = `${entity.name}/${name}`;
    const entry = parseEntryPath(path);
    if (entry?.kind !== "segment" || entry.copyOf) continue;
    for await (const bytes of readCopies(join(directory, path))) {
      const records = parseArchivedRecords({ path, bytes }, entity);
      allRecords.push(...(records ?? []));
      if (records) break;
    }
  }
  return allRecords;
}

/** Yields the bytes of a file and then of its copy. A missing or unreadable file is skipped. */
async function* readCopies(path: string): AsyncGenerator<Uint8Array> {
  for (const candidatePath of [path, `${path}.bak`]) {
    const bytes = await readFile(candidatePath).catch(() => undefined);
    if (bytes) yield bytes;
  }
}

async function examineFolder(directory: string, entities: readonly Entity[]): Promise<Finding[]> {
  const names: string[] = await readdir(directory).catch(() => []);
  if (names.includes(RESTORE_NOTE_FILE)) return [INTERRUPTED_RESTORE_FINDING];
  const startFindings = names.length > 0 ? await tryStart(directory, entities) : [];
  if (hasMarker(names)) return [await checkPermissions(directory), ...startFindings];
  const refusals = startFindings.filter(({ blocksStart }) => blocksStart);
  if (refusals.length > 0) return refusals;
  return [
    createLossFinding(
      `There is no site in ${directory}: its installation.json is missing. Restore a backup, or start Limelight with an empty folder to create a site.`,
    ),
  ];
}

/**
 * Opens a snapshot of the folder as a start would. Returns the damage that a start would repair, and the entities with
 * their numbers of records. If a start would be refused, returns the reasons instead of the entities.
 */
function tryStart(directory: string, entities: readonly Entity[]): Promise<Finding[]> {
  const findings = withSnapshot(directory, async (snapshot) => {
    const damageFindings = new Map<string, Finding>();
    const onDamage = (path: string, damage: unknown) => {
      const file = path.slice(snapshot.length + 1);
      damageFindings.set(file, {
        ...createProblem(describeDamage(file, damage)),
        ...(!file.endsWith(".bak") && { isDataLoss: true }),
        ...(isPermissionError(damage) && { isPermissionDenied: true }),
      });
    };
    const toRefusal = (error: unknown) =>
      withFolderPath(toOpenRefusal(directory, error), snapshot, directory);
    const refusals: Refusal[] = [];
    const onRefusal = (error: unknown) => refusals.push(toRefusal(error));
    try {
      const options = { directory: snapshot, entities, disk: unsyncedDisk, log: () => {} };
      const store = await openStore({ ...options, onDamage, onRefusal });
      const entityFindings = entities.map(async (entity): Promise<Finding> => ({
        ok: true,
        message:
          entity.shape === "records"
            ? `${entity.name}: ${await store.of(entity).count()} records`
            : entity.name,
      }));
      const goodFindings = await Promise.all(entityFindings).finally(() => store.close());
      return [...damageFindings.values(), ...goodFindings];
    } catch (error) {
      if (!isRefusal(error, "cannot_open") || isUnwritable(error)) throw error;
      const allRefusals = [toRefusal(error), ...refusals];
      const refusedPaths = new Set(allRefusals.map(({ details }) => details.path));
      const otherFindings = [...damageFindings].filter(
        ([file]) => !refusedPaths.has(join(directory, file.replace(/\.bak$/, ""))),
      );
      return [
        ...allRefusals.map((each) => createStartRefusalFinding(each)),
        ...otherFindings.map(([, finding]) => finding),
      ];
    }
  });
  return findings.catch((error: unknown) => [
    createStartRefusalFinding(toOpenRefusal(directory, error)),
  ]);
}

function describeDamage(file: string, damage: unknown): string {
  if (file.endsWith(".bak")) {
    const mainFile = file.slice(0, -".bak".length);
    return `${mainFile}.bak is missing or can't be read, so ${mainFile} has no second copy. Stop the site and copy ${mainFile} to ${mainFile}.bak.`;
  }
  const copyHint = `The next start uses its copy ${file}.bak. If that fails too, restore a backup.`;
  if (damage instanceof EditedFileError)
    return `${file} ${damage.message}: it is damaged, or was edited by hand. ${copyHint} To accept the edit, stop the site and run "limelight doctor --accept".`;
  return isRefusal(damage, "invalid_value")
    ? `${file} contains invalid values. ${copyHint}`
    : `${file} is missing or can't be read. ${copyHint}`;
}
