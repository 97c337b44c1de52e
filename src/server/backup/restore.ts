/**
 * Puts an archive back in the place of a site's data and pictures, so that a kill at any moment leaves the site as it was,
 * or one that the next opening makes whole by itself:
 *
 * 1. Stage: unpack beside the present data and pictures, in `.restore-…`, prove every byte, and try a start on it.
 * 2. Note that a restore is under way, and what of the present stays. Before this nothing has changed; from here on no store
 *    is opened, and every start goes on with step 3.
 * 3. Set the present data and pictures aside, under `.before-restore-…`; note that it is done.
 * 4. Carry over into what was staged what stays of what was set aside; note that it is done.
 * 5. Move in what was staged. Remove the note, then what step 1 left.
 *
 * The dashboard stages while the site is served, and starts anew; the command line stages and goes on at once. Each move is a
 * rename on one disk, and each step can be repeated. What was there before stays until the owner removes it.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Entity } from "../../schema/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import { cannotOpen, isRefusal } from "../shared/errors.ts";
import { codeOf, ensureFolder } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine, ReplacementNote } from "../storage/engine.ts";
import { syncFolders } from "../storage/files/folderContents.ts";
import { folderEngine } from "../storage/files/folderEngine.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { SITE_MARK } from "../storage/pictures/siteMark.ts";
import { SECRET } from "../storage/files/installation.ts";
import { carryOver } from "./carryOver.ts";
import { fullDisk, unpackArchive } from "./unpackArchive.ts";

/** What is restored: what an engine keeps, and the pictures. */
export interface RestoredSite {
  readonly data: Engine;
  readonly uploads: PictureStorage;
}

export interface Restored {
  readonly files: number;
  /** When the archive was made, as an ISO timestamp. */
  readonly createdAt: string;
  /** The name under which what was there before is kept; undefined where nothing was. */
  readonly before: string | undefined;
  /** Whether the next start can erase again who was erased since, and who left the mailing list stays off it. */
  readonly staysErased: boolean;
  /** Whether logins go on, and what is sealed can be opened. */
  readonly keepsSecret: boolean;
}

interface RestoreOptions {
  readonly now?: Date;
  /** The secret parts of the keys that an encrypted archive is tried with. */
  readonly identities?: readonly string[];
}

/** What the folders in which a restore unpacks are named after. */
const STAGING = ".restore-";

/** What of the served site stays: who may log in, with what is sent, what happened, and what signs and seals. */
const STAYING = [
  ...allEntities.filter(({ staysOnRestore }) => staysOnRestore).map(({ name }) => name),
  SECRET,
];

/**
 * Restores `archive` over a stopped site; the caller holds the engine's lock. Throws `cannot_open` when the archive is not
 * whole, or this program would not start on it; nothing is changed then. What fails after that goes on at the next start.
 */
export async function restoreArchive(
  archive: string,
  site: RestoredSite,
  options: RestoreOptions = {},
): Promise<Restored> {
  const isThere = !(await site.data.isEmpty());
  const { note, files, createdAt, tellsWhoLeft } = await stageArchive(archive, site, options);
  await finishRestore(site);
  const { before, keeps = [] } = note;
  return {
    files,
    createdAt,
    before: isThere ? before : undefined,
    staysErased: tellsWhoLeft && keeps.includes(entities.erasures.name),
    keepsSecret: keeps.includes(SECRET),
  };
}

/** Steps 1 and 2, also while the site is served; who may log in stays. Throws `cannot_open`; nothing is changed then. */
export async function stageRestore(archive: string, site: RestoredSite, now?: Date): Promise<void> {
  await stageArchive(archive, site, { ...(now && { now }), keeps: STAYING });
}

/** `keeps`: default: what of the present site is its own. */
async function stageArchive(
  archive: string,
  site: RestoredSite,
  { now, identities, keeps }: RestoreOptions & { readonly keeps?: readonly string[] },
) {
  const { uploads } = site;
  let manifest: Awaited<ReturnType<typeof unpackArchive>> | undefined;
  let tellsWhoLeft = true;
  const note = await stage(site, now, async (folder, present) => {
    // Perhaps on another disk than the data: later only names change.
    const pictures = join(uploads.folder, basename(folder));
    await mkdir(pictures, { mode: 0o700 });
    manifest = await unpackArchive(archive, folder, { identities, uploads: pictures });
    await syncFolders(pictures);
    const unpacked = folderEngine(join(folder, "data"));
    await refuseUnstartable(unpacked);
    if (keeps) return { keeps };
    tellsWhoLeft = await isWhole(present, [entities.emailSubscriptions, entities.bin]);
    return { keeps: await ownOf(present, unpacked) };
  });
  if (!manifest) throw new Error("missing: manifest");
  const { files, createdAt } = manifest;
  return { note, files: files.length, createdAt, tellsWhoLeft };
}

/** Fills a folder with what is put in, `data` in it, and returns what else the note says; `present` is what it replaces. */
type Fill = (
  folder: string,
  present: Engine,
) => Promise<Pick<ReplacementNote, "keeps" | "leavesPictures">>;

/**
 * Steps 1 and 2, whatever it is that is put in. Over a restore that was cut short, what is set aside then is the present.
 * Throws what `fill` throws, `cannot_open` for a disk without room, and what the disk throws.
 */
