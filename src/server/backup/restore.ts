/**
 * Replaces a site's data and pictures with an archive. If the process is killed, either nothing has changed, or the
 * next start completes the restore:
 *
 * 1. Stage: unpack the archive beside the current data and pictures, in `.restore-…`, verify every byte, and check that
 *    a site can start from it.
 * 2. Store a note that a restore is under way and which current data it carries over. Nothing has changed before this
 *    step. While the note exists, no store opens, and every start continues with step 3.
 * 3. Move the current data and pictures into `.before-restore-…`, and update the note.
 * 4. Copy the carried data from `.before-restore-…` into the staged data, and update the note.
 * 5. Move the staged data and pictures into place. Remove the note, then the rest of the staging folder.
 *
 * The dashboard runs steps 1 and 2 while the site is served, then restarts it; the command line runs all steps. Each
 * move is a rename on one disk, and each step can be repeated. The old data stays on the disk until the owner removes
 * it.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Entity } from "../../schema/entities/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import { cannotOpen, cannotOpenDamaged, isRefusal } from "../shared/errors.ts";
import { ensureFolder } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine, ReplacementNote } from "../storage/engine.ts";
import { syncFolders } from "../storage/files/folderContents.ts";
import { createFolderEngine } from "../storage/files/folderEngine.ts";
import { assertNotOtherSite, SITE_ID_FILE } from "../storage/pictures/siteMark.ts";
import { SECRET_FILE } from "../storage/siteSecret.ts";
import { carryOver } from "./carryOver.ts";
import { createFullDiskRefusal, unpackArchive } from "./unpackArchive.ts";
import type { SiteStorage } from "./writeArchive.ts";
import { getErrorCode } from "../shared/errorDetails.ts";

interface RestoreResult {
  readonly files: number;
  readonly createdAt: string;
  /** The name of the folder or schema with the old data; undefined if there was none. */
  readonly replacedDataName: string | undefined;
  /** Whether erasures and unsubscriptions since the backup are repeated in the restored data. */
  readonly areErasuresReapplied: boolean;
  /** Whether the site's secret was carried over, so that sessions continue and encrypted values can be read. */
  readonly isSecretCarried: boolean;
}

const STAGING_PREFIX = ".restore-";

/** The names of what a restore from the dashboard carries over: users, the activity log, the secret and more. */
const CARRIED_NAMES = [
  ...allEntities.filter(({ isRetainedOnRestore }) => isRetainedOnRestore).map(({ name }) => name),
  SECRET_FILE,
];

/**
 * Replaces a stopped site with `archive`. The engine must be locked. Throws `cannot_open` and changes nothing if the
 * archive is incomplete or the site couldn't start from it. After a later failure, the next start continues.
 */
export async function restoreArchive(
  archive: string,
  site: SiteStorage,
  secretKeys?: readonly string[],
): Promise<RestoreResult> {
  const hasData = !(await site.data.isEmpty());
  const { note, manifest, isMailingListReadable } = await stageArchive(archive, site, {
    secretKeys,
  });
  await finishRestore(site);
  const { before, keeps } = note;
  return {
    files: manifest.files.length,
    createdAt: manifest.createdAt,
    replacedDataName: hasData ? before : undefined,
    areErasuresReapplied: isMailingListReadable && keeps.includes(entities.erasures.name),
    isSecretCarried: keeps.includes(SECRET_FILE),
  };
}

/** Runs steps 1 and 2 for a running site, which keeps its users. If it throws `cannot_open`, nothing has changed. */
export async function stageRestore(archive: string, site: SiteStorage): Promise<void> {
  await stageArchive(archive, site, { carriedEntities: CARRIED_NAMES });
}

interface StageOptions {
  readonly secretKeys?: readonly string[] | undefined;
  /** Default: the result of `selectEntitiesToCarry`. */
  readonly carriedEntities?: readonly string[];
}

/**
 * Runs steps 1 and 2. If an interrupted restore has moved the data away, uses the moved data as the current data.
 * Throws `cannot_open` for an unsuitable archive or a full disk, and other errors of the disk.
 */
async function stageArchive(
  archive: string,
  { data, uploads }: SiteStorage,
  { secretKeys, carriedEntities }: StageOptions,
) {
  const { replacement } = data;
  const timestamp = new Date().toISOString().replace(/[:.]/g, "-");
  const stagingName = STAGING_PREFIX + timestamp;
  const interruptedNote = await completeMoveAside({ data, uploads });
  const parentFolders = [replacement.stagingFolder, uploads.folder];
  for (const folder of parentFolders) {
    await ensureFolder(disk, folder);
    await removeStagingFolders(folder, interruptedNote?.staging);
  }
  const folder = join(replacement.stagingFolder, stagingName);
  const currentData = interruptedNote ? replacement.openOldData(interruptedNote) : data;
  try {
    await mkdir(folder, { mode: 0o700 });
    // Unpacks the pictures on their own disk, because later steps only rename, and the data may be on another disk.
    const picturesFolder = join(uploads.folder, stagingName);
    await mkdir(picturesFolder, { mode: 0o700 });
    const target = { secretKeys, uploads: picturesFolder };
    const manifest = await unpackArchive(archive, folder, target);
    await syncFolders(picturesFolder);
    const unpackedData = createFolderEngine(join(folder, "data"));
    await assertStartable(unpackedData);
    // UPLOADS_DIR isn't locked, and may belong to another running site.
    await assertNotOtherSite(uploads, [
      await currentData.readSiteId(),
      await unpackedData.readSiteId(),
    ]);
    const carriedNames =
      carriedEntities ?? (await selectEntitiesToCarry(currentData, unpackedData));
    const isMailingListReadable =
      carriedEntities !== undefined ||
      (await isIntact(currentData, [entities.emailSubscriptions, entities.bin]));
    await syncFolders(folder);
    const before = interruptedNote?.before ?? `.before-restore-${timestamp}`;
    const note = {
      before,
      // True if an interrupted restore has already moved the old data away.
      emptied: interruptedNote !== undefined,
      isCarried: false,
      staging: stagingName,
      keeps: carriedNames,
    };
    await replacement.begin(note);
    if (interruptedNote)
      for (const each of parentFolders) await removeStagingFolders(each, stagingName);
    return { note, manifest, isMailingListReadable };
  } catch (error) {
    // If the note can't be read, it may be this restore's, so the staged files stay: the next start would need them.
    const pendingNote = await replacement.readPendingNote().catch(() => ({ staging: stagingName }));
    if (pendingNote?.staging !== stagingName)
      for (const each of parentFolders)
        await rm(join(each, stagingName), { recursive: true, force: true });
    throw getErrorCode(error) === "ENOSPC" ? createFullDiskRefusal(error) : error;
  }
}

