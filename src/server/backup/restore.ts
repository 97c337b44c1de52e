/**
 * Replaces a site's data and pictures with an archive, so that a kill at any time leaves the old site, or one that
 * the next start completes:
 *
 * 1. Stage: unpack beside the present data and pictures, in `.restore-…`, verify every byte, and try a start on it.
 * 2. Note that a restore is under way, and what is carried over from the present. Nothing has changed so far; from
 *    here on no store opens, and every start continues with step 3.
 * 3. Move the present data and pictures into `.before-restore-…`; note that it is done.
 * 4. Carry over the noted data from there into the staged data; note that it is done.
 * 5. Move the staged data in. Remove the note, then leftovers of step 1.
 *
 * The dashboard stages while the site is served, and restarts; the command line stages and continues at once. Each
 * move is a rename on one disk, and each step can be repeated. The old data stays until the owner removes it.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Entity } from "../../schema/entities/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import { cannotOpen, cannotOpenLost, isRefusal } from "../shared/errors.ts";
import { ensureFolder } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine, ReplacementNote } from "../storage/engine.ts";
import { syncFolders } from "../storage/files/folderContents.ts";
import { createFolderEngine } from "../storage/files/folderEngine.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { assertNotOtherSite, SITE_MARK_FILE } from "../storage/pictures/siteMark.ts";
import { SECRET_FILE } from "../storage/siteSecret.ts";
import { carryOver } from "./carryOver.ts";
import { createFullDiskRefusal, unpackArchive } from "./unpackArchive.ts";
import { errorCode } from "../shared/errorDetails.ts";

/** The parts to restore: an engine's data, and the pictures. */
export interface RestoreTarget {
  readonly data: Engine;
  readonly uploads: PictureStorage;
}

interface RestoreResult {
  readonly files: number;
  /** When the archive was made, as an ISO timestamp. */
  readonly createdAt: string;
  /** The name under which the old data is stored; undefined without old data. */
  readonly replacedDataName: string | undefined;
  /** Whether the next start can repeat later erasures, and people who left the mailing list stay off it. */
  readonly canRepeatErasures: boolean;
  /** Whether sessions continue, and sealed values can be opened. */
  readonly isSecretCarried: boolean;
}

interface RestoreOptions {
  readonly now?: Date;
  /** Secret keys to try on an encrypted archive. */
  readonly identities?: readonly string[];
}

/** The prefix of folders that a restore unpacks into. */
const STAGING_PREFIX = ".restore-";

/**
 * The data of a served site that a restore carries over: users, messages to send, the activity log, and the
 * secret.
 */
const CARRIED_ENTITIES = [
  ...allEntities.filter(({ isRetainedOnRestore }) => isRetainedOnRestore).map(({ name }) => name),
  SECRET_FILE,
];

/**
 * Restores `archive` over a stopped site; the caller holds the engine's lock. Throws `cannot_open`, with nothing
 * changed, if the archive is incomplete or this program wouldn't start on it. Later failures: the next start continues.
 */
export async function restoreArchive(
  archive: string,
  site: RestoreTarget,
  options: RestoreOptions = {},
): Promise<RestoreResult> {
  const hasData = !(await site.data.isEmpty());
  const { note, files, createdAt, knowsUnsubscribed } = await stageArchive(archive, site, options);
  await finishRestore(site);
  const { before, keeps = [] } = note;
  return {
    files,
    createdAt,
    replacedDataName: hasData ? before : undefined,
    canRepeatErasures: knowsUnsubscribed && keeps.includes(entities.erasures.name),
    isSecretCarried: keeps.includes(SECRET_FILE),
  };
}

/**
 * Steps 1 and 2, also while the site is served; users are carried over. Throws `cannot_open`, with nothing
 * changed.
 */
export async function stageRestore(
  archive: string,
  site: RestoreTarget,
  now?: Date,
): Promise<void> {
  await stageArchive(archive, site, { ...(now && { now }), carriedEntities: CARRIED_ENTITIES });
}

/** `keeps`: default: what is the present site's own. */
async function stageArchive(
  archive: string,
  site: RestoreTarget,
  {
    now,
    identities,
    carriedEntities,
  }: RestoreOptions & { readonly carriedEntities?: readonly string[] },
) {
  const { uploads } = site;
  let manifest: Awaited<ReturnType<typeof unpackArchive>> | undefined;
  let includesUnsubscribed = true;
  const note = await stageReplacement(site, now, async (folder, present) => {
    // Perhaps on another disk than the data; later steps only rename.
    const pictures = join(uploads.folder, basename(folder));
    await mkdir(pictures, { mode: 0o700 });
    manifest = await unpackArchive(archive, folder, { identities, uploads: pictures });
    await syncFolders(pictures);
    const unpacked = createFolderEngine(join(folder, "data"));
    await assertStartable(unpacked);
    // Perhaps those of a site that runs: UPLOADS_DIR isn't locked here.
    await assertNotOtherSite(uploads, [await present.readSiteId(), await unpacked.readSiteId()]);
    if (carriedEntities) return { keeps: carriedEntities };
    includesUnsubscribed = await isComplete(present, [entities.emailSubscriptions, entities.bin]);
    return { keeps: await selectEntitiesToCarry(present, unpacked) };
  });
  if (!manifest) throw new Error("missing: manifest");
  const { files, createdAt } = manifest;
  return { note, files: files.length, createdAt, knowsUnsubscribed: includesUnsubscribed };
}

/** Fills a folder with the new site, `data` in it, and returns the rest of the note; `present` is being replaced. */
type FillStagingFolder = (
  folder: string,
  present: Engine,
) => Promise<Pick<ReplacementNote, "keeps">>;

