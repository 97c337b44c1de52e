/** The marker of an installed site. What it names must be there at every later start. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import { bin } from "../../schema/bin.ts";
import { cannotOpen } from "../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { RESTORING } from "./documentFiles.ts";
import { ifThere, listIfThere, syncPath } from "./disk.ts";
import { disk } from "./realDisk.ts";
import type { Format } from "./envelope.ts";
import { filesIn } from "./folderContents.ts";
import type { FilePlace, JsonFile } from "./jsonFile.ts";
import { openOrCreate } from "./recovery.ts";
import type { LeftOut, StoredFile } from "./store.ts";

const markerSchema = v.object({
  id: v.string(),
  createdAt: v.string(),
  entities: v.array(v.string()),
  /** Every file has had a checksum: one without is not ours. */
  checksums: v.boolean(),
});
type Marker = v.InferOutput<typeof markerSchema>;

/** How the marker is read. */
export const markerFormat: Format<Marker> = {
  entity: "installation",
  place: "installation",
  version: 2,
  schema: markerSchema,
  migrations: { 1: (marker) => ({ ...(marker as object), checksums: false }) },
};

export interface Installation {
  installed: boolean;
  /** Of the site. */
  id: string;
  /** The documents and records that must be there. */
  entities: readonly string[];
  /** Writes the marker, once everything it names is on the disk. */
  complete(entities: string[]): Promise<void>;
}

export const MARKER = "installation.json";

/** Whether the names in a data folder say that a site was installed there. */
export const isMarked = (names: readonly string[]) =>
  names.includes(MARKER) || names.includes(`${MARKER}.bak`);

/**
 * `folders`: the names of the records. Throws `cannot_open` when there is data without a marker, or
 * half a restore.
 */
export async function openInstallation(
  folder: DataFolder,
  folders: string[],
): Promise<Installation> {
  const names = await listIfThere(folder.disk, folder.directory);
  if (names.includes(RESTORING)) throw cutShort(folder.directory);
  if (isMarked(names))
    return present(folder, await openOrCreate(placeIn(folder), true, createMarker));
  if (!names.includes(STARTED)) {
    assertEmpty(folder, names, folders);
    await markStarted(folder);
  }
  const marker = createMarker();
  return {
    installed: false,
    id: marker.id,
    entities: [],
    complete: (entities) => finish(folder, { ...marker, entities }),
  };
}

async function present(folder: DataFolder, file: JsonFile<Marker>): Promise<Installation> {
  const { value, revision } = file.envelope;
  folder.takesUnsealed = !value.checksums;
  await removeStarted(folder);
  return {
    installed: true,
    id: value.id,
    entities: value.entities,
    complete: async (names) => {
      const entities = [...new Set([...value.entities, ...names])];
      if (value.checksums && entities.length === value.entities.length) return;
      const savedAt = new Date().toISOString();
      const next = { ...value, entities, checksums: true };
      await file.replace({ revision: revision + 1, savedAt, value: next }, { backup: "same" });
    },
  };
}

async function finish(folder: DataFolder, marker: Marker): Promise<void> {
  await openOrCreate(placeIn(folder), false, () => marker);
  await removeStarted(folder);
}

const placeIn = (folder: DataFolder): FilePlace<Marker> => ({
  folder,
  path: join(folder.directory, MARKER),
  format: markerFormat,
});

const createMarker = (): Marker => ({
  id: randomUUID(),
  createdAt: new Date().toISOString(),
  entities: [],
  checksums: true,
});

const cutShort = (directory: string) =>
  cannotOpen(
    `A restore of ${directory} was cut short. Run "limelight restore" with the archive again; what was there before is kept in the folder .before-restore-… inside. Nothing was changed.`,
  );

/** Exists while a first start is under way, so that an interrupted one can be continued. */
const STARTED = "installation.started";

async function markStarted(folder: DataFolder): Promise<void> {
  const file = await folder.disk.create(join(folder.directory, STARTED));
  await file.close();
  await syncPath(folder.disk, folder.directory);
}

const removeStarted = (folder: DataFolder) =>
  ifThere(folder.disk.remove(join(folder.directory, STARTED)));

function assertEmpty(folder: DataFolder, names: string[], folders: string[]): void {
  const ours = new Set([...folders, "history", "migrations"]);
  const found = names.find((name) => ours.has(name) || /\.json(\.bak|\.bad-.*)?$/.test(name));
  if (!found) return;
  throw cannotOpen(
    `The data folder ${folder.directory} holds data (${found}) and no installation.json. Put installation.json back, restore a backup with "limelight restore", or choose an empty folder with DATA_DIR. Nothing was changed.`,
  );
}

/** The file with the site's secret. */
export const SECRET = "secret";

/**
 * The files of a data folder that belong into an archive. Not what signs the sessions: so a stolen
 * backup opens no session, and a restore revives none that was ended.
 */
export async function* dataFiles(directory: string, leftOut?: LeftOut): AsyncGenerator<StoredFile> {
  yield* filesIn(directory, { except: isLeftOut, atOnce: true, leftOut });
  // What is deleted while the rest is read is there, or here.
  const names = await listIfThere(disk, join(directory, bin.name));
  if (names.length > 0) yield* filesIn(join(directory, bin.name), { leftOut }, `${bin.name}/`);
}

const isLeftOut = (path: string) => PASSING.has(path) || path === bin.name;

const PASSING = new Set([SECRET, STARTED, RESTORING]);
