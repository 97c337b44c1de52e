/**
 * Opens a file at the start: falls back to its `.bak` when it is damaged or lost, brings an older
 * version up to date, and makes it the first time.
 */
import { dirname, join } from "node:path";
import { cannotOpen, isRefusal, type Refusal } from "../errors.ts";
import { reasonOf } from "./dataFolder.ts";
import { codeOf, ensureFolder, keepAs, syncPath } from "./disk.ts";
import { canonical } from "./envelope.ts";
import { type FilePlace, JsonFile } from "./jsonFile.ts";

/**
 * `expected`: it was stored before, so a missing file is a loss and never a reason for `initial`.
 * Throws `cannot_open` when an expected file is missing, and as `openFile` does.
 */
export async function openOrCreate<T>(
  place: FilePlace<T>,
  expected: boolean,
  initial: () => T,
): Promise<JsonFile<T>> {
  const { folder, format } = place;
  const file = await openFile(place, (version, revision) =>
    join(folder.directory, "migrations", `${format.entity}.v${version}-r${revision}.json`),
  );
  if (file) return file;
  if (expected) throw missing(place.path);
  const value = canonical(format.schema, format.entity, initial());
  return JsonFile.create(place, { revision: 1, savedAt: new Date().toISOString(), value });
}

/** Where the file as it was before a migration stays. */
type MigrationCopy = (version: number, revision: number) => string;

/**
 * Undefined when neither the file nor its `.bak` is there. Throws `cannot_open` when both are
 * damaged, for a newer version, and when a migration fails; the files stay as they are then.
 */
export async function openFile<T>(
  place: FilePlace<T>,
  migrationCopy: MigrationCopy,
): Promise<JsonFile<T> | undefined> {
  const whole = await readOrSetAside(place);
  const file = whole ?? (await recover(place));
  if (file && file.version !== place.format.version) {
    const next = whole ? file.envelope.revision + 1 : afterALoss(file.envelope.revision);
    await upgrade(file, next, migrationCopy(file.version, file.envelope.revision));
  }
  return file;
}

/** For a file that has to be there. */
export function missing(path: string): Refusal {
  return cannotOpen(
    `${path} is missing, and so is its copy ${path}.bak. Put the file back or restore a backup with "limelight restore", then start again. Nothing was changed.`,
  );
}

/** Undefined when the file is missing, damaged or can't be read; a damaged one is moved aside. */
async function readOrSetAside<T>(place: FilePlace<T>): Promise<JsonFile<T> | undefined> {
  try {
    return await JsonFile.read(place);
  } catch (error) {
    if (!isDamage(error)) throw error;
    await setAside(place, error);
    return undefined;
  }
}

/** Too many open files says nothing about this one, and a wrong version isn't damage. */
function isDamage(error: unknown): boolean {
  const passing = ["EMFILE", "ENFILE", "ENOMEM"].includes(codeOf(error) ?? "");
  return !passing && !isRefusal(error, "cannot_open");
}

/** The bad file is moved only when the `.bak` is good, so that a refusal changes nothing. */
async function setAside<T>(place: FilePlace<T>, damage: unknown): Promise<void> {
  const { folder, path } = place;
  if (!(await readBackup(place))) {
    throw cannotOpen(
      `${path} is damaged (${reasonOf(damage)}), and its copy ${path}.bak is damaged or missing too. Restore a backup with "limelight restore", then start again. Nothing was changed.`,
      damage,
    );
  }
  const aside = `${path}.bad-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
  await folder.disk.rename(path, aside);
  await syncPath(folder.disk, dirname(path));
  folder.log(`storage: DAMAGED ${path} (${reasonOf(damage)}); it is kept as ${aside}`);
}

/** Puts the `.bak` in the place of the file; one of an older version goes there as it is. */
async function recover<T>(place: FilePlace<T>): Promise<JsonFile<T> | undefined> {
  const { folder, path, format } = place;
  const backup = await readBackup(place);
  if (!backup) return undefined;
  const { savedAt, revision, value } = backup.envelope;
  folder.log(
    `storage: RECOVERED ${path} from its .bak, saved at ${savedAt}; the change after that may be lost`,
  );
  if (backup.version !== format.version) {
    await keepAs(folder.disk, backup.place.path, path);
    return JsonFile.read(place);
  }
  const recovered = { revision: afterALoss(revision), savedAt, value };
  return JsonFile.create(place, recovered, "untouched");
}

/** The lost revision's number is not reused: a client may still hold its ETag. */
const afterALoss = (revision: number) => revision + 2;

/** Undefined when it is missing or damaged; throws `cannot_open` for a newer version. */
async function readBackup<T>(place: FilePlace<T>): Promise<JsonFile<T> | undefined> {
  try {
    return await JsonFile.read({ ...place, path: `${place.path}.bak` });
  } catch (error) {
    if (isRefusal(error, "cannot_open")) throw error;
    return undefined;
  }
}

/** Its value is of today's schema already, its file is not. */
async function upgrade<T>(file: JsonFile<T>, revision: number, copy: string): Promise<void> {
  const { folder, path, format } = file.place;
  const from = file.version;
  await folder.write(format.entity, async () => {
    await ensureFolder(folder.disk, dirname(copy));
    await keepAs(folder.disk, path, copy);
    await syncPath(folder.disk, dirname(copy));
  });
  const { value } = file.envelope;
  const upgraded = { revision, savedAt: new Date().toISOString(), value };
  await file.replace(upgraded, { backup: "previous" });
  folder.log(`storage: ${path} went from version ${from} to ${format.version}; copy in ${copy}`);
}
