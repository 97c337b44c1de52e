/** The marker of an installed site. What it names must exist at every later start. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { cannotOpen } from "../../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { closedMarker, isMarked, MARKER, type Marker, markerFormat } from "../archive/entries.ts";
import { ifThere, listIfThere } from "../disk/disk.ts";
import type { Format } from "../storedValue.ts";
import { journalOf } from "./journal.ts";
import { type FileLocation, JsonFile } from "./jsonFile.ts";
import { missing, openFile } from "./recovery.ts";
import { SECRET, SECRET_COPY } from "./secretFile.ts";

/** Earlier releases don't know journals: they open a site that needs none, and refuse one that does. */
const formatOf = ({ journal }: Marker): Format<Marker> =>
  journal === null ? closedMarker : markerFormat;

export interface Installation {
  installed: boolean;
  /** Of the site. */
  id: string;
  /** The documents and records that must exist. */
  entities: readonly string[];
  /** The journal that must exist. */
  readonly journal: number | null;
  /** Requires these entities and this journal from now on. Throws `cannot_store`. */
  note(entities: readonly string[], journal: number | null): Promise<void>;
  /** Records that every file has a checksum. Throws `cannot_store`. */
  noteChecksums(): Promise<void>;
}

/** `folders`: the records' names. Throws `cannot_open` for data without a marker, or an unfinished restore. */
export async function openInstallation(
  folder: DataFolder,
  folders: string[],
): Promise<Installation> {
  const names = await listIfThere(folder.disk, folder.directory);
  if (names.includes(RESTORING)) throw cutShort(folder.directory);
  if (isMarked(names)) return present(folder);
  if (!names.includes(STARTED)) assertEmpty(folder, names, folders);
  const installation = noting(folder, createMarker(), 0);
  // Written first, so that an interrupted first start can continue.
  await installation.note([], null);
  await ifThere(folder.disk.remove(join(folder.directory, STARTED)));
  return installation;
}

async function present(folder: DataFolder): Promise<Installation> {
  const file = await openFile(locationIn(folder, markerFormat), { expected: true });
  if (!file) throw missing(join(folder.directory, MARKER));
  const { value, revision } = file.envelope;
  folder.takesUnsealed = !value.checksums;
  return noting(folder, value, revision);
}

function noting(folder: DataFolder, found: Marker, foundAt: number): Installation {
  let [marker, revision] = [found, foundAt];
  const write = async (next: Marker) => {
    if (revision > 0 && Bun.deepEquals(next, marker)) return;
    const { journal, ...earlier } = next;
    const value = journal === null ? earlier : next;
    const written = { revision: revision + 1, savedAt: new Date().toISOString() };
    const location = locationIn(folder, formatOf(next));
    await JsonFile.write(location, { ...written, text: JSON.stringify(value) });
    [marker, revision] = [next, written.revision];
  };
  return {
    // An interrupted first start is still the first.
    installed: found.entities.length > 0,
    id: found.id,
    entities: found.entities,
    journal: found.journal,
    note: (names, journal) =>
      write({ ...marker, entities: [...new Set([...marker.entities, ...names])], journal }),
    noteChecksums: () => write({ ...marker, checksums: true }),
  };
}

const locationIn = (folder: DataFolder, format: Format<Marker>): FileLocation<Marker> => ({
  folder,
  path: join(folder.directory, MARKER),
  format,
});

const createMarker = (): Marker => ({
  id: randomUUID(),
  createdAt: new Date().toISOString(),
  entities: [],
  checksums: true,
  journal: null,
});

const cutShort = (directory: string) =>
  cannotOpen(
    `A restore of ${directory} was cut short. Run "limelight restore" with the archive again; what was there before is kept in the folder .before-restore-… inside. Nothing was changed.`,
  );

/** Left by an interrupted first start of an earlier release. */
const STARTED = "installation.started";

function assertEmpty(folder: DataFolder, names: string[], folders: string[]): void {
  const ours = new Set([...folders, "history", "migrations"]);
  const found = names
    .toSorted()
    .find((name) => ours.has(name) || /\.json(?:(?:\.bak)?$|\.bad-)/.test(name));
  if (!found) return;
  throw cannotOpen(
    `The data folder ${folder.directory} holds data (${found}) and no installation.json. Put installation.json back, restore a backup with "limelight restore", or choose an empty folder with DATA_DIR. Nothing was changed.`,
  );
}

/** Exists during a restore, when no store opens. */
export const RESTORING = "restore.started";

/** Names in a data folder that don't belong in an archive. */
export const isPassing = (name: string) =>
  [SECRET, SECRET_COPY, STARTED, RESTORING].includes(name) || journalOf(name) !== undefined;
