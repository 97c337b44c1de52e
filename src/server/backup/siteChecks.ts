/** Examines the stored data and pictures of a site that is running or stopped. */
import { allEntities, entities, type Item } from "../../schema/index.ts";
import { selectBinItems } from "../bin/binItem.ts";
import { isPermissionError } from "../shared/errorDetails.ts";
import { cannotOpen, Refusal } from "../shared/errors.ts";
import { forEachConcurrently } from "../shared/concurrency.ts";
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
  type PictureProblem,
  readFileSizes,
} from "../storage/pictures/pictureIntegrity.ts";
import { assertUnmarked, assertPicturesOfSite } from "../storage/pictures/siteMark.ts";

type Upload = Item<"uploads">;

/** Gives a running site time to complete a change before the second check. */
const RECHECK_DELAY_MS = 300;

/** Examines a site. While the site runs, returns only the problems that a second check finds too. */
export async function examineSite(data: Engine, uploads: PictureStorage): Promise<Finding[]> {
  const findings = await examineSiteOnce(data, uploads);
  const isOk = findings.every(({ ok }) => ok);
  if (isOk || (await data.findLockHolders()).length === 0) return findings;
  await Bun.sleep(RECHECK_DELAY_MS);
  const secondFindings = await examineSiteOnce(data, uploads);
  const firstMessages = new Set(findings.map(({ message }) => message));
  return secondFindings.filter(({ ok, message }) => ok || firstMessages.has(message));
}

async function examineSiteOnce(data: Engine, uploads: PictureStorage): Promise<Finding[]> {
  const dataFindings = await data.examine(allEntities);
  if (await data.replacement.readPendingNote()) return dataFindings;
  if (await data.isEmpty())
    return [...dataFindings, ...(await collectFindings(() => assertUnmarked(uploads)))];
  if (!(await data.isInstalled())) return dataFindings;
  const listedUploads = await data.readDocument(entities.uploads);
  const siteId = await data.readSiteId();
  const storageFinding = await uploads.examine();
  const isBucketUnreachable = uploads.setting === "UPLOADS_S3" && !storageFinding.ok;
  return [
    ...dataFindings,
    ...(await collectFindings(async () => {
      if (siteId && listedUploads && !isBucketUnreachable)
        await assertPicturesOfSite(uploads, siteId, listedUploads);
    })),
    ...((await data.readDocument(entities.users))?.length === 0 ? [NO_ACCOUNT_FINDING] : []),
    isBucketUnreachable ? { ...storageFinding, blocksStart: true } : storageFinding,
    // Skips the pictures if their list can't be read. A finding above reports the unreadable list.
    ...(await collectFindings(async () => [
      ...(listedUploads && !isBucketUnreachable
        ? await examinePictures(listedUploads, await readBinPictures(data), uploads)
        : []),
      ...createCopyFindings([
        ...(await data.findLeftoverCopies()),
        ...(isBucketUnreachable ? [] : await uploads.findLeftoverCopies()),
      ]),
    ])),
  ];
}

/** Returns the findings of `check`, or a finding with its error, if the error would prevent a start. */
async function collectFindings(check: () => Promise<Finding[] | void>): Promise<Finding[]> {
  try {
    return (await check()) ?? [];
  } catch (error) {
    // Throws unexpected errors. A refusal means, for example, that a bucket doesn't respond.
    if (!(error instanceof Refusal) && !isPermissionError(error)) throw error;
    return [createStartRefusalFinding(error)];
  }
}

/**
 * Removes the copies of data and pictures left by restores, migrations and damage. The engine must be locked. Throws
 * `cannot_open` if the site can't start, because the copies may be the only good data.
 */
export async function removeLeftoverCopies(data: Engine, uploads: PictureStorage) {
  const blockingFinding = (await data.examine(allEntities)).find(({ blocksStart }) => blocksStart);
  if (blockingFinding)
    throw cannotOpen(
      `The copies weren't removed, because the site can't start: ${blockingFinding.message}`,
    );
  const [dataCopies, pictureCopies] = [
    await data.findLeftoverCopies(),
    await uploads.findLeftoverCopies(),
  ];
  await data.removeCopies(dataCopies);
  await uploads.removeCopies(pictureCopies);
  const paths = [...dataCopies, ...pictureCopies].map(({ path }) => path);
  return paths.map((path) => ({ ok: true, isNote: true, message: `Removed ${path}` }));
}

/** Lists leftover copies. They do no harm, but take up space and may contain data that was erased later. */
const createCopyFindings = (copies: readonly LeftoverCopy[]): Finding[] =>
  copies.map(({ path, size, origin }) => ({
    ok: true,
    isNote: true,
    message: `${path} (${Math.ceil(size / 1024)} KB) is left over from ${origin}; --remove-copies deletes it`,
  }));

const NO_ACCOUNT_FINDING = createLossFinding(
  'The site has no account, so nobody can log in. When it starts, it prints a setup link. Run "limelight admin create", or restore a backup.',
);

async function readBinPictures(data: Engine): Promise<Upload[]> {
  const deleted = await data.readRecords(entities.bin);
  // Skips items that only a newer release can read, because a finding would advise deleting their files.
  return selectBinItems(deleted, entities.uploads).flatMap(({ item, isReadable }) =>
    isReadable ? item : [],
  );
}

async function examinePictures(
  listed: readonly Upload[],
  deleted: readonly Upload[],
  uploads: PictureStorage,
): Promise<Finding[]> {
  const sizes = await readFileSizes(uploads);
  const problems = new Map<Upload, PictureProblem>();
  await forEachConcurrently([...listed, ...deleted], async (upload) => {
    const problem = await inspectPicture(uploads, upload, sizes);
    if (problem) problems.set(upload, problem);
  });
  const findings: Finding[] = [...problems].map(([upload, problem]) => ({
    ok: false,
    isPictureProblem: true,
    message: listed.includes(upload)
      ? `The image ${formatPictureName(upload)} ${problem}. Delete it in the dashboard and upload it again.`
      : `The image ${formatPictureName(upload)} in the trash ${problem}. Delete it permanently there.`,
  }));
  const listedNames = new Set(listed.map(({ filename }) => filename));
  const originals = [...sizes.keys()].filter(isOriginalName);
  const unlisted = originals.filter((name) => !listedNames.has(name));
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
