/** Examines a site, running or not: everything its engine stores, and its pictures. */
import { allEntities, entities, type Item } from "../../schema/index.ts";
import { selectBinItems } from "../bin/binItem.ts";
import { isPermissionError } from "../shared/errorDetails.ts";
import { cannotOpen, Refusal } from "../shared/errors.ts";
import { forEachConcurrently } from "../shared/forEachConcurrently.ts";
import {
  type Engine,
  type Finding,
  type LeftoverCopy,
  createLossFinding,
  createStartRefusalFinding,
} from "../storage/engine.ts";
import { isOriginalName } from "../storage/pictures/pictureNames.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import {
  inspectPicture,
  formatPictureName,
  type PictureFault,
  readFileSizes,
} from "../storage/pictures/pictureIntegrity.ts";
import { assertUnmarked, assertPicturesOfSite } from "../storage/pictures/siteMark.ts";

type Upload = Item<"uploads">;

/** Files that a running site changes during a check are fine shortly after. */
const RECHECK_DELAY_MS = 300;

/** Findings of both places; repeated if a running site may have changed something meanwhile. */
export async function examineSite(data: Engine, uploads: PictureStorage): Promise<Finding[]> {
  const findings = await examineSiteOnce(data, uploads);
  const isWell = findings.every(({ ok }) => ok);
  if (isWell || (await data.lockHolders()).length === 0) return findings;
  await Bun.sleep(RECHECK_DELAY_MS);
  const again = await examineSiteOnce(data, uploads);
  const before = new Set(findings.map(({ message }) => message));
  return again.filter(({ ok, message }) => ok || before.has(message));
}

async function examineSiteOnce(data: Engine, uploads: PictureStorage): Promise<Finding[]> {
  const stored = await data.examine(allEntities);
  if (await data.replacement.readPendingNote()) return stored;
  if (await data.isEmpty())
    return [...stored, ...(await findStartRefusals(() => assertUnmarked(uploads)))];
  if (!(await data.isInstalled())) return stored;
  const listed = await data.readDocument(entities.uploads);
  const siteId = await data.readSiteId();
  const reached = await uploads.examine();
  const isBucketUnreachable = uploads.setting === "UPLOADS_S3" && !reached.ok;
  return [
    ...stored,
    ...(await findStartRefusals(async () => {
      if (siteId && listed && !isBucketUnreachable)
        await assertPicturesOfSite(uploads, siteId, listed);
    })),
    ...examineOwners(await data.readDocument(entities.users)),
    isBucketUnreachable ? { ...reached, blocksStart: true } : reached,
    // Pictures need their list; if that can't be read, it is already a finding.
    ...(await collectFindings(async () => [
      ...(listed && !isBucketUnreachable
        ? await examinePictures(listed, await readBinPictures(data), uploads)
        : []),
      ...createCopyFindings([
        ...(await data.leftoverCopies()),
        ...(isBucketUnreachable ? [] : await uploads.findCopies()),
      ]),
    ])),
  ];
}

/** Why a start would refuse the folders together. */
const findStartRefusals = (check: () => Promise<void>): Promise<Finding[]> =>
  collectFindings(async () => {
    await check();
    return [];
  });

/** The findings of `check`, or that it has no permission to read. */
async function collectFindings(check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    // Also for a bucket that doesn't respond.
    if (!(error instanceof Refusal) && !isPermissionError(error)) throw error;
    return [createStartRefusalFinding(error)];
  }
}

/**
 * Removes the copies in both folders; the caller holds the engine's lock. Throws `cannot_open` if the site doesn't
 * start, as they may be all there is.
 */
export async function removeLeftoverCopies(
  data: Engine,
  uploads: PictureStorage,
): Promise<Finding[]> {
  const refused = (await data.examine(allEntities)).find(({ blocksStart }) => blocksStart);
  if (refused)
    throw cannotOpen(
      `The copies weren't removed, because the site can't start: ${refused.message}`,
    );
  const [dataCopies, pictures] = [await data.leftoverCopies(), await uploads.findCopies()];
  await data.removeCopies(dataCopies);
  await uploads.removeCopies(pictures);
  return [...dataCopies, ...pictures].map(({ path }) => ({
    ok: true,
    isNote: true,
    message: `Removed ${path}`,
  }));
}

/** No problem, but they take space and contain what was erased since. */
const createCopyFindings = (copies: readonly LeftoverCopy[]): Finding[] =>
  copies.map(({ path, size, by }) => ({
    ok: true,
    isNote: true,
    message: `${path} (${Math.ceil(size / 1024)} KB) is left over from ${by}; --remove-copies deletes it`,
  }));

function examineOwners(owners: readonly unknown[] | undefined): Finding[] {
  if (owners?.length !== 0) return [];
  return [
    createLossFinding(
      'The site has no account, so nobody can log in. When it starts, it prints a setup link. Run "limelight admin create", or restore a backup.',
    ),
  ];
}

async function readBinPictures(data: Engine): Promise<Upload[]> {
  const deleted = await data.readRecords(entities.bin);
  // No message advises to delete files that this release can't read.
  return selectBinItems(deleted, entities.uploads).flatMap(({ item, isRead }) =>
    isRead ? item : [],
  );
}

async function examinePictures(
  listed: readonly Upload[],
  deleted: readonly Upload[],
  uploads: PictureStorage,
): Promise<Finding[]> {
  const sizes = await readFileSizes(uploads);
  const wrong = new Map<Upload, PictureFault>();
  await forEachConcurrently([...listed, ...deleted], async (upload) => {
    const { fault } = await inspectPicture(uploads, upload, sizes);
    if (fault) wrong.set(upload, fault);
  });
  const findings: Finding[] = [...wrong].map(([upload, fault]) => ({
    ok: false,
    isPicture: true,
    message: listed.includes(upload)
      ? `The image ${formatPictureName(upload)} ${fault}. Delete it in the dashboard and upload it again.`
      : `The image ${formatPictureName(upload)} in the trash ${fault}. Delete it permanently there.`,
  }));
  const listedNames = new Set(listed.map(({ filename }) => filename));
  const unlisted = [...sizes.keys()].filter(
    (name) => isOriginalName(name) && !listedNames.has(name),
  );
  if (unlisted.length > 0)
    findings.push(
      createLossFinding(
        `${uploads.label} contains pictures that aren't in the site's list: ${unlisted.toSorted().join(", ")}. If the data is an older copy, restore the newer one. Otherwise, move the pictures elsewhere.`,
      ),
    );
  return findings.length > 0
    ? findings
    : [{ ok: true, message: `${listed.length + deleted.length} pictures, no files missing` }];
}