/**
 * Steps 1 and 2. After an interrupted restore, the data it moved away counts as the present. Throws
 * what `fill` throws, `cannot_open` if the disk is full, and what the disk throws.
 */
async function stageReplacement(
  { data, uploads }: RestoreTarget,
  now: Date = new Date(),
  fill: FillStagingFolder,
): Promise<ReplacementNote> {
  const { replacement } = data;
  const name = STAGING_PREFIX + now.toISOString().replace(/[:.]/g, "-");
  const noted = await completeMoveAside({ data, uploads });
  const folders = [replacement.staging, uploads.folder];
  for (const folder of folders) {
    await ensureFolder(disk, folder);
    await removeStagingFolders(folder, noted?.staging);
  }
  const folder = join(replacement.staging, name);
  try {
    await mkdir(folder, { mode: 0o700 });
    const more = await fill(folder, noted ? replacement.openSetAside(noted) : data);
    await syncFolders(folder);
    const before = noted?.before ?? name.replace(STAGING_PREFIX, ".before-restore-");
    const note = { before, emptied: noted !== undefined, isCarried: false, staging: name, ...more };
    await replacement.begin(note);
    if (noted) for (const folder of folders) await removeStagingFolders(folder, name);
    return note;
  } catch (error) {
    // If the note can't be read, it may exist.
    const now = await replacement.readPendingNote().catch(() => ({ staging: name }));
    if (now?.staging !== name)
      for (const folder of folders) await rm(join(folder, name), { recursive: true, force: true });
    throw errorCode(error) === "ENOSPC" ? createFullDiskRefusal(error) : error;
  }
}

/** The note of an interrupted restore, once all old data is moved away. */
async function completeMoveAside({
  data,
  uploads,
}: RestoreTarget): Promise<ReplacementNote | undefined> {
  const noted = await data.replacement.readPendingNote();
  if (!noted || noted.emptied) return noted;
  await moveAside({ data, uploads }, noted);
  return { ...noted, emptied: true };
}

/** Step 3. */
async function moveAside({ data, uploads }: RestoreTarget, note: ReplacementNote): Promise<void> {
  await data.replacement.moveOut(note);
  await uploads.createContents().moveOut(note);
  await data.replacement.begin({ ...note, emptied: true, isCarried: false });
}

/** For example of a newer release: better refused before the present site is moved away. */
async function assertStartable(unpacked: Engine): Promise<void> {
  const refused = (await unpacked.examine(allEntities)).find(({ blocksStart }) => blocksStart);
  if (!refused) return;
  const message = refused.message.replaceAll(`${unpacked.location}/`, "");
  throw cannotOpen(
    `This archive wasn't restored, because the site couldn't start from it: ${message}`,
  );
}

/** The leftovers of killed restores: copies of their archives' contents. */
async function removeStagingFolders(folder: string, but: string | undefined): Promise<void> {
  const left = (await readdir(folder)).filter(
    (name) => name.startsWith(STAGING_PREFIX) && name !== but,
  );
  for (const name of left) await rm(join(folder, name), { recursive: true });
}

/**
 * The data of a stopped site that is carried over if the archive is its own: the secret, and with it ended sessions,
 * and erasures. Damaged lists don't: they would prevent a start.
 */
async function selectEntitiesToCarry(present: Engine, unpacked: Engine): Promise<string[]> {
  const id = await present.readSiteId();
  if (id === undefined || id !== (await unpacked.readSiteId())) return [];
  const carriedEntities: string[] = [];
  for (const entity of [entities.erasures, entities.sessions])
    if (await isComplete(present, [entity])) carriedEntities.push(entity.name);
  const isOurs =
    carriedEntities.includes(entities.sessions.name) && (await present.readSecret()) !== undefined;
  return isOurs ? [...carriedEntities, SECRET_FILE] : carriedEntities;
}

const isComplete = async (present: Engine, of: readonly Entity[]) =>
  (await present.examine(of)).every(({ blocksStart }) => !blocksStart);

/**
 * Steps 3 to 5 of a noted restore; the caller holds the engine's lock. Returns whether there was one. Throws
 * `cannot_open`; calling it again continues.
 */
export async function finishRestore(site: RestoreTarget): Promise<boolean> {
  const note = await site.data.replacement.readPendingNote();
  if (note?.staging === undefined) return false;
  if (!existsSync(join(site.data.replacement.staging, note.staging, "data")))
    throw cannotOpenLost(
      'The files staged for the restore are missing. Run "limelight restore" with the archive. Nothing was changed.',
    );
  try {
    await swapInStaged(site, { ...note, staging: note.staging });
    return true;
  } catch (error) {
    if (isRefusal(error, "cannot_open")) throw error;
    throw cannotOpen(
      "The restore couldn't be completed. Make sure that the disk is writable and has free space, then start again. The restore continues automatically.",
      error,
    );
  }
}

async function swapInStaged(
  site: RestoreTarget,
  note: ReplacementNote & { readonly staging: string },
): Promise<void> {
  const { data, uploads } = site;
  const { replacement } = data;
  const folder = join(replacement.staging, note.staging);
  if (!note.isCarried) {
    await moveAside(site, note);
    const { keeps = CARRIED_ENTITIES } = note;
    await carryOver(replacement.openSetAside(note), { folder, carriedEntities: keeps });
    await replacement.begin({ ...note, emptied: true, isCarried: true });
  }
  await replacement.moveIn(join(folder, "data"), note);
  await uploads.createContents().moveIn(join(uploads.folder, note.staging), note);
  await replacement.putSecret(await readFile(join(folder, SECRET_FILE)));
  // The archive's pictures belong to its site.
  await uploads.remove([SITE_MARK_FILE]);
  await replacement.end();
  for (const folder of [replacement.staging, uploads.folder])
    await rm(join(folder, note.staging), { recursive: true, force: true });
}