/** Completes step 3 of an interrupted restore, and returns its note; undefined if no restore was interrupted. */
async function completeMoveAside({
  data,
  uploads,
}: SiteStorage): Promise<ReplacementNote | undefined> {
  const note = await data.replacement.readPendingNote();
  if (!note || note.emptied) return note;
  await moveAside({ data, uploads }, note);
  return { ...note, emptied: true };
}

/** Step 3: moves the current data and pictures away, and updates the note. */
async function moveAside({ data, uploads }: SiteStorage, note: ReplacementNote): Promise<void> {
  await data.replacement.moveOut(note);
  await uploads.createReplaceableContents().moveOut(note);
  await data.replacement.begin({ ...note, emptied: true, isCarried: false });
}

/** Throws `cannot_open` if no site can start from the data, for example because a newer release wrote it. */
async function assertStartable(unpackedData: Engine): Promise<void> {
  const blockingFinding = (await unpackedData.examine(allEntities)).find(
    ({ blocksStart }) => blocksStart,
  );
  if (!blockingFinding) return;
  const message = blockingFinding.message.replaceAll(`${unpackedData.location}/`, "");
  throw cannotOpen(
    `This archive wasn't restored, because the site couldn't start from it: ${message}`,
  );
}

/** Removes the staging folders of killed restores, except `retainedName`. */
async function removeStagingFolders(
  folder: string,
  retainedName: string | undefined,
): Promise<void> {
  const leftoverNames = (await readdir(folder)).filter(
    (name) => name.startsWith(STAGING_PREFIX) && name !== retainedName,
  );
  for (const name of leftoverNames) await rm(join(folder, name), { recursive: true });
}

/**
 * Selects what a restore from the command line carries over: erasures, sessions and, with sessions, the secret. Selects
 * nothing if the archive is from another site. Leaves out a damaged list, because it would prevent a start.
 */
async function selectEntitiesToCarry(currentData: Engine, unpackedData: Engine): Promise<string[]> {
  const id = await currentData.readSiteId();
  if (id === undefined || id !== (await unpackedData.readSiteId())) return [];
  const carriedNames: string[] = [];
  for (const entity of [entities.erasures, entities.sessions])
    if (await isIntact(currentData, [entity])) carriedNames.push(entity.name);
  const canCarrySecret =
    carriedNames.includes(entities.sessions.name) && (await currentData.readSecret()) !== undefined;
  return canCarrySecret ? [...carriedNames, SECRET_FILE] : carriedNames;
}

const isIntact = async (currentData: Engine, checkedEntities: readonly Entity[]) =>
  (await currentData.examine(checkedEntities)).every(({ blocksStart }) => !blocksStart);

/** Runs steps 3 to 5; returns false without a note. The engine must be locked. Can be repeated after `cannot_open`. */
export async function finishRestore(site: SiteStorage): Promise<boolean> {
  const note = await site.data.replacement.readPendingNote();
  if (!note) return false;
  if (!existsSync(join(site.data.replacement.stagingFolder, note.staging, "data")))
    throw cannotOpenDamaged(
      'The files staged for the restore are missing. Run "limelight restore" with the archive again.',
    );
  try {
    await replaceWithStaged(site, note);
    return true;
  } catch (error) {
    if (isRefusal(error, "cannot_open")) throw error;
    throw cannotOpen(
      "The restore couldn't be completed. Make sure that the disk is writable and has free space, then start again. The restore continues automatically.",
      error,
    );
  }
}

async function replaceWithStaged(site: SiteStorage, note: ReplacementNote): Promise<void> {
  const { data, uploads } = site;
  const { replacement } = data;
  const stagingFolder = join(replacement.stagingFolder, note.staging);
  if (!note.isCarried) {
    await moveAside(site, note);
    await carryOver(replacement.openOldData(note), stagingFolder, note.keeps);
    await replacement.begin({ ...note, emptied: true, isCarried: true });
  }
  await replacement.moveIn(join(stagingFolder, "data"), note);
  await uploads.createReplaceableContents().moveIn(join(uploads.folder, note.staging), note);
  await replacement.putSecret(await readFile(join(stagingFolder, SECRET_FILE)));
  // Removes the mark, which contains the old site's id. The next start writes the restored site's id.
  await uploads.remove([SITE_ID_FILE]);
  await replacement.end();
  for (const folder of [replacement.stagingFolder, uploads.folder])
    await rm(join(folder, note.staging), { recursive: true, force: true });
}
