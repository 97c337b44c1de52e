/** The marker of an installed site. The files it names must exist at every later start. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cannotOpenLost } from "../../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { hasMarker, MARKER, type Marker, markerFormat } from "../archive/entries.ts";
import { listOrEmpty } from "../disk/disk.ts";
import { journalNumber } from "./journal.ts";
import { type FileLocation, JsonFile } from "./jsonFile.ts";
import { missingFileRefusal, openFile } from "./recovery.ts";
import { SECRET, SECRET_COPY } from "./secretFile.ts";

export interface Installation {
  installed: boolean;
  /** Of the site. */
  id: string;
  /** The documents and records that must exist. */
  entities: readonly string[];
  readonly journal: number | null;
  /** Requires these entities and this journal from now on. Throws `cannot_store`. */
  requireAtStart(entities: readonly string[], journal: number | null): Promise<void>;
}

/** `folders`: the records' names. Throws `cannot_open` for data without a marker, or an unfinished restore. */
export async function openInstallation(
  folder: DataFolder,
  folders: string[],
): Promise<Installation> {
  const names = await listOrEmpty(folder.disk, folder.directory);
  if (names.includes(RESTORING)) throw interruptedRestore(folder.directory);
  if (hasMarker(names)) return readInstallation(folder);
  assertEmpty(folder, names, folders);
  const installation = installationOf(folder, createMarker(), 0);
  // Written first, so that an interrupted first start can continue.
  await installation.requireAtStart([], null);
  return installation;
}

async function readInstallation(folder: DataFolder): Promise<Installation> {
  const file = await openFile(locationIn(folder), { expected: true });
  if (!file) throw missingFileRefusal(join(folder.directory, MARKER));
  const { value, revision } = file.envelope;
  return installationOf(folder, value, revision);
}

function installationOf(folder: DataFolder, stored: Marker, storedRevision: number): Installation {
  let [marker, revision] = [stored, storedRevision];
  const write = async (next: Marker) => {
    if (revision > 0 && Bun.deepEquals(next, marker)) return;
    const savedAt = new Date().toISOString();
    await JsonFile.write(locationIn(folder), { revision: revision + 1, savedAt, value: next });
    [marker, revision] = [next, revision + 1];
  };
  return {
    // An interrupted first start is still the first.
    installed: stored.entities.length > 0,
    id: stored.id,
    entities: stored.entities,
    journal: stored.journal,
    requireAtStart: (names, journal) =>
      write({ ...marker, entities: [...new Set([...marker.entities, ...names])], journal }),
  };
}

const locationIn = (folder: DataFolder): FileLocation<Marker> => ({
  folder,
  path: join(folder.directory, MARKER),
  format: markerFormat,
});

const createMarker = (): Marker => ({
  id: randomUUID(),
  createdAt: new Date().toISOString(),
  entities: [],
  journal: null,
});

const interruptedRestore = (directory: string) =>
  cannotOpenLost(
    `A restore of ${directory} was interrupted. Run "limelight restore" with the archive again. The previous data is in its folder .before-restore-…. Nothing was changed.`,
  );

function assertEmpty(folder: DataFolder, names: string[], folders: string[]): void {
  const ours = new Set([...folders, "history", "migrations"]);
  const unexpected = names
    .toSorted()
    .find((name) => ours.has(name) || /\.json(?:(?:\.bak)?$|\.bad-)/.test(name));
  if (!unexpected) return;
  throw cannotOpenLost(
    `The data folder ${folder.directory} contains data (${unexpected}) but no installation.json. Put installation.json back, restore a backup with "limelight restore", or choose an empty folder with DATA_DIR. Nothing was changed.`,
  );
}

/** Exists during a restore, when no store opens. */
export const RESTORING = "restore.started";

/** Names in a data folder that don't belong in an archive. */
export const isTransient = (name: string) =>
  [SECRET, SECRET_COPY, RESTORING].includes(name) || journalNumber(name) !== undefined;
