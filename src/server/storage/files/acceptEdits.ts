/** Accepts manually edited files: valid ones get a new checksum. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Entity, RecordsEntity } from "../../../schema/entities/entity.ts";
import { disk } from "../disk/realDisk.ts";
import { DataFolder } from "./dataFolder.ts";
import {
  createDocumentFileName,
  SEGMENT_LIST_FILE,
  createSegmentListFormat,
  MARKER_FILE,
  type SiteMarker,
  markerFormat,
} from "../archiveEntries.ts";
import { createProblemFinding, type Finding } from "../engine.ts";
import { createDocumentSpec, createRecordsSpec } from "../entitySpecs.ts";
import { EditedFileError } from "../envelope.ts";
import { canonicalize, type StoredFormat } from "../storedValue.ts";
import { isRefusal } from "../../shared/errors.ts";
import { writeDurably } from "../disk/disk.ts";
import { openInstallation } from "./installation.ts";
import { createJournalFileName, removeJournals } from "./journal.ts";
import { readJsonFile, writeJsonFile } from "./jsonFile.ts";
import { readJournalBytes, readJournals, salvageJournal } from "./readJournals.ts";
import { getErrorCode } from "../../shared/errorDetails.ts";

/** Returns a finding for each file that was accepted or can't be. The caller holds the folder's lock. */
export async function acceptEdits(
  directory: string,
  entities: readonly Entity[],
): Promise<Finding[]> {
  const folder = new DataFolder({
    directory,
    disk,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  const marker = await readJsonFile(
    { folder, path: join(directory, MARKER_FILE), format: markerFormat },
    true,
  );
  const journal = marker && (await acceptJournals(folder, marker.envelope.value));
  const changed = await findLastRevisions(folder);
  const findings = [journal, await acceptFile(folder, MARKER_FILE, markerFormat)];
  for (const entity of entities) {
    if (entity.shape !== "records") {
      const { format } = createDocumentSpec<unknown>(entity);
      // The edit gets a higher revision than the journal's changes, which are older.
      const last = changed.get(entity.name) ?? 0;
      const next = (revision: number) => Math.max(revision, last) + 1;
      findings.push(await acceptFile(folder, createDocumentFileName(entity.name), format, next));
      continue;
    }
    const listFile = join(entity.name, SEGMENT_LIST_FILE);
    findings.push(await acceptFile(folder, listFile, createSegmentListFormat(entity.name)));
    for (const [file, format] of await listSegments(directory, entity))
      // The revision stays, because the journal's changes to the segment's records still apply.
      findings.push(await acceptFile(folder, file, format, (revision) => revision));
  }
  return findings.filter((finding) => finding !== undefined);
}

/** The last revision of each document in the journals, by entity name. */
async function findLastRevisions({ directory, disk }: DataFolder): Promise<Map<string, number>> {
  const { changes } = readJournals(await readJournalBytes(disk, directory), directory);
  const revised = changes.flatMap(({ writes }) =>
    writes.flatMap((write) =>
      "revision" in write ? [[write.entity, write.revision] as const] : [],
    ),
  );
  return new Map(revised);
}

/** Replaces damaged journals by one with the readable changes; undefined if none is damaged. */
async function acceptJournals(
  folder: DataFolder,
  marker: SiteMarker,
): Promise<Finding | undefined> {
  const { directory, disk } = folder;
  const { journal, id: site } = marker;
  if (journal === null) return undefined;
  const files = await readJournalBytes(disk, directory);
  try {
    readJournals(files, directory, { journal, site });
    return undefined;
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
  }
  const salvaged = salvageJournal(files, { journal, site });
  await removeJournals(folder, [...files.keys()]);
  if (salvaged)
    await writeDurably(disk, join(directory, createJournalFileName(journal)), salvaged.bytes);
  else await (await openInstallation(folder, [])).requireAtStart([], null);
  const extent = salvaged ? `${salvaged.lost} of the last changes` : "the last changes";
  return { ok: true, message: `The journal was accepted without ${extent}, which can't be read.` };
}

async function listSegments(directory: string, entity: RecordsEntity) {
  const { createSegmentFormat } = createRecordsSpec(entity);
  const names = await readdir(join(directory, entity.name)).catch(() => []);
  return names
    .filter((name) => /^\d+\.json$/.test(name))
    .sort()
    .map(
      (name) => [join(entity.name, name), createSegmentFormat(Number.parseInt(name, 10))] as const,
    );
}

/** Undefined for a file that is missing or wasn't edited. `next` returns the new revision. */
async function acceptFile<T>(
  folder: DataFolder,
  file: string,
  format: StoredFormat<T>,
  next = (revision: number) => revision + 1,
): Promise<Finding | undefined> {
  const location = { folder, path: join(folder.directory, file), format };
  try {
    await readJsonFile(location);
    return undefined;
  } catch (error) {
    if (!(error instanceof EditedFileError)) return createMismatchFinding(file, error);
  }
  try {
    const edited = await readJsonFile(location, true);
    const { value, revision } = assertDefined(edited, `file ${file}`).envelope;
    const savedAt = new Date().toISOString();
    const accepted = canonicalize(format.schema, format.entity, value);
    await writeJsonFile(location, { revision: next(revision), savedAt, value: accepted });
    return { ok: true, message: `${file} was accepted as edited.` };
  } catch (error) {
    if (getErrorCode(error) === "cannot_store") throw error;
    return createMismatchFinding(file, error);
  }
}

const createMismatchFinding = (file: string, error: unknown) =>
  createProblemFinding(
    `${file} can't be accepted (${error instanceof Error ? error.message : "unknown"}). Undo the edit, or replace the file with its copy ${file}.bak.`,
  );
