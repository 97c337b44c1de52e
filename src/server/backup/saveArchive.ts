/**
 * Saves a site as one file, complete or not at all:
 *
 * 1. Refuse an unsuitable target.
 * 2. Write the archive beside the target, under another name.
 * 3. Verify the archive: unpack it, check every byte, and check that a site can start from it.
 * 4. Rename the archive to the target.
 *
 * After a failure, the new files are removed, and an existing archive with the target's name stays unchanged.
 */
import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { cannotOpen, isRefusal, describeError } from "../shared/errors.ts";
import { ignoreMissing, syncPath } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { createFolderEngine } from "../storage/files/folderEngine.ts";
import { createFolderStorage } from "../storage/pictures/folderStorage.ts";
import { examineSite } from "./siteChecks.ts";
import { type ContentSummary, summarizeEngine } from "./contentSummary.ts";
import { unpackArchive } from "./unpackArchive.ts";
import { type SiteStorage, createArchiveStream, SourceChangedError } from "./writeArchive.ts";
import {
  getErrorCause,
  getErrorCode,
  getErrorMessage,
  isSystemError,
} from "../shared/errorDetails.ts";

interface SavedArchive {
  /** The archive's size in bytes. */
  readonly size: number;
  /** Sentences for people about files that were left out, and about problems that don't prevent a start. */
  readonly remarks: readonly string[];
  /** Whether a picture in the archive is damaged or lacks a file. */
  readonly hasDamage: boolean;
  readonly summary: ContentSummary;
}

/** Saves a site as one file. If saving fails, throws `cannot_open` with a message that says what to do. */
export async function saveArchive(
  file: string,
  site: SiteStorage,
  now = new Date(),
): Promise<SavedArchive> {
  await assertUsableTarget(file, site);
  const partialPath = `${file}.part`;
  const verificationFolder = join(dirname(partialPath), `.${basename(partialPath)}.check`);
  try {
    const excluded = await writeConsistently(partialPath, site, now);
    const { problems, summary } = await verifyArchive(partialPath, verificationFolder, site.data);
    await rename(partialPath, file);
    await syncPath(disk, dirname(file));
    return {
      size: Bun.file(file).size,
      remarks: [
        ...excluded,
        ...problems.map(({ message }) => `Saved despite a problem: ${message}`),
      ],
      hasDamage: problems.some(({ isPictureProblem }) => isPictureProblem),
      summary,
    };
  } catch (error) {
    throw isRefusal(error, "cannot_open") ? error : toRefusal(error, file, site);
  } finally {
    await rm(partialPath, { force: true }).catch(() => {});
    await rm(verificationFolder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Step 1: throws `cannot_open` for an unsuitable target. */
async function assertUsableTarget(file: string, { data, uploads }: SiteStorage): Promise<void> {
  const folder = dirname(file);
  const folderStats = await stat(folder).catch(() => undefined);
  if (!folderStats?.isDirectory())
    throw cannotOpen(
      `${folder} isn't a folder that Limelight can open. Nothing was saved. Create it, or check its permissions.`,
    );
  const existing = await ignoreMissing(stat(file));
  if (existing && !existing.isFile())
    throw cannotOpen(
      `${file} is a ${existing.isDirectory() ? "folder" : "device"}. Nothing was saved. Specify a file.`,
    );
  const target = (await realpath(folder)) + sep;
  for (const location of [data.location, uploads.folder]) {
    const path = await ignoreMissing(realpath(location));
    if (path !== undefined && target.startsWith(path + sep))
      throw cannotOpen(
        `${file} is inside the site's own folder ${location}. Nothing was saved. Save it somewhere else, preferably on another disk.`,
      );
  }
}

/** An attempt to write the archive fails if a picture is deleted meanwhile. */
const MAX_ATTEMPTS = 3;

/** Step 2: writes the archive. Returns sentences about the files that were left out. */
async function writeConsistently(
  partPath: string,
  site: SiteStorage,
  now: Date,
): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const excluded: string[] = [];
    const archive = createArchiveStream(site, now, {
      reportExcluded: (path, reason) => excluded.push(`Left out ${path}: ${reason}.`),
    });
    try {
      await writeArchive(partPath, archive);
      return excluded;
    } catch (error) {
      if (isRefusal(error, "cannot_open")) throw createUnstartableRefusal(error.message);
      if (!(error instanceof SourceChangedError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function writeArchive(partPath: string, archive: AsyncIterable<Uint8Array>): Promise<void> {
  await rm(partPath, { force: true });
  const handle = await open(partPath, "wx", 0o600);
  try {
    for await (const bytes of archive) await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Step 3: verifies the archive. Throws `cannot_open` if no site could start from it. */
async function verifyArchive(
  partPath: string,
  verificationFolder: string,
  data: Engine,
): Promise<{ problems: Finding[]; summary: ContentSummary }> {
  await rm(verificationFolder, { recursive: true, force: true });
  await mkdir(verificationFolder, { mode: 0o700 });
  for (const name of ["data", "uploads"])
    await mkdir(join(verificationFolder, name), { mode: 0o700 });
  await unpackArchive(partPath, verificationFolder, { isDurable: false }).catch(throwVerifyError);
  const unpackedData = createFolderEngine(join(verificationFolder, "data"));
  const findings = await examineSite(
    unpackedData,
    createFolderStorage(join(verificationFolder, "uploads")),
  );
  const blockingFinding = findings.find(({ blocksStart }) => blocksStart);
  if (!blockingFinding)
    return {
      problems: findings.filter(({ ok }) => !ok),
      summary: await summarizeEngine(unpackedData),
    };
  // The error is in the site's own data, so the message shows the path of that data.
  const message = blockingFinding.message.replaceAll(
    join(verificationFolder, "data"),
    data.location,
  );
  throw createUnstartableRefusal(message);
}

/** Replaces errors of `unpackArchive`, since their advice about restoring would be wrong for a new archive. */
function throwVerifyError(error: unknown): never {
  const cause = getErrorCause(error);
  throw isSystemError(cause)
    ? cause
    : new DamagedArchiveError(getErrorMessage(error), { cause: error });
}

class DamagedArchiveError extends Error {}

const createUnstartableRefusal = (message: string) =>
  cannotOpen(`Nothing was saved: a site restored from this archive couldn't start. ${message}`);

function toRefusal(error: unknown, file: string, { data, uploads }: SiteStorage): Error {
  if (error instanceof SourceChangedError)
    return cannotOpen(
      "The trash kept changing while the archive was being made. Nothing was saved. Try again.",
      error,
    );
  if (error instanceof DamagedArchiveError)
    return cannotOpen(
      `${file} couldn't be read back intact. Nothing was saved. Check the disk, or save somewhere else.`,
      error,
    );
  // An error of the pictures' bucket already has a message for people.
  if (isRefusal(error, "cannot_store"))
    return cannotOpen(`${error.message} Nothing was saved.`, error);
  const code = getErrorCode(error) ?? describeError(error);
  const path = (error as { path?: string }).path ?? "";
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code))
    return cannotOpen(
      `Not enough disk space for ${file}: saving needs space for the archive and, while it is checked, for a copy of the site. Nothing was saved. Free up space, or save somewhere else.`,
      error,
    );
  const location = [data.location, uploads.folder].find((each) => path.startsWith(each));
  if (location)
    return cannotOpen(
      `${path} can't be read (${code}). Nothing was saved. Run: limelight doctor`,
      error,
    );
  return cannotOpen(
    `Writing ${file} failed (${code}). Nothing was saved. Check the disk, or save somewhere else.`,
    error,
  );
}
