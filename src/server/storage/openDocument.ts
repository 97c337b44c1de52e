/** Opens a document's file, or makes it with the initial value. */
import { join } from "node:path";
import { canonical } from "./canonical.ts";
import type { DataFolder } from "./dataFolder.ts";
import { DocumentFile } from "./documentFile.ts";
import { DurableAdapter } from "./durableAdapter.ts";
import type { Envelope, Format } from "./envelope.ts";
import { EnvelopeFile } from "./envelopeFile.ts";
import { openEnvelope } from "./openEnvelope.ts";
import { RevisionArchive } from "./revisionArchive.ts";
import { StorageRefusal } from "./storageErrors.ts";
import type { DocumentSpec } from "./store.ts";

/** `expected`: it was stored before, so a missing file is a loss and never a reason for defaults. */
export async function openDocument<T>(
  folder: DataFolder,
  spec: DocumentSpec<T>,
  expected: boolean,
): Promise<DocumentFile<T>> {
  const { name, version, schema, migrations = {} } = spec;
  const format: Format<T> = { entity: name, version, schema, migrations };
  const archive = spec.keepHistory ? await RevisionArchive.open(folder, format) : undefined;
  const file = await openFile(folder, format, expected, spec.initial);
  return new DocumentFile(spec, file, archive);
}

/** Raises StorageRefusal when an expected file is missing. */
export async function openFile<T>(
  folder: DataFolder,
  format: Format<T>,
  expected: boolean,
  initial: () => T,
  path = join(folder.directory, `${format.entity}.json`),
): Promise<EnvelopeFile<T>> {
  const adapter = new DurableAdapter(folder.disk, path, format);
  const envelope =
    (await openEnvelope(folder, adapter, (from, revision) =>
      join(folder.directory, "migrations", `${format.entity}.v${from}-r${revision}.json`),
    )) ?? (expected ? missing(path) : await create(folder, adapter, initial()));
  return new EnvelopeFile(folder, adapter, envelope);
}

function missing(path: string): never {
  throw new StorageRefusal(
    `${path} is missing, and so is its copy ${path}.bak. Put the file back or restore a backup with "limelight restore", then start again. Nothing was changed.`,
  );
}

async function create<T>(folder: DataFolder, adapter: DurableAdapter<T>, initial: T) {
  const { entity, version, schema } = adapter.format;
  const value = canonical(schema, entity, initial);
  const savedAt = new Date().toISOString();
  const envelope: Envelope<T> = { entity, version, revision: 1, savedAt, value };
  adapter.backup = "same";
  await folder.write(entity, () => adapter.write(envelope));
  return envelope;
}
