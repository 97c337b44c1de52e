/** Opens a file during a start: recovers a damaged file from its `.bak`, and migrates an older version. */
import { dirname, join } from "node:path";
import { cannotOpenDamaged, isRefusal, Refusal } from "../../shared/errors.ts";
import { getErrorReason } from "./dataFolder.ts";
import { copyFile, ensureFolder, syncPath } from "../disk/disk.ts";
import { type DecodedEnvelope, EditedFileError, matchesChecksum } from "../envelope.ts";
import { canonicalize } from "../storedValue.ts";
import { type FileLocation, readJsonFile, writeJsonFile } from "./jsonFile.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";

/** Opens a file, or creates it. `wasStored`: the file was stored before, so it must exist. Throws `cannot_open`. */
export async function openOrCreate<T>(
  location: FileLocation<T>,
  wasStored: boolean,
  createInitialValue: () => T,
): Promise<DecodedEnvelope<T>> {
  const { folder, format } = location;
  const file = await openFile(location, {
    wasStored,
    createMigrationCopyPath: (version, revision) =>
      join(folder.directory, "migrations", `${format.entity}.v${version}-r${revision}.json`),
  });
  if (file) return file;
  if (wasStored) throw createMissingFileRefusal(location.path);
  const value = canonicalize(format.schema, format.entity, createInitialValue());
  const { entity, version } = format;
  const envelope = { entity, version, revision: 1, savedAt: new Date().toISOString(), value };
  await writeJsonFile(location, envelope);
  return { envelope, version, checksum: undefined };
}

interface FileExpectation {
  /** Returns the path to which the file is copied before a migration. If undefined, the file isn't copied. */
  readonly createMigrationCopyPath?: (version: number, revision: number) => string;
  /** True if the file was stored before. If only its copy is found, a recovery is logged. */
  readonly wasStored: boolean;
  /** The minimum revision. A file with a lower revision is outdated, perhaps copied back by hand. Default: 0. */
  readonly minRevision?: number;
  /** Whether an undamaged file is compared with its `.bak`. Default: true. */
  readonly shouldCompareCopy?: boolean;
}

/** Opens a file or its `.bak`; undefined if neither exists. Throws `cannot_open`, and leaves both files unchanged. */
export async function openFile<T>(
  location: FileLocation<T>,
  expectation: FileExpectation,
): Promise<DecodedEnvelope<T> | undefined> {
  const file = await recoverFile(location, expectation);
  if (!file) return undefined;
  const { version, envelope } = file;
  if (version !== location.format.version && expectation.createMigrationCopyPath)
    await saveBeforeMigration(
      location,
      version,
      expectation.createMigrationCopyPath(version, envelope.revision),
    );
  return file;
}

export function createMissingFileRefusal(path: string): Refusal {
  return cannotOpenDamaged(
    `${path} is missing, and so is its copy ${path}.bak. Put the file back or restore a backup with "limelight restore", then start again. Nothing was changed.`,
    { path },
  );
}

/** The result of reading a file: the file, the error if it is damaged, or neither if it is missing. */
interface ReadResult<T> {
  readonly file?: DecodedEnvelope<T>;
  readonly damage?: unknown;
}

async function recoverFile<T>(
  location: FileLocation<T>,
  { minRevision = 0, shouldCompareCopy = true, wasStored }: FileExpectation,
): Promise<DecodedEnvelope<T> | undefined> {
  const [main, copyBytes] = await Promise.all([
    readOrDamage(location, minRevision),
    // Errors are ignored, since a missing or unreadable copy is read again below.
    shouldCompareCopy
      ? location.folder.disk.read(`${location.path}.bak`).catch(() => undefined)
      : undefined,
  ]);
  // If the copy has the same valid checksum, its content is the same, so the copy isn't parsed.
  if (
    main.file &&
    (!shouldCompareCopy || (copyBytes && matchesChecksum(main.file.checksum, copyBytes)))
  )
    return main.file;
  const copy = await readOrDamage(getCopyLocation(location), minRevision);
  if (main.file) return reconcileCopies(location, main.file, copy);
  if (copy.file) return recoverFromCopy(location, copy.file, main.damage, wasStored);
  if (main.damage !== undefined) throw createBothDamagedRefusal(location.path, main.damage);
  return undefined;
}

const getCopyLocation = <T>(location: FileLocation<T>): FileLocation<T> => ({
  ...location,
  path: `${location.path}.bak`,
});

async function readOrDamage<T>(
  location: FileLocation<T>,
  minRevision: number,
): Promise<ReadResult<T>> {
  try {
    const file = await readJsonFile(location);
    if (!file) return {};
    if (file.envelope.revision < minRevision)
      throw new Error(`is older than the stored revision (${minRevision})`);
    return { file };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { damage: error };
  }
}

