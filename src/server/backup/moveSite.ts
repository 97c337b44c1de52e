/**
 * Moves a running site to another place, folders or PostgreSQL and a bucket: a backup of one moment, restored there.
 *
 * 1. Refuse a place that has another site.
 * 2. Stop writes to the site, in all instances; stored with its data.
 * 3. Copy pictures missing in the new place, and read each back. Stage the data beside any data there.
 * 4. Compare the staged data with the old place. A write under way at step 2 may have come in between; then repeat 3.
 * 5. Put the data in its place like any restore, with the secret that signs and seals; compare it there. Any difference
 *    fails the move.
 *
 * The old place keeps everything. After a failure it takes writes again; after a kill the same command continues.
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
  /** Earlier revisions of documents. */
  readonly versions: number;
  readonly records: number;
  /** Picture files, and their size in bytes. */
  readonly pictures: number;
  readonly bytes: number;
}

interface MoveOptions {
  readonly now?: Date;
  /** Prints a line. */
  readonly say?: (line: string) => void;
}

/** How often to copy if writes under way still arrive. */
const MOST_TRIES = 3;

/** The caller holds the new data's lock. Throws `cannot_open`, whose message says what to do. */
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

/** Step 1. An unfinished earlier move of the same site is continued. */
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
  // An earlier move marks the place before its first picture.
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
    // Removed since: it expired in the bin before writes stopped.
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
  /** The target for pictures. */
  readonly uploads: PictureStorage | undefined;
  /** The folder for staged data. */
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

/** The data of one moment, with the secret. Returns sums of what is staged. */
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
