/**
 * Moves a site to another place, folders or PostgreSQL and a bucket, while it is served from where it is:
 *
 * 1. Refuse a place that holds another site.
 * 2. The site takes no writes from here on, in whatever instance; noted with its data.
 * 3. Copy the pictures that the new place has not got, and read each back.
 * 4. Copy the data beside what may be there, and put it in its place as a restore does.
 * 5. Compare both places, and the old one with itself before: what differs by anything is no move. A write that was
 *    under way at step 2 may have come between; then 3 to 5 are done once more.
 *
 * The old place keeps all it has. A failure lets it take writes again; after a kill the same command goes on.
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cannotOpen } from "../shared/errors.ts";
import { inTurns } from "../shared/inTurns.ts";
import { createFile, ensureFolder } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Contents, Engine } from "../storage/engine.ts";
import { openSealed } from "../storage/envelope.ts";
import { isOriginalName } from "../storage/pictures/pictureNames.ts";
import type { PicturePlace } from "../storage/pictures/picturePlace.ts";
import { markUploads, requireOwnUploads, SITE_MARK } from "../storage/pictures/siteMark.ts";
import { replace, type RestoredSite, STAGING } from "./restoreArchive.ts";

export interface Moved {
  readonly documents: number;
  /** Earlier versions of documents. */
  readonly versions: number;
  readonly records: number;
  /** Files of pictures, and what they take in bytes. */
  readonly pictures: number;
  readonly bytes: number;
}

export interface MoveOptions {
  /** A folder where the data lies on its way; best on the disk that it goes to. */
  readonly workIn: string;
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
  { workIn, now = new Date(), say = () => {} }: MoveOptions,
): Promise<Moved> {
  const movesData = from.data.place !== to.data.place;
  const movesPictures = from.uploads.called !== to.uploads.called;
  if (!movesData && !movesPictures) throw cannotOpen("The site is there already.");
  const siteId = await from.data.siteId();
  if (siteId === undefined) throw cannotOpen(`There is no site in ${from.data.place}.`);
  if (movesData) await refuseOther(to.data, siteId);
  if (movesPictures) await refuseOthers(to.uploads, siteId);
  const { standstill } = from.data;
  await standstill.begin({ data: to.data.place, pictures: to.uploads.called });
  try {
    const wasEmpty = movesData && (await to.data.isEmpty());
    for (let tries = 1; ; tries++) {
      const before = await sumsOf(from.data);
      const copied = movesPictures
        ? await copyPictures(from.uploads, to.uploads, say)
        : { pictures: 0, bytes: 0 };
      const stamp = `${now.toISOString().replace(/[:.]/g, "-")}-${tries}`;
      if (movesData) await copyData(from.data, to.data, { workIn, stamp, wasEmpty });
      const after = await sumsOf(from.data);
      if (tries < MOST_TRIES && differing(before, after).length > 0) continue;
      requireSame(before, after, from.data.place);
      if (movesData) requireSame(before, await sumsOf(to.data), to.data.place);
      if (movesPictures) await markUploads(to.uploads, siteId);
      return { ...countsOf(before), ...copied };
    }
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
      `${data.place} holds another site. Nothing was changed. Choose another place.`,
    );
}

async function refuseOthers(uploads: PicturePlace, siteId: string): Promise<void> {
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
async function copyPictures(from: PicturePlace, to: PicturePlace, say: (line: string) => void) {
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
  readonly workIn: string;
  /** Part of the name by which what was there before can be told. */
  readonly stamp: string;
  /** Whether the new place held nothing when the move began. */
  readonly wasEmpty: boolean;
}

/** Step 4. */
async function copyData(
  from: Engine,
  to: Engine,
  { workIn, stamp, wasEmpty }: Copying,
): Promise<void> {
  const { replacement } = to;
  await ensureFolder(disk, workIn);
  const staging = await mkdtemp(join(workIn, STAGING));
  try {
    for await (const { path, bytes } of from.files()) {
      const file = join(staging, "data", path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await createFile(disk, file, bytes);
    }
    const noted = await replacement.underWay();
    const earlier = noted && { before: noted.before, emptied: noted.emptied };
    const note = earlier ?? { before: `.before-restore-${stamp}`, emptied: false };
    await replace(to, PICTURES_STAY, { staging, note, earlier });
    const secret = await from.secret();
    if (secret) await replacement.putSecret(secret);
    // What an empty place held is nothing to keep.
    if (wasEmpty) await to.removeCopies((await to.copies()).filter(isOf(note.before)));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

const isOf =
  (before: string) =>
  ({ path }: { readonly path: string }) =>
    path.replace(/\D/g, "").endsWith(before.replace(/\D/g, ""));

const PICTURES_STAY: Contents = { async takeOut() {}, async putIn() {}, async undo() {} };

/** What of each document, version and list can be told from another: how many, and a SHA-256. */
type Sums = ReadonlyMap<string, { readonly count: number; readonly sha256: string }>;

/** Whatever keeps it, and however it cuts lists into files. */
async function sumsOf(data: Engine): Promise<Sums> {
  const lists = new Map<string, { count: number; hash: ReturnType<typeof createHash> }>();
  const sums = new Map<string, { count: number; sha256: string }>();
  for await (const { path, bytes } of data.files()) {
    const [folder, file] = path.includes("/") ? path.split("/", 2) : ["", path];
    const isCopy = path.endsWith(".bak") || folder === "migrations";
    if (isCopy || file === "segments.json" || file === "installation.json") continue;
    const envelope = openSealed(bytes);
    if (!envelope) throw cannotOpen(`${path} is damaged. Run: limelight doctor`);
    const { entity, version, revision, savedAt, value } = envelope;
    if (folder === "" || folder === "history") {
      const text = JSON.stringify([entity, version, revision, savedAt, value]);
      sums.set(path, { count: 1, sha256: createHash("sha256").update(text).digest("hex") });
      continue;
    }
    const list = lists.get(entity) ?? { count: 0, hash: createHash("sha256") };
    lists.set(entity, list);
    for (const record of value as unknown[]) {
      list.count++;
      list.hash.update(`${JSON.stringify(record)}\n`);
    }
  }
  for (const [name, { count, hash }] of lists)
    sums.set(`${name}/`, { count, sha256: hash.digest("hex") });
  return sums;
}

function differing(one: Sums, other: Sums): string[] {
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.filter((name) => !Bun.deepEquals(one.get(name), other.get(name)));
}

/** Step 5. */
function requireSame(expected: Sums, found: Sums, place: string): void {
  const other = differing(expected, found);
  if (other.length > 0)
    throw cannotOpen(
      `${place} does not hold what was copied: ${other.slice(0, 5).join(", ")}. The site stays where it was. Try again.`,
    );
}

function countsOf(sums: Sums): Pick<Moved, "documents" | "versions" | "records"> {
  const names = [...sums.keys()];
  return {
    documents: names.filter((name) => !name.includes("/")).length,
    versions: names.filter((name) => name.startsWith("history/")).length,
    records: [...sums].reduce(
      (sum, [name, { count }]) => sum + (name.endsWith("/") ? count : 0),
      0,
    ),
  };
}