/** Too many open files, a lack of memory and a version that can't be migrated aren't damage. */
function isDamage(error: unknown): boolean {
  const isShortage = ["EMFILE", "ENFILE", "ENOMEM"].includes(getErrorCode(error) ?? "");
  return !isShortage && !isRefusal(error, "cannot_open");
}

/** Overwrites the older of a file and its `.bak` with the newer. After an interrupted write, the `.bak` is newer. */
async function reconcileCopies<T>(
  location: FileLocation<T>,
  file: DecodedEnvelope<T>,
  copy: ReadResult<T>,
): Promise<DecodedEnvelope<T>> {
  const { envelope } = file;
  const { file: copiedFile } = copy;
  if (!copiedFile) {
    if (copy.damage !== undefined) await renameDamagedFile(getCopyLocation(location), copy.damage);
    await rewriteCopy(location, copy.damage === undefined ? "was missing" : "was damaged");
    return file;
  }
  const copyEnvelope = copiedFile.envelope;
  if (copyEnvelope.revision > envelope.revision) {
    location.folder.log(
      `storage: completed an interrupted write of ${location.path} from its copy, saved at ${copyEnvelope.savedAt}`,
    );
    await copyFile(location.folder.disk, `${location.path}.bak`, location.path);
    return copiedFile;
  }
  if (copyEnvelope.revision < envelope.revision) await rewriteCopy(location, "was older");
  else if (!Bun.deepEquals(copyEnvelope.value, envelope.value))
    throw new Refusal(
      "cannot_open",
      `${location.path} and its copy ${location.path}.bak contradict each other, and it is unclear which is right. Compare them, move the wrong one out of the folder, then start again. Nothing was changed.`,
      { path: location.path },
    );
  return file;
}

async function rewriteCopy({ folder, path }: FileLocation<any>, reason: string): Promise<void> {
  if (reason === "was missing") folder.onDamage?.(`${path}.bak`, createMissingFileRefusal(path));
  await copyFile(folder.disk, path, `${path}.bak`);
  folder.log(`storage: wrote a new copy of ${path}: the old one ${reason}`);
}

async function recoverFromCopy<T>(
  location: FileLocation<T>,
  copy: DecodedEnvelope<T>,
  damage: unknown,
  wasStored: boolean,
): Promise<DecodedEnvelope<T>> {
  const { folder, path } = location;
  if (damage !== undefined) await renameDamagedFile(location, damage);
  else if (wasStored) folder.onDamage?.(path, createMissingFileRefusal(path));
  if (wasStored || damage !== undefined)
    folder.log(
      `storage: RECOVERED ${path} from its copy, saved at ${copy.envelope.savedAt}; nothing is lost`,
    );
  await copyFile(folder.disk, `${path}.bak`, path);
  return copy;
}

/** Renames a damaged file by appending `.bad-` and the time to its name, and logs the new name. */
async function renameDamagedFile(
  { folder, path }: Pick<FileLocation<unknown>, "folder" | "path">,
  damage: unknown,
): Promise<void> {
  folder.onDamage?.(path, damage);
  const movedPath = `${path}.bad-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
  await folder.disk.rename(path, movedPath);
  await syncPath(folder.disk, dirname(path));
  const editHint =
    damage instanceof EditedFileError
      ? `. If you changed it by hand, stop the site, move it back and run "limelight doctor --accept"`
      : "";
  folder.log(
    `storage: DAMAGED ${path} (${getErrorReason(damage)}); it was renamed to ${movedPath}${editHint}`,
  );
}

function createBothDamagedRefusal(path: string, damage: unknown): Refusal {
  const editHint =
    damage instanceof EditedFileError
      ? ` If you changed it by hand, run "limelight doctor --accept", which accepts it if it is valid.`
      : "";
  return cannotOpenDamaged(
    `${path} is damaged (${getErrorReason(damage)}), and its copy ${path}.bak is damaged or missing too. Restore a backup with "limelight restore", then start again.${editHint} Nothing was changed.`,
    { cause: damage, path },
  );
}

/** Copies a file before its value is migrated, since the next checkpoint overwrites the file. */
async function saveBeforeMigration(
  { folder, path, format }: FileLocation<any>,
  version: number,
  copyPath: string,
): Promise<void> {
  await folder.write(format.entity, async () => {
    await ensureFolder(folder.disk, dirname(copyPath));
    await copyFile(folder.disk, path, copyPath);
  });
  folder.log(
    `storage: migrated ${path} from version ${version} to ${format.version}; the old file is ${copyPath}`,
  );
}
