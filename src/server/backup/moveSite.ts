/**
 * Moves a site to another place, folders or PostgreSQL and a bucket, while it is served from where it is: a backup of one
 * moment, restored into the other place.
 *
 * 1. Refuse a place that holds another site.
 * 2. The site takes no writes from here on, in whatever instance; noted with its data.
 * 3. Copy the pictures that the new place has not got, and read each back. Stage the data beside what may be there.
 * 4. Compare what is staged with the old place. A write that was under way at step 2 may have come between; then 3 is done
 *    once more.
 * 5. Put the data in its place, as every restore does, with what signs and seals; compare it there. What differs by anything
 *    is no move.
 *
 * The old place keeps all it has. A failure lets it take writes again; after a kill the same command goes on.
 */
import { present } from "../../schema/present.ts";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cannotOpen } from "../shared/errors.ts";
import { inTurns } from "../shared/inTurns.ts";
import { countsOf, differing, type Sums, sumsOf } from "../storage/archive/contents.ts";
import { createFile, writeDurably } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine } from "../storage/engine.ts";
import { folderEngine } from "../storage/files/folderEngine.ts";
import { SECRET } from "../storage/files/installation.ts";
import { isOriginalName } from "../storage/pictures/pictureNames.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import { markUploads, requireOwnUploads, SITE_MARK } from "../storage/pictures/siteMark.ts";
import { finishRestore, type RestoredSite, stage } from "./restore.ts";

interface Moved {
  readonly documents: number;
  /** Earlier versions of documents. */
  readonly versions: number;
  readonly records: number;
  /** Files of pictures, and what they take in bytes. */
  readonly pictures: number;
  readonly bytes: number;
}

interface MoveOptions {
  readonly now?: Date;
  /** A line for people. */
  readonly say?: (line: string) => void;
}

/** How often it is copied where writes that were under way still come. */
const MOST_TRIES = 3;

/** The caller holds the lock of the new data. Throws `cannot_open`, whose message says what to do. */
export async function moveSite(
  from: RestoredSite,
  to: RestoredSite,
  { now, say = () => {} }: MoveOptions = {},
): Promise<Moved> {
  const movesData = from.data.location !== to.data.location;
  const movesPictures = from.uploads.called !== to.uploads.called;
  if (!movesData && !movesPictures) throw cannotOpen("The site is there already.");
  const siteId = await from.data.siteId();
  if (siteId === undefined) throw cannotOpen(`There is no site in ${from.data.location}.`);
  if (movesData) await refuseOther(to.data, siteId);
  if (movesPictures) await refuseOthers(to.uploads, siteId);
  const { standstill } = from.data;
  await standstill.begin({ data: to.data.location, pictures: to.uploads.called });
  try {
    const copying = { from, uploads: movesPictures ? to.uploads : undefined, say };
    let copied = movesData ? undefined : await copySite(copying);
    if (movesData) {
      await stage(to, now, async (folder) => {
        copied = await copySite({ ...copying, staging: folder });
        return { keeps: [], leavesPictures: true };
      });
      await finishRestore(to);
      requireSame(present(copied, "copy").sums, await sumsOf(to.data.files()), to.data.location);
    }
    if (movesPictures) await markUploads(to.uploads, siteId);
    const { sums, pictures, bytes } = present(copied, "copy");
    return { ...countsOf(sums), pictures, bytes };
  } catch (error) {
    await standstill.end();
    throw error;
  }
}

/** Step 1. What an earlier move of the same site left is gone on with. */
async function refuseOther(data: Engine, siteId: string): Promise<void> {
  const there = await data.siteId();
  if (there !== undefined && there !== siteId)
    throw cannotOpen(
      `${data.location} holds another site. Nothing was changed. Choose another place.`,
    );
}

async function refuseOthers(uploads: PictureStorage, siteId: string): Promise<void> {
  await requireOwnUploads(uploads, siteId, []);
  const names = await uploads.names();
  // An earlier move says whose they are from its first file on.
  if (!names.includes(SITE_MARK) && names.some(isOriginalName))
    throw cannotOpen(
      `${uploads.called} holds pictures of another site. Nothing was changed. Choose another place.`,
    );
  await markUploads(uploads, siteId);
}

/** Step 3. */
async function copyPictures(from: PictureStorage, to: PictureStorage, say: (line: string) => void) {
  const wanted = (await from.files()).filter(({ name }) => !name.startsWith("."));
  const present = new Map((await to.files()).map(({ name, size }) => [name, size]));
  let [done, bytes, sent] = [0, 0, 0];
  await inTurns(wanted, async ({ name }) => {
    const file = await from.read(name);
    // Removed since: it was in the bin, and its time had come before the site stood still.
    if (!file) return;
    const isThere = present.get(name) === file.length && isSame(file, await to.read(name));
    if (!isThere) {
      await to.put(name, file);
      sent++;
      if (!isSame(file, await to.read(name)))
        throw cannotOpen(`${name} came back from ${to.called} other than it was sent. Try again.`);
    }
    bytes += file.length;
    if (++done % 500 === 0) say(`${done} of ${wanted.length} files of pictures are there.`);
  });
  say(`${sent} files of pictures were copied, ${done - sent} were there already.`);
  return { pictures: done, bytes };
}

const isSame = (one: Uint8Array, other: Uint8Array | undefined) =>
  other !== undefined && Buffer.from(one).equals(other);

interface Copying {
  readonly from: RestoredSite;
  /** Where the pictures go. */
  readonly uploads: PictureStorage | undefined;
  /** Where the data is staged. */
  readonly staging?: string;
  readonly say: (line: string) => void;
}

/** Steps 3 and 4. */
async function copySite({ from, uploads, staging, say }: Copying) {
  for (let tries = 1; ; tries++) {
    const copied = uploads
      ? await copyPictures(from.uploads, uploads, say)
      : { pictures: 0, bytes: 0 };
    const sums = staging ? await stageData(from.data, staging) : await sumsOf(from.data.files());
    const now = await sumsOf(from.data.files());
    if (differing(sums, now).length > 0 && tries < MOST_TRIES) continue;
    requireSame(sums, now, from.data.location);
    return { ...copied, sums };
  }
}

/** The data of one moment, with what signs and seals. Returns what is staged. */
async function stageData(from: Engine, folder: string): Promise<Sums> {
  const data = join(folder, "data");
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { mode: 0o700 });
  for await (const { path, bytes } of from.files()) {
    await mkdir(dirname(join(data, path)), { recursive: true, mode: 0o700 });
    await createFile(disk, join(data, path), bytes);
  }
  const secret = await from.secret();
  if (secret) await writeDurably(disk, join(folder, SECRET), secret);
  return sumsOf(folderEngine(data).files());
}

/** Step 5. */
function requireSame(expected: Sums, found: Sums, location: string): void {
  const other = differing(expected, found);
  if (other.length > 0)
    throw cannotOpen(
      `${location} does not hold what was copied: ${other.slice(0, 5).join(", ")}. The site stays where it was. Try again.`,
    );
}