export async function stage(
  { data, uploads }: RestoredSite,
  now: Date = new Date(),
  fill: Fill,
): Promise<ReplacementNote> {
  const { replacement } = data;
  const name = STAGING + now.toISOString().replace(/[:.]/g, "-");
  const noted = await settledNote({ data, uploads });
  const folders = [replacement.staging, uploads.folder];
  for (const folder of folders) {
    await ensureFolder(disk, folder);
    await removeStagings(folder, noted?.staging);
  }
  const folder = join(replacement.staging, name);
  try {
    await mkdir(folder, { mode: 0o700 });
    const more = await fill(folder, noted ? replacement.aside(noted) : data);
    await syncFolders(folder);
    // A move had no business with them.
    if (noted?.leavesPictures && !more.leavesPictures)
      await uploads.contents().takeOut({ ...noted, emptied: false });
    const before = noted?.before ?? name.replace(STAGING, ".before-restore-");
    const note = { before, emptied: noted !== undefined, isCarried: false, staging: name, ...more };
    await replacement.begin(note);
    if (noted) for (const folder of folders) await removeStagings(folder, name);
    return note;
  } catch (error) {
    // Where it isn't known whether the note is there, it may be.
    const now = await replacement.underWay().catch(() => ({ staging: name }));
    if (now?.staging !== name)
      for (const folder of folders) await rm(join(folder, name), { recursive: true, force: true });
    throw codeOf(error) === "ENOSPC" ? fullDisk() : error;
  }
}

/** That of a restore that was cut short, once all that was there before it is set aside. */
async function settledNote({ data, uploads }: RestoredSite): Promise<ReplacementNote | undefined> {
  const noted = await data.replacement.underWay();
  if (!noted || noted.emptied) return noted;
  await setAside({ data, uploads }, noted);
  return { ...noted, emptied: true };
}

/** Step 3. */
async function setAside({ data, uploads }: RestoredSite, note: ReplacementNote): Promise<void> {
  await data.replacement.takeOut(note);
  if (!note.leavesPictures) await uploads.contents().takeOut(note);
  await data.replacement.begin({ ...note, emptied: true, isCarried: false });
}

/** Of a newer release, say: it is better to know before the present site is set aside. */
async function refuseUnstartable(unpacked: Engine): Promise<void> {
  const refused = (await unpacked.examine(allEntities)).find(({ refuses }) => refuses);
  if (!refused) return;
  const message = refused.message.replaceAll(`${unpacked.location}/`, "");
  throw cannotOpen(`This archive was not restored, since a start would refuse it: ${message}`);
}

/** What a kill left of an earlier restore: copies of what is in its archive. */
async function removeStagings(folder: string, but: string | undefined): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.startsWith(STAGING) && name !== but);
  for (const name of left) await rm(join(folder, name), { recursive: true });
}

/**
 * What stays of a stopped site where the archive is its own: what signs and seals, and with it which sessions have ended, and
 * who was erased. A damaged list would keep the site from starting.
 */
async function ownOf(present: Engine, unpacked: Engine): Promise<string[]> {
  const id = await present.siteId();
  if (id === undefined || id !== (await unpacked.siteId())) return [];
  const keeps: string[] = [];
  for (const entity of [entities.erasures, entities.sessions])
    if (await isWhole(present, [entity])) keeps.push(entity.name);
  const isOurs = keeps.includes(entities.sessions.name) && (await present.secret()) !== undefined;
  return isOurs ? [...keeps, SECRET] : keeps;
}

const isWhole = async (present: Engine, of: readonly Entity[]) =>
  (await present.examine(of)).every(({ refuses }) => !refuses);

/**
 * Steps 3 to 5 of a restore that was noted; the caller holds the engine's lock. Returns whether there was one. Throws
 * `cannot_open`: it goes on when it is called again.
 */
export async function finishRestore(site: RestoredSite): Promise<boolean> {
  const note = await site.data.replacement.underWay();
  // What an earlier release has begun to move in can't be told from what it has not.
  if (note?.staging === undefined || (note.emptied && note.isCarried === undefined)) return false;
  if (!existsSync(join(site.data.replacement.staging, note.staging, "data")))
    throw cannotOpen(
      'What a restore was to put in is missing. Run "limelight restore" with the archive. Nothing was changed.',
    );
  try {
    await changeOver(site, { ...note, staging: note.staging });
    return true;
  } catch (error) {
    if (isRefusal(error, "cannot_open")) throw error;
    throw cannotOpen(
      "The backup couldn't be put in its place. See that the disk takes writes and has room, then start again: the restore goes on by itself.",
      error,
    );
  }
}

async function changeOver(
  site: RestoredSite,
  note: ReplacementNote & { readonly staging: string },
): Promise<void> {
  const { data, uploads } = site;
  const { replacement } = data;
  const folder = join(replacement.staging, note.staging);
  if (!note.isCarried) {
    await setAside(site, note);
    // An earlier release didn't note it: its restores on the command line had nothing staged.
    const { keeps = STAYING } = note;
    await carryOver(replacement.aside(note), { folder, keeps });
    await replacement.begin({ ...note, emptied: true, isCarried: true });
  }
  await replacement.putIn(join(folder, "data"), note);
  if (!note.leavesPictures)
    await uploads.contents().putIn(join(uploads.folder, note.staging), note);
  await replacement.putSecret(await readFile(join(folder, SECRET)));
  // The pictures of the archive are of the site in it.
  if (!note.leavesPictures) await uploads.remove([SITE_MARK]);
  await replacement.end();
  for (const folder of [replacement.staging, uploads.folder])
    await rm(join(folder, note.staging), { recursive: true, force: true });
}
