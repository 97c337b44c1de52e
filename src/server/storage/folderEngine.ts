/** The engine that keeps a site's data in a folder, one JSON file for each document or segment. */
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { acceptEdits } from "./acceptEdits.ts";
import { ifThere, syncPath, writeDurably } from "./disk.ts";
import { disk } from "./realDisk.ts";
import type {
  DocumentEntity,
  Engine,
  FoundDocument,
  Replacement,
  ReplacementNote,
  Stored,
} from "./engine.ts";
import { countRecords, examineFolder } from "./examineFolder.ts";
import { documentFrom, readDocument, readRecords, readSiteId, recordsFrom } from "./readFolder.ts";
import { documentFile, RESTORING } from "./documentFiles.ts";
import { copyOver, folderContents } from "./folderContents.ts";
import { lockFolder, lockHolder } from "./folderLock.ts";
import { dataFiles, isMarked, SECRET } from "./installation.ts";
import { keptCopies, removeCopies } from "./keptCopies.ts";
import { logsOf } from "./lineLog.ts";
import { openStore } from "./openStore.ts";
import { standstillIn } from "./standstill.ts";
import type { StoredFile } from "./store.ts";

/** The folder need not be there. */
export function folderEngine(folder: string): Engine {
  const directory = resolve(folder);
  return {
    place: folder,
    open: (options) => openStore({ directory, ...options }),
    async lock() {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return lockFolder(directory);
    },
    openedBy: () => lockHolder(directory),
    isInstalled: async () => isMarked(await readdir(directory).catch(() => [])),
    isEmpty: async () =>
      (await readdir(directory).catch(() => [])).every((name) => name.startsWith(".")),
    siteId: () => readSiteId(directory).catch(() => undefined),
    examine: (entities) => examineFolder(folder, entities),
    accept: (entities) => acceptEdits(directory, entities),
    async peek<E extends DocumentEntity>(entity: E) {
      // Of this entity's schema, or it could not be read.
      return (await readDocument(directory, entity)) as Stored<E> | undefined;
    },
    count: (entity) => countRecords(directory, entity).catch(() => undefined),
    peekRecords: (entity) => readRecords(directory, entity),
    files: (leftOut) => dataFiles(directory, leftOut),
    documentIn: <E extends DocumentEntity>(file: StoredFile, entity: E) =>
      documentFrom(file, entity) as FoundDocument<Stored<E>> | undefined,
    recordsIn: recordsFrom,
    copies: () => keptCopies(directory),
    removeCopies: (copies) => removeCopies(directory, copies),
    secret: () => ifThere(readFile(join(directory, SECRET))),
    standstill: standstillIn(directory),
    replacement: replacementIn(directory),
  };
}

/** A note in the folder keeps every start out while its files are replaced. */
function replacementIn(directory: string): Replacement {
  const note = join(directory, RESTORING);
  const contents = folderContents(directory, [RESTORING]);
  return {
    ...contents,
    staging: directory,
    at: (folder) => folderEngine(folder),
    aside: ({ before }) => folderEngine(join(directory, before)),
    async putIn(from, noted) {
      // An older archive may hold it: everyone logs in again instead.
      await rm(join(from, SECRET), { force: true });
      await contents.putIn(from, noted);
    },
    async underWay() {
      const text = await readFile(note, "utf8").catch(() => undefined);
      if (text === undefined) return undefined;
      const { before, emptied, staging, knowsErased } = JSON.parse(text) as ReplacementNote;
      return { before, emptied, staging, knowsErased };
    },
    begin: (state) => writeDurably(disk, note, Buffer.from(JSON.stringify(state))),
    async keep({ before }, entities) {
      const aside = join(directory, before);
      const there = await readdir(aside);
      for (const { name } of entities) {
        const file = documentFile(name);
        for (const each of [name, file, `${file}.bak`, ...logsOf(file)])
          if (there.includes(each)) await copyOver(join(aside, each), join(directory, each));
      }
      await syncPath(disk, directory);
    },
    async keepSecret({ before }) {
      const aside = join(directory, before);
      if (!(await readdir(aside)).includes(SECRET)) return;
      await copyOver(join(aside, SECRET), join(directory, SECRET));
      await syncPath(disk, directory);
    },
    putSecret: (secret) => writeDurably(disk, join(directory, SECRET), secret),
    async end() {
      await rm(note, { force: true });
      await syncPath(disk, directory);
    },
  };
}
