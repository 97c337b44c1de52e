/** Examines a site: all that its engine keeps, and its pictures; whether it is running or not. */
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import { cannotOpen, isRefusal } from "../shared/errors.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { examineRights } from "../storage/examineFolder.ts";
import { keptCopies, type KeptCopy, removeCopies } from "../storage/keptCopies.ts";
import { isOriginalName, namesOf, variantName } from "../storage/pictureNames.ts";
import { requireNoSite, requireOwnUploads } from "../storage/siteMark.ts";

type Upload = Item<"uploads">;

/** What a running site changes while it is looked at is well a moment later. */
const MOMENT_MS = 300;

/** `uploads`: the folder of the pictures. */
export async function examine(data: Engine, uploads: string): Promise<Finding[]> {
  const found = await examineOnce(data, uploads);
  const isWell = found.every(({ ok }) => ok);
  if (isWell || (await data.openedBy()) === undefined) return found;
  await Bun.sleep(MOMENT_MS);
  const again = await examineOnce(data, uploads);
  const before = new Set(found.map(({ message }) => message));
  return again.filter(({ ok, message }) => ok || before.has(message));
}

async function examineOnce(data: Engine, uploads: string): Promise<Finding[]> {
  const stored = await data.examine(allEntities);
  if (await data.replacement.underWay()) return stored;
  if (await data.isEmpty()) return [...stored, ...(await refusalOf(() => requireNoSite(uploads)))];
  if (!(await data.isInstalled())) return stored;
  const listed = await data.peek(entities.uploads);
  const siteId = await data.siteId();
  return [
    ...stored,
    ...(await refusalOf(async () => {
      if (siteId && listed) await requireOwnUploads(uploads, siteId, listed);
    })),
    ...examineOwners(await data.peek(entities.users)),
    await examineRights(uploads),
    // Without its list nothing can be said of a picture; that it can't be read is found already.
    ...(listed ? await examinePictures(listed, await picturesInBin(data), uploads) : []),
    ...copyFindings([...(await data.copies()), ...(await keptCopies(uploads))]),
  ];
}

/** What a start would refuse the folders together for. */
async function refusalOf(check: () => Promise<void>): Promise<Finding[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    return [{ ok: false, message: error.message, refuses: true }];
  }
}

/**
 * Removes the copies in both folders; the caller holds the engine's lock. Throws `cannot_open` while the
 * site does not start, as they may be all there is.
 */
export async function removeKeptCopies(data: Engine, uploads: string): Promise<Finding[]> {
  const refused = (await data.examine(allEntities)).find(({ refuses }) => refuses);
  if (refused)
    throw cannotOpen(
      `The copies stay, since the site would not start as it is: ${refused.message}`,
    );
  const [own, pictures] = [await data.copies(), await keptCopies(uploads)];
  await data.removeCopies(own);
  await removeCopies(uploads, pictures);
  return [...own, ...pictures].map(({ path }) => ({ ok: true, message: `Removed ${path}` }));
}

/** They are no problem, but take room, and hold what was erased since. */
const copyFindings = (copies: readonly KeptCopy[]): Finding[] =>
  copies.map(({ path, size, by }) => ({
    ok: true,
    message: `${path} (${Math.ceil(size / 1024)} KB) was kept by ${by}; --remove-copies removes it`,
  }));

function examineOwners(owners: readonly unknown[] | undefined): Finding[] {
  if (owners?.length !== 0) return [];
  return [
    bad(
      'There is no account, so nobody can log in, and a start shows a link to set the site up. Run "limelight admin create", or restore a backup.',
    ),
  ];
}

async function picturesInBin(data: Engine): Promise<Upload[]> {
  const deleted = (await data.peekRecords(entities.bin)) as Item<"bin">[];
  return deleted
    .filter(({ entity }) => entity === entities.uploads.key)
    .map(({ item }) => item as unknown as Upload);
}

async function examinePictures(
  listed: readonly Upload[],
  deleted: readonly Upload[],
  uploads: string,
): Promise<Finding[]> {
  const names = new Set(await readdir(uploads).catch(() => []));
  const wrong: Finding[] = [];
  for (const upload of listed) {
    const reason = await faultOf(upload, names, uploads);
    if (reason)
      wrong.push(
        bad(
          `The picture ${upload.originalName} ${reason}. Delete it in the dashboard and upload it again.`,
        ),
      );
  }
  for (const upload of deleted) {
    const reason = await faultOf(upload, names, uploads);
    if (reason)
      wrong.push(bad(`The picture ${upload.originalName} in the bin ${reason}. Let it go there.`));
  }
  const known = new Set(listed.map(({ filename }) => filename));
  const unlisted = [...names].filter((name) => isOriginalName(name) && !known.has(name)).toSorted();
  if (unlisted.length > 0)
    wrong.push(
      bad(
        `${uploads} holds pictures that the site does not list: ${unlisted.join(", ")}. If the data is an older copy, restore the newer one; else move them out of the folder.`,
      ),
    );
  return wrong.length > 0
    ? wrong
    : [{ ok: true, message: `${listed.length + deleted.length} pictures, all with their files` }];
}

/** What is wrong with a picture's files, if anything. */
async function faultOf(
  { filename, size, widths }: Upload,
  names: ReadonlySet<string>,
  uploads: string,
): Promise<string | undefined> {
  // One that is just being listed or deleted has another name.
  const original = namesOf(filename).find((name) => names.has(name));
  const variants = widths.map((width) => variantName(filename, width));
  if (!original || variants.some((name) => !names.has(name))) return "has lost a file";
  if ((await sizeOf(join(uploads, original))) !== size) return "has a damaged file";
  for (const name of variants)
    if (!(await isWholeWebp(join(uploads, name)))) return "has a damaged file";
  return undefined;
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size;

const RIFF_HEADER = 8;

/** A WebP says its length in its first bytes. */
async function isWholeWebp(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const head = Buffer.alloc(RIFF_HEADER);
    const { bytesRead } = await file.read(head);
    if (bytesRead < RIFF_HEADER || head.toString("latin1", 0, 4) !== "RIFF") return false;
    return head.readUInt32LE(4) + RIFF_HEADER === (await file.stat()).size;
  } finally {
    await file.close();
  }
}

const bad = (message: string): Finding => ({ ok: false, message });
