/** The engine that keeps a site's data in a folder, one JSON file for each document or segment. */
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { Entity } from "../../../schema/entity.ts";
import { allEntities } from "../../../schema/index.ts";
import { cannotOpen, isRefusal } from "../../shared/errors.ts";
import { acceptEdits } from "./acceptEdits.ts";
import { isLog } from "./dataFolder.ts";
import { ifThere, syncPath, writeDurably } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import type {
  DocumentEntity,
  Engine,
  FoundDocument,
  Replacement,
  ReplacementNote,
  Stored,
} from "../engine.ts";
import { countRecords, examineFolder } from "./examineFolder.ts";
import { documentFrom, recordsFrom } from "../archive/contents.ts";
import { isMarked } from "../archive/entries.ts";
import { readDocument, readRecords } from "./readFolder.ts";
import { filesIn, folderContents, keptCopies, removeCopies } from "./folderContents.ts";
import { lockFolder, lockHolder } from "../disk/folderLock.ts";
import { isPassing, readMarker, RESTORING, SECRET } from "./installation.ts";
import { takeMoment, takeMomentAnywhere } from "./moment.ts";
import { openStore } from "./openStore.ts";
import { standstillIn } from "../standstill.ts";
import type { FolderStore } from "./folderStore.ts";
import type { LeftOut, StoredFile } from "../store.ts";

/** The folder need not be there. `entities` are those that may be stored in it. */
export function folderEngine(folder: string, known: readonly Entity[] = allEntities): Engine {
  const directory = resolve(folder);
  /** What has been opened here, and wasn't closed. */
  let opened: FolderStore | undefined;
  const isInstalled = async () => isMarked(await readdir(directory).catch(() => []));
  const read = <R>(entities: readonly Entity[], work: (folder: string) => Promise<R>) =>
    inMoment(directory, entities, work);
  return {
    location: folder,
    async open(options) {
      opened = await openStore({ directory, ...options });
      return opened;
    },
    async lock() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return lockFolder(directory);
    },
    openedBy: () => lockHolder(directory),
    isInstalled,
    isEmpty: async () =>
      (await readdir(directory).catch(() => [])).every((name) => name.startsWith(".")),
    siteId: async () => (await readMarker(directory))?.id,
    examine: (entities) => examineFolder(folder, entities),
    accept: (entities) => acceptEdits(directory, entities),
    async peek<E extends DocumentEntity>(entity: E) {
      // Of this entity's schema, or it could not be read.
      return (await read([entity], (found) => readDocument(found, entity))) as
        Stored<E> | undefined;
    },
    count: (entity) =>
      read([entity], (found) => countRecords(found, entity)).catch(() => undefined),
    peekRecords: (entity) => read([entity], (found) => readRecords(found, entity)),
    files: (leftOut) =>
      opened && !opened.isClosed ? opened.files(leftOut) : filesFrom(directory, known, leftOut),
    documentIn: <E extends DocumentEntity>(file: StoredFile, entity: E) =>
      documentFrom(file, entity) as FoundDocument<Stored<E>> | undefined,
    recordsIn: recordsFrom,
    copies: () => keptCopies(directory),
    removeCopies: (copies) => removeCopies(directory, copies),
    secret: () => ifThere(readFile(join(directory, SECRET))),
    standstill: standstillIn(directory),
    replacement: replacementIn(directory, known),
  };
}

/**
 * Has `work` read a folder that another process may write to, as it is at one moment: all that is stored of some entities is in
 * its files. Throws `cannot_open`.
 */
async function inMoment<R>(
  directory: string,
  entities: readonly Entity[],
  work: (folder: string) => Promise<R>,
): Promise<R> {
  if (!(await hasLines(directory))) return work(directory);
  const moment = await takeMomentAnywhere(directory);
  try {
    await settle(moment, { directory, entities });
    return await work(moment);
  } finally {
    await rm(moment, { recursive: true, force: true });
  }
}

/** Somebody is at work, or was killed: not all of it is in the files. */
async function hasLines(directory: string): Promise<boolean> {
  const names = (await ifThere(readdir(directory, { recursive: true }))) ?? [];
  return names.some((name) => isLog(basename(name)));
}

/** Has the files of a moment hold all that is stored of some entities. Throws `cannot_open`. */
async function settle(
  moment: string,
  { directory, entities }: { readonly directory: string; readonly entities: readonly Entity[] },
): Promise<void> {
  if (!(await hasLines(moment))) return;
  const stored = new Set((await readMarker(moment))?.entities);
  const there = entities.filter(({ name }) => stored.has(name));
  try {
    await (await openStore({ directory: moment, entities: there, log: () => {} })).close();
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    // What is wrong there is wrong in the site: its own paths say where.
    throw cannotOpen(error.message.replaceAll(moment, directory), error);
  }
}

/** What is stored in a folder that another process may write to. */
async function* filesFrom(
  directory: string,
  entities: readonly Entity[],
  leftOut?: LeftOut,
): AsyncGenerator<StoredFile> {
  const moment = await takeMoment(directory, leftOut);
  try {
    await settle(moment, { directory, entities });
    yield* filesIn(moment, { leftOut, except: isPassing });
  } finally {
    await rm(moment, { recursive: true, force: true });
  }
}

/** A note in the folder keeps every start out while its files are replaced. */
function replacementIn(directory: string, known: readonly Entity[]): Replacement {
  const note = join(directory, RESTORING);
  const contents = folderContents(directory, [RESTORING]);
  return {
    ...contents,
    staging: directory,
    at: (folder) => folderEngine(folder),
    aside: ({ before, keeps }) =>
      folderEngine(
        join(directory, before),
        keeps && known.filter(({ name }) => keeps.includes(name)),
      ),
    async underWay() {
      const text = await readFile(note, "utf8").catch(() => undefined);
      if (text === undefined) return undefined;
      return JSON.parse(text) as ReplacementNote;
    },
    begin: (state) => writeDurably(disk, note, Buffer.from(JSON.stringify(state))),
    putSecret: (secret) => writeDurably(disk, join(directory, SECRET), secret),
    async end() {
      await rm(note, { force: true });
      await syncPath(disk, directory);
    },
  };
}
