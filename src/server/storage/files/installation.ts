/** The marker file of an installed site. The marker names the entities whose files every later start requires. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cannotOpenDamaged } from "../../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { hasMarker, MARKER_FILE, type SiteMarker, markerFormat } from "../archiveEntries.ts";
import { listOrEmpty } from "../disk/disk.ts";
import { parseJournalNumber } from "./journal.ts";
import { type FileLocation, writeJsonFile } from "./jsonFile.ts";
import { createMissingFileRefusal, openFile } from "./recovery.ts";
import { SECRET_FILE, SECRET_COPY_FILE } from "../siteSecret.ts";

export interface Installation {
  readonly isInstalled: boolean;
  readonly id: string;
  /** The names of the entities whose files must exist. */
  readonly entityNames: readonly string[];
  /** The number of the oldest required journal; null if the files have all changes, so no journal is required. */
  readonly journalNumber: number | null;
  /** Stores which entities' files and which journal later starts require. Throws `cannot_store`. */
  saveRequirements(entityNames: readonly string[], journalNumber: number | null): Promise<void>;
}

/** Reads or creates the marker. Throws `cannot_open` during a restore, and for data without a marker. */
export async function openInstallation(
  folder: DataFolder,
  listNames: string[],
): Promise<Installation> {
  const names = await listOrEmpty(folder.disk, folder.directory);
  if (names.includes(RESTORE_NOTE_FILE)) throw createInterruptedRestoreRefusal(folder.directory);
  if (hasMarker(names)) return readInstallation(folder);
  assertEmpty(folder, names, listNames);
  const installation = createInstallation(folder, createMarker(), 0);
  // The marker is written before all other files. If the first start is interrupted, the next start can continue it.
  await installation.saveRequirements([], null);
  return installation;
}

async function readInstallation(folder: DataFolder): Promise<Installation> {
  const file = await openFile(getMarkerLocation(folder), { wasStored: true });
  if (!file) throw createMissingFileRefusal(join(folder.directory, MARKER_FILE));
  const { value, revision } = file.envelope;
  return createInstallation(folder, value, revision);
}

function createInstallation(
  folder: DataFolder,
  storedMarker: SiteMarker,
  storedRevision: number,
): Installation {
  let [marker, revision] = [storedMarker, storedRevision];
  return {
    // A marker without entities means that the first start was interrupted, so the site isn't installed yet.
    isInstalled: storedMarker.entities.length > 0,
    id: storedMarker.id,
    entityNames: storedMarker.entities,
    journalNumber: storedMarker.journal,
    async saveRequirements(names, journalNumber) {
      const entities = [...new Set([...marker.entities, ...names])];
      const value = { ...marker, entities, journal: journalNumber };
      if (revision > 0 && Bun.deepEquals(value, marker)) return;
      const savedAt = new Date().toISOString();
      await writeJsonFile(getMarkerLocation(folder), { revision: revision + 1, savedAt, value });
      [marker, revision] = [value, revision + 1];
    },
  };
}

const getMarkerLocation = (folder: DataFolder): FileLocation<SiteMarker> => ({
  folder,
  path: join(folder.directory, MARKER_FILE),
  format: markerFormat,
});

const createMarker = (): SiteMarker => ({
  id: randomUUID(),
  createdAt: new Date().toISOString(),
  entities: [],
  journal: null,
});

const createInterruptedRestoreRefusal = (directory: string) =>
  cannotOpenDamaged(
    `A restore of ${directory} was interrupted. Run "limelight restore" with the same archive again. The data from before the restore is in its subfolder .before-restore-….`,
  );

function assertEmpty(folder: DataFolder, names: string[], listNames: string[]): void {
  const siteNames = new Set([...listNames, "history", "migrations"]);
  const unexpected = names
    .toSorted()
    .find((name) => siteNames.has(name) || /\.json(?:(?:\.bak)?$|\.bad-)/.test(name));
  if (!unexpected) return;
  throw cannotOpenDamaged(
    `The data folder ${folder.directory} contains data (${unexpected}) but no installation.json. Put installation.json back, restore a backup with "limelight restore", or choose an empty folder with DATA_DIR. Nothing was changed.`,
  );
}

/** The file with the note of an unfinished restore. While the file exists, no store can be opened. */
export const RESTORE_NOTE_FILE = "restore.started";

export const isNeverArchived = (name: string) =>
  [SECRET_FILE, SECRET_COPY_FILE, RESTORE_NOTE_FILE].includes(name) ||
  parseJournalNumber(name) !== undefined;
