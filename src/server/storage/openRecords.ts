/**
 * Opens a folder of segments and builds the index. `segments.json` says which numbers there have to
 * be, so that a lost segment is noticed wherever it was; it names a segment only once that one is
 * on the disk, and stops naming one before its file is removed.
 */
import { join } from "node:path";
import * as v from "valibot";
import { cannotOpen } from "../errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { ensureFolder, ifThere, listIfThere, syncPath } from "./disk.ts";
import { openFile } from "./document.ts";
import type { Format } from "./envelope.ts";
import type { EnvelopeFile } from "./jsonFile.ts";
import { SegmentedRecords } from "./records.ts";
import { openEnvelope } from "./recovery.ts";
import { SegmentFiles } from "./segmentFiles.ts";
import { SegmentIndex } from "./segmentIndex.ts";
import type { RecordsSpec } from "./entitySpecs.ts";

const rangeSchema = v.object({ first: v.number(), last: v.number() });
type Range = v.InferOutput<typeof rangeSchema>;

/** `expected`: the records were stored before, so a missing file is a loss. Throws `cannot_open`. */
export async function openRecords<T extends { id: string }, K>(
  folder: DataFolder,
  spec: RecordsSpec<T, K>,
  expected: boolean,
): Promise<SegmentedRecords<T, K>> {
  const files = new SegmentFiles<T>(folder, spec as RecordsSpec<T, never>);
  await ensureFolder(folder.disk, files.directory);
  const stored = await storedNumbers(files);
  if (!expected && stored.length === 0) stored.push(await createSegment(files, 1));
  const manifest = await openManifest(files, expected, stored);
  const index = new SegmentIndex<T, K>(spec);
  await loadAll(files, index, manifest, stored);
  await collectCopies(files);
  return new SegmentedRecords(spec, files, index, async () => {
    const number = await createSegment(files, index.last + 1);
    await saveRange(manifest, { ...manifest.published.value, last: number });
    index.replace(number, [], [], 0);
    return number;
  });
}

async function loadAll<T extends { id: string }, K>(
  files: SegmentFiles<T>,
  index: SegmentIndex<T, K>,
  manifest: EnvelopeFile<Range>,
  stored: number[],
): Promise<void> {
  const { first, last: named } = manifest.published.value;
  const last = Math.max(named, ...stored);
  let firstFilled: number | undefined;
  for (let number = first; number <= last; number++) {
    const { records, bytes } = await readSegment(files, number);
    if (records.length > 0) firstFilled ??= number;
    if (firstFilled !== undefined || number === last) index.replace(number, [], records, bytes);
  }
  const range = { first: firstFilled ?? last, last };
  if (range.first !== first || last !== named) await saveRange(manifest, range);
  await removeSegments(
    files,
    stored.filter((number) => number < range.first),
  );
}

async function readSegment<T extends { id: string }>(files: SegmentFiles<T>, number: number) {
  const adapter = files.adapter(number);
  const { directory } = files.folder;
  const envelope = await openEnvelope(files.folder, adapter, (from) =>
    join(directory, "migrations", files.format.entity, `${segmentName(number)}.v${from}.json`),
  );
  if (!envelope) {
    throw cannotOpen(
      `${adapter.path} is missing, and so is its copy ${adapter.path}.bak. Put the file back or restore a backup with "limelight restore", then start again. Nothing was changed.`,
    );
  }
  return { records: envelope.value, bytes: adapter.size };
}

const segmentName = (number: number) => String(number).padStart(6, "0");

/** Ascending; a segment counts when its `.bak` alone is there. */
async function storedNumbers<T extends { id: string }>(files: SegmentFiles<T>): Promise<number[]> {
  const names = await listIfThere(files.folder.disk, files.directory);
  const numbers = names.flatMap((name) => /^(\d{6,})\.json(\.bak)?$/.exec(name)?.[1] ?? []);
  return [...new Set(numbers.map(Number))].sort((one, other) => one - other);
}

function openManifest<T extends { id: string }>(
  files: SegmentFiles<T>,
  expected: boolean,
  stored: number[],
): Promise<EnvelopeFile<Range>> {
  const format: Format<Range> = {
    entity: `${files.format.entity}/segments`,
    version: 1,
    schema: rangeSchema,
    migrations: {},
  };
  const found = () => ({ first: stored[0] ?? 1, last: stored.at(-1) ?? 1 });
  const path = join(files.directory, "segments.json");
  return openFile(files.folder, format, expected, found, path);
}

/** The `.bak` gets the new range too: an older one could name segments that are gone. */
function saveRange(manifest: EnvelopeFile<Range>, value: Range): Promise<void> {
  const revision = manifest.published.revision + 1;
  return manifest.replace({ value, revision, savedAt: new Date().toISOString(), backup: "same" });
}

/** Gives the number back. */
async function createSegment<T extends { id: string }>(files: SegmentFiles<T>, number: number) {
  const { entity, version } = files.format;
  const savedAt = new Date().toISOString();
  const envelope = { entity, version, revision: 1, savedAt, value: [] };
  const adapter = files.adapter(number);
  adapter.backup = "same";
  await files.folder.write(entity, () => adapter.write(envelope));
  return number;
}

/** Emptied ones at the beginning, so that years of deleting don't slow the start. */
async function removeSegments<T extends { id: string }>(files: SegmentFiles<T>, numbers: number[]) {
  if (numbers.length === 0) return;
  const { disk } = files.folder;
  for (const number of numbers) {
    await ifThere(disk.remove(files.pathOf(number)));
    await ifThere(disk.remove(`${files.pathOf(number)}.bak`));
  }
  await syncPath(disk, files.directory);
}

async function collectCopies<T extends { id: string }>(files: SegmentFiles<T>): Promise<void> {
  const { disk, directory } = files.folder;
  const migrations = join(directory, "migrations", files.format.entity);
  for (const folder of [files.directory, migrations]) {
    for (const name of await listIfThere(disk, folder)) {
      const number = Number(/^(\d{6,})\.(v\d+\.json|json\.bad-.*)$/.exec(name)?.[1]);
      if (!number) continue;
      files.copies.set(number, [...(files.copies.get(number) ?? []), join(folder, name)]);
    }
  }
}
