/**
 * Puts an archive back while the site is served, so that a kill at any moment leaves the site as it was, or
 * one that the next start makes whole by itself:
 *
 * 1. Unpack beside the present data and pictures, in `.restore-…`, prove every byte, and try a start on it.
 * 2. Note that a restore is under way, and where what it puts in lies. Before this nothing has changed;
 *    from here on every start goes on with step 3.
 * 3. Set the present data and pictures aside, under `.before-restore-…`; carry over who has left the mailing
 *    list meanwhile; note that it is done.
 * 4. Move in what was unpacked. Who may log in, and what happened, stays as it was set aside.
 * 5. Remove the note, then what step 1 left.
 *
 * Each move is a rename on one disk, and each step can be repeated.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { allEntities } from "../../schema/index.ts";
import { cannotOpen } from "../shared/errors.ts";
import { ensureFolder } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import { renameAnywhere } from "../storage/files/folderContents.ts";
import { SITE_MARK } from "../storage/pictures/siteMark.ts";
import { refuseUnstartable, removeStagings, type RestoredSite, STAGING } from "./restoreArchive.ts";
import { keepWhoLeft } from "./whoLeft.ts";
import { unpackArchive } from "./unpackArchive.ts";

/** What of the present site stays: who may log in. */
const STAYING = allEntities.filter(({ staysOnRestore }) => staysOnRestore);

/** Steps 1 and 2, also while the site is served. Throws `cannot_open`; nothing is changed then. */
export async function stageRestore(
  archive: string,
  { data, uploads }: RestoredSite,
  now = new Date(),
): Promise<void> {
  const name = STAGING + now.toISOString().replace(/[:.]/g, "-");
  const { replacement } = data;
  for (const folder of [replacement.staging, uploads.folder]) {
    await ensureFolder(disk, folder);
    await removeStagings(folder);
  }
  const [ofData, ofUploads] = [join(replacement.staging, name), join(uploads.folder, name)];
  try {
    await mkdir(ofData, { mode: 0o700 });
    await unpackArchive(archive, ofData);
    await refuseUnstartable(replacement.at(join(ofData, "data")));
    // Perhaps to another disk: later only names change.
    await mkdir(ofUploads, { mode: 0o700 });
    for (const file of await readdir(join(ofData, "uploads")).catch(() => []))
      await renameAnywhere(join(ofData, "uploads", file), join(ofUploads, file));
    const before = name.replace(STAGING, ".before-restore-");
    await replacement.begin({ before, emptied: false, staging: name });
  } catch (error) {
    for (const folder of [ofData, ofUploads]) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Steps 3 to 5 of a restore that was noted; the caller holds the engine's lock. Returns whether there was
 * one. Throws what the disk throws: call it again then.
 */
export async function finishRestore({ data, uploads }: RestoredSite): Promise<boolean> {
  const { replacement } = data;
  const note = await replacement.underWay();
  const { staging } = note ?? {};
  if (!note || staging === undefined) return false;
  if (!existsSync(join(replacement.staging, staging, "data")))
    throw cannotOpen(
      'What a restore was to put in is missing. Run "limelight restore" with the archive. Nothing was changed.',
    );
  const pictures = uploads.contents();
  if (!note.emptied) {
    await replacement.takeOut(note);
    await pictures.takeOut(note);
    const folder = join(replacement.staging, staging, "data");
    await keepWhoLeft(replacement.aside(note), replacement, folder);
    await replacement.begin({ ...note, emptied: true });
  }
  await replacement.putIn(join(replacement.staging, staging, "data"), note);
  await pictures.putIn(join(uploads.folder, staging), note);
  await replacement.keep(note, STAYING);
  await replacement.keepSecret(note);
  // The pictures of the archive are of the site in it.
  await uploads.remove([SITE_MARK]);
  await replacement.end();
  for (const folder of [replacement.staging, uploads.folder])
    await rm(join(folder, staging), { recursive: true, force: true });
  return true;
}
