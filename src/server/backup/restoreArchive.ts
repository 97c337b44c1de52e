/**
 * Puts an archive back in the place of a site's data and pictures, as numbered steps with their way
 * back:
 *
 * 1. Unpack beside the present data, in `.restore-…`, prove every byte, and try a start on it.
 * 2. Note that a restore is under way: as long as it is noted, every start is refused.
 * 3. Set the present data and pictures aside, under `.before-restore-…`, and carry over into what was unpacked
 *    who has left the mailing list meanwhile.
 * 4. Move in what was unpacked, but for the list of who was erased, so that the next start erases them
 *    again; remove the note.
 * 5. Remove what step 1 left.
 *
 * A failure in step 3 or 4 moves everything back. After a kill the same command goes on: it never
 * mistakes what comes from an archive for what was there before. That stays until the owner removes it.
 */
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { allEntities, entities } from "../../schema/index.ts";
import { cannotOpen } from "../shared/errors.ts";
import { codeOf, ensureFolder } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Contents, Engine, ReplacementNote } from "../storage/engine.ts";
import type { PicturePlace } from "../storage/pictures/picturePlace.ts";
import { SITE_MARK } from "../storage/pictures/siteMark.ts";
import { keepWhoLeft } from "./whoLeft.ts";
import { fullDisk, unpackArchive } from "./unpackArchive.ts";

/** What is restored: what an engine keeps, and the pictures. */
export interface RestoredSite {
  readonly data: Engine;
  readonly uploads: PicturePlace;
}

export interface Restored {
  readonly files: number;
  /** When the archive was made, as an ISO timestamp. */
  readonly createdAt: string;
  /** The name under which what was there before is kept. */
  readonly before: string;
  /** Whether the next start can erase again who was erased since, and who left the mailing list stays off it. */
  readonly staysErased: boolean;
}

export interface RestoreOptions {
  readonly now?: Date;
  /** The secret parts of the keys that an encrypted archive is tried with. */
  readonly identities?: readonly string[];
}

/** What the folders in which a restore unpacks are named after. */
export const STAGING = ".restore-";

/**
 * Restores `archive` over a stopped site; the caller holds the engine's lock. Throws `cannot_open`
 * when the archive is not whole, or this program would not start on it; nothing is changed then. Everyone logs in again afterwards.
 */
export async function restoreArchive(
  archive: string,
  { data, uploads }: RestoredSite,
  { now = new Date(), identities }: RestoreOptions = {},
): Promise<Restored> {
  const stamp = now.toISOString().replace(/[:.]/g, "-");
  const { replacement } = data;
  await ensureFolder(disk, replacement.staging);
  await uploads.prepare();
  // What a start could have gone on with is removed: from here on only this command can.
  const noted = await replacement.underWay();
  const earlier = noted && { ...noted, staging: undefined };
  if (noted?.staging) await replacement.begin(earlier!);
  await removeStagings(replacement.staging);
  const staging = join(replacement.staging, STAGING + stamp);
  await mkdir(staging, { mode: 0o700 });
  try {
    const manifest = await unpackArchive(archive, staging, { identities });
    const unpacked = replacement.at(join(staging, "data"));
    await refuseUnstartable(unpacked);
    const note = earlier ?? {
      before: `.before-restore-${stamp}`,
      emptied: false,
      knowsErased: await knowsErased(data, unpacked),
    };
    // The pictures of the archive are of the site in it.
    await uploads.remove([SITE_MARK]);
    await replace(data, uploads.contents(), { staging, note, earlier });
    return {
      files: manifest.files.length,
      createdAt: manifest.createdAt,
      before: note.before,
      staysErased: note.knowsErased ?? false,
    };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Of a newer release, say: it is better to know before the present site is set aside. */
export async function refuseUnstartable(unpacked: Engine): Promise<void> {
  const refused = (await unpacked.examine(allEntities)).find(({ refuses }) => refuses);
  if (!refused) return;
  const message = refused.message.replaceAll(`${unpacked.place}/`, "");
  throw cannotOpen(`This archive was not restored, since a start would refuse it: ${message}`);
}

/** What a kill left of an earlier restore: copies of what is in its archive. */
export async function removeStagings(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => name.startsWith(STAGING));
  for (const name of left) await rm(join(folder, name), { recursive: true });
}

/**
 * Whether the present data can tell who was erased: a damaged list would keep the site from starting, and
 * that of another site means nothing here.
 */
async function knowsErased(present: Engine, unpacked: Engine): Promise<boolean> {
  if (!(await present.isInstalled())) return false;
  const findings = await present.examine([entities.erasures]);
  const isWhole = !findings.some(({ refuses }) => refuses);
  return isWhole && (await present.siteId()) === (await unpacked.siteId());
}

interface Replacing {
  readonly staging: string;
  readonly note: ReplacementNote;
  /** Where an earlier call was cut short. */
  readonly earlier: ReplacementNote | undefined;
}

/** Steps 2 to 4; goes on where an earlier call was cut short. */
export async function replace(
  { replacement: data }: Engine,
  uploads: Contents,
  { staging, note, earlier }: Replacing,
): Promise<void> {
  try {
    await data.begin(note);
    await data.takeOut(note);
    await uploads.takeOut(note);
    if (note.knowsErased) await keepWhoLeft(data.aside(note), data, join(staging, "data"));
    await data.begin({ ...note, emptied: true });
    await data.putIn(join(staging, "data"), note);
    if (note.knowsErased) await data.keep(note, [entities.erasures]);
    await uploads.putIn(join(staging, "uploads"), note);
  } catch (error) {
    await uploads.undo();
    await data.undo();
    if (earlier) await data.begin(earlier);
    else await data.end();
    throw codeOf(error) === "ENOSPC" ? fullDisk() : error;
  }
  await data.end();
}
