/** Reads a file at the start: falls back to its `.bak`, and brings older versions up to date. */
import { dirname } from "node:path";
import { cannotOpen, isRefusal } from "../errors.ts";
import { type DataFolder, reasonOf } from "./dataFolder.ts";
import { codeOf, ensureFolder, keepAs, syncPath } from "./disk.ts";
import type { Envelope } from "./envelope.ts";
import type { DurableAdapter } from "./jsonFile.ts";

/**
 * Undefined when neither the file nor its `.bak` is there. `migrationCopy` names the place that
 * keeps the file as it was before a migration. Throws `cannot_open` when both are damaged.
 */
export async function openEnvelope<T>(
  folder: DataFolder,
  adapter: DurableAdapter<T>,
  migrationCopy: (storedVersion: number, revision: number) => string,
): Promise<Envelope<T> | undefined> {
  const envelope = (await readMain(folder, adapter)) ?? (await recover(folder, adapter));
  if (!envelope || adapter.storedVersion === adapter.format.version) return envelope;
  return upgrade(folder, adapter, envelope, migrationCopy);
}

/** Null when the file is missing, damaged or can't be read; a damaged one is moved aside. */
async function readMain<T>(folder: DataFolder, adapter: DurableAdapter<T>) {
  try {
    return await adapter.read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    await setAside(folder, adapter, error);
    return null;
  }
}

/** Only when the `.bak` is good is the bad file moved, so that a refusal leaves all as it was. */
async function setAside<T>(folder: DataFolder, adapter: DurableAdapter<T>, damage: unknown) {
  if (!(await backupOf(adapter))) {
    throw cannotOpen(
      `${adapter.path} is damaged (${reasonOf(damage)}), and its copy ${adapter.path}.bak is damaged or missing too. Restore a backup with "limelight restore", then start again. Nothing was changed.`,
      { cause: damage },
    );
  }
  const aside = `${adapter.path}.bad-${new Date().toISOString().replaceAll(/[-:.]/g, "")}`;
  await folder.disk.rename(adapter.path, aside);
  await syncPath(folder.disk, dirname(adapter.path));
  folder.log(`storage: DAMAGED ${adapter.path} (${reasonOf(damage)}); it is kept as ${aside}`);
}

async function recover<T>(
  folder: DataFolder,
  adapter: DurableAdapter<T>,
): Promise<Envelope<T> | undefined> {
  const backup = await backupOf(adapter);
  if (!backup) return undefined;
  folder.log(
    `storage: RECOVERED ${adapter.path} from its .bak, saved at ${backup.savedAt}; the change after that may be lost`,
  );
  // The lost revision's number is not given out again: a client may still hold it as an ETag.
  const recovered = { ...backup, revision: backup.revision + 2 };
  if (adapter.storedVersion !== adapter.format.version) {
    await keepAs(folder.disk, `${adapter.path}.bak`, adapter.path);
    return recovered;
  }
  await folder.write(adapter.format.entity, () => adapter.write(recovered));
  return recovered;
}

async function backupOf<T>(adapter: DurableAdapter<T>): Promise<Envelope<T> | undefined> {
  try {
    return await adapter.readFrom(`${adapter.path}.bak`);
  } catch (error) {
    if (isRefusal(error, "cannot_open")) throw error;
    return undefined;
  }
}

async function upgrade<T>(
  folder: DataFolder,
  adapter: DurableAdapter<T>,
  envelope: Envelope<T>,
  migrationCopy: (storedVersion: number, revision: number) => string,
): Promise<Envelope<T>> {
  const { entity, version } = adapter.format;
  const from = adapter.storedVersion;
  const copy = migrationCopy(from, envelope.revision);
  const upgraded = {
    ...envelope,
    revision: envelope.revision + 1,
    savedAt: new Date().toISOString(),
  };
  await folder.write(entity, async () => {
    await ensureFolder(folder.disk, dirname(copy));
    await keepAs(folder.disk, adapter.path, copy);
    await syncPath(folder.disk, dirname(copy));
    adapter.backup = "previous";
    await adapter.write(upgraded);
  });
  folder.log(`storage: ${adapter.path} went from version ${from} to ${version}; copy in ${copy}`);
  return upgraded;
}

/** A full table of open files says nothing about this file; a wrong version is no damage. */
function isDamage(error: unknown): boolean {
  const code = codeOf(error);
  const passing = code === "EMFILE" || code === "ENFILE" || code === "ENOMEM";
  return !passing && !isRefusal(error, "cannot_open");
}
