/** The engine that keeps a site's data in a folder, one JSON file for each document or segment. */
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type {
  AnyRecords,
  Collection,
  Entity,
  Singleton,
  StoredItem,
} from "../../../schema/entity.ts";
import { allEntities } from "../../../schema/index.ts";
import { cannotOpen, isRefusal } from "../../shared/errors.ts";
import { acceptEdits } from "./acceptEdits.ts";
import { isLog } from "./dataFolder.ts";
import { ifThere, syncPath, writeDurably } from "../disk/disk.ts";
import { disk } from "../disk/realDisk.ts";
import type { DocumentEntity, Engine, Replacement, ReplacementNote, Stored } from "../engine.ts";
import { examineFolder } from "./examineFolder.ts";
import { documentFrom, newestOf, recordsFrom } from "../archive/contents.ts";
import {
  documentFile,
  entryOf,
  isMarked,
  MARKER,
  type Marker,
  markerFormat,
} from "../archive/entries.ts";
import { decode } from "../envelope.ts";
import { filesIn, folderContents, keptCopies, removeCopies } from "./folderContents.ts";
import { lockFolder, lockHolder } from "../disk/folderLock.ts";
import { isPassing, RESTORING, SECRET } from "./installation.ts";
import { inMoment, passingDisk, removeMoment, takeMoment } from "./moment.ts";
import { openStore } from "./openStore.ts";
import { standstillIn } from "../standstill.ts";
import type { LeftOut, StoredFile } from "../store.ts";

/** The folder need not be there. `entities` are those that may be stored in it. */
export function folderEngine(folder: string, known: readonly Entity[] = allEntities): Engine {
  const directory = resolve(folder);
  const isInstalled = async () => isMarked(await readdir(directory).catch(() => []));
  const read = <R>(entities: readonly Entity[], work: (folder: string) => Promise<R>) =>
    readSettled(directory, entities, work);
  return {
    location: folder,
    open: (options) => openStore({ directory, ...options }),
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
    peekRecords: (entity) => read([entity], (found) => readRecords(found, entity)),
    files: (leftOut) => filesFrom(directory, known, leftOut),
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
async function readSettled<R>(
  directory: string,
  entities: readonly Entity[],
  work: (folder: string) => Promise<R>,
): Promise<R> {
  if (!(await hasLines(directory))) return work(directory);
  return inMoment(directory, async (moment) => {
    await settle(moment, { directory, entities });
    return work(moment);
  });
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
    const options = { directory: moment, entities: there, disk: passingDisk, log: () => {} };
    const store = await openStore(options);
    await store.writeDown().finally(() => store.close());
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    // What is wrong there is wrong in the site: its own paths say where.
    throw cannotOpen(error.message.replaceAll(moment, directory), error);
  }
}

/** What is stored in a folder that a process may write to, be it this one; its changes go on meanwhile. */
async function* filesFrom(
  directory: string,
  entities: readonly Entity[],
  leftOut?: LeftOut,
): AsyncGenerator<StoredFile> {
  const moment = await takeMoment(directory, { leftOut });
  try {
    await settle(moment, { directory, entities });
    yield* filesIn(moment, { leftOut, except: isPassing });
  } finally {
    await removeMoment(moment);
  }
}

/** What the marker in a folder that nobody writes to says; undefined where neither it nor its copy can be read. */
async function readMarker(directory: string): Promise<Marker | undefined> {
  for await (const bytes of copiesOf(join(directory, MARKER)))
    try {
      return decode(markerFormat, bytes, { unsealed: true }).envelope.value;
    } catch {
      // Its copy, then.
    }
  return undefined;
}

/** The value of a document that a start would take; undefined where neither the file nor its copy can be read. */
async function readDocument(directory: string, entity: Singleton | Collection): Promise<unknown> {
  const path = documentFile(entity.name);
  const found = await Array.fromAsync(copiesOf(join(directory, path)), (bytes) =>
    documentFrom({ path, bytes }, entity),
  );
  return found.reduce(newestOf, undefined)?.value;
}

/** The records of all segments. One that can't be read, and whose copy can't, is passed over. */
async function readRecords(directory: string, entity: AnyRecords): Promise<StoredItem[]> {
  const names = await readdir(join(directory, entity.name)).catch((): string[] => []);
  const found: StoredItem[] = [];
  for (const name of names.toSorted()) {
    const path = `${entity.name}/${name}`;
    const entry = entryOf(path);
    if (entry?.kind !== "segment" || entry.copyOf) continue;
    for await (const bytes of copiesOf(join(directory, path))) {
      const records = recordsFrom({ path, bytes }, entity);
      found.push(...(records ?? []));
      if (records) break;
    }
  }
  return found;
}

/** Of a file and its copy, those that are there. */
async function* copiesOf(path: string): AsyncGenerator<Uint8Array> {
  for (const each of [path, `${path}.bak`]) {
    const bytes = await readFile(each).catch(() => undefined);
    if (bytes) yield bytes;
  }
}

/** A note in the folder keeps every start out while its files are replaced. */
function replacementIn(directory: string, known: readonly Entity[]): Replacement {
  const note = join(directory, RESTORING);
  const contents = folderContents(directory, [RESTORING]);
  return {
    ...contents,
    staging: directory,
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
