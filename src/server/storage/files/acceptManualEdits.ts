/** Accepts manually edited files. Each file that fits its schema gets a new checksum. */
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
import { createProblem, type Finding } from "../engine.ts";
import { createDocumentSpec, createRecordsSpec } from "../entitySpecs.ts";
import { EditedFileError } from "../envelope.ts";
import { canonicalize, type StoredFormat } from "../storedValue.ts";
import { isRefusal } from "../../shared/errors.ts";
import { writeDurably } from "../disk/disk.ts";
import { openInstallation } from "./installation.ts";
import { createJournalFileName, removeJournals } from "./journal.ts";
import { readJsonFile, writeJsonFile } from "./jsonFile.ts";
import { readJournalBytes, parseJournals, salvageJournal } from "./readJournals.ts";
import { getErrorCode, getErrorMessage } from "../../shared/errorDetails.ts";

/** Returns a finding for each edited file. The caller must hold the folder's lock. */
export async function acceptManualEdits(
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
  const markerFile = await readJsonFile(
    { folder, path: join(directory, MARKER_FILE), format: markerFormat },
    true,
  );
  const journalFinding = markerFile && (await acceptJournals(folder, markerFile.envelope.value));
  const lastRevisions = await findLastRevisions(folder);
  const findings = [journalFinding, await acceptFile(folder, MARKER_FILE, markerFormat)];
  for (const entity of entities) {
    if (entity.shape !== "records") {
      const { format } = createDocumentSpec<unknown>(entity);
      // The edited file gets a higher revision than the journal's, so a start doesn't apply older changes to it.
      const lastRevision = lastRevisions.get(entity.name) ?? 0;
      const getNextRevision = (revision: number) => Math.max(revision, lastRevision) + 1;
      findings.push(
        await acceptFile(folder, createDocumentFileName(entity.name), format, getNextRevision),
      );
      continue;
    }
    const listFile = join(entity.name, SEGMENT_LIST_FILE);
    findings.push(await acceptFile(folder, listFile, createSegmentListFormat(entity.name)));
    for (const [file, format] of await listSegments(directory, entity))
      // The file keeps its revision, so that the journal's changes to the segment's records still apply.
      findings.push(await acceptFile(folder, file, format, (revision) => revision));
  }
  return findings.filter((finding) => finding !== undefined);
}

/** Returns the last revision of each document in the journals, by the entity's name. */
async function findLastRevisions({ directory, disk }: DataFolder): Promise<Map<string, number>> {
  const { changes } = parseJournals(await readJournalBytes(disk, directory), directory);
  const revisionEntries = changes.flatMap(({ writes }) =>
    writes.flatMap((write) =>
      "revision" in write ? [[write.entity, write.revision] as const] : [],
    ),
  );
  return new Map(revisionEntries);
}

/** Replaces all journals with one journal of the readable changes. Returns undefined if no journal is damaged. */
async function acceptJournals(
  folder: DataFolder,
  marker: SiteMarker,
): Promise<Finding | undefined> {
  const { directory, disk } = folder;
  const { journal: journalNumber, id: siteId } = marker;
  if (journalNumber === null) return undefined;
  const files = await readJournalBytes(disk, directory);
  try {
    parseJournals(files, directory, { journalNumber, siteId });
    return undefined;
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
  }
  const salvagedJournal = salvageJournal(files, { journalNumber, siteId });
  if (salvagedJournal) {
    // The other journals are removed last. After a kill or on a full disk, they can be salvaged again.
    const path = join(directory, createJournalFileName(journalNumber));
    await writeDurably(disk, path, salvagedJournal.bytes);
    await removeJournals(
      folder,
      [...files.keys()].filter((number) => number !== journalNumber),
    );
  } else {
    await removeJournals(folder, [...files.keys()]);
    await (await openInstallation(folder, [])).saveRequirements([], null);
  }
  const lostChanges = salvagedJournal
    ? `${salvagedJournal.lostCount} of the last changes`
    : "the last changes";
  return {
    ok: true,
    message: `The journal was accepted without ${lostChanges}, which can't be read.`,
  };
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

/** Accepts a file if it was edited; undefined if it is missing or wasn't edited. */
async function acceptFile<T>(
  folder: DataFolder,
  file: string,
  format: StoredFormat<T>,
  getNextRevision = (revision: number) => revision + 1,
): Promise<Finding | undefined> {
  const location = { folder, path: join(folder.directory, file), format };
  try {
    await readJsonFile(location);
    return undefined;
  } catch (error) {
    if (!(error instanceof EditedFileError)) return createMismatchFinding(file, error);
  }
  try {
    const editedFile = await readJsonFile(location, true);
    const { value, revision } = assertDefined(editedFile, `file ${file}`).envelope;
    const savedAt = new Date().toISOString();
    const acceptedValue = canonicalize(format.schema, format.entity, value);
    await writeJsonFile(location, {
      revision: getNextRevision(revision),
      savedAt,
      value: acceptedValue,
    });
    return { ok: true, message: `${file} was accepted as edited.` };
  } catch (error) {
    if (getErrorCode(error) === "cannot_store") throw error;
    return createMismatchFinding(file, error);
  }
}

const createMismatchFinding = (file: string, error: unknown) =>
  createProblem(
    `${file} can't be accepted (${getErrorMessage(error)}). Undo the edit, or replace the file with its copy ${file}.bak.`,
  );
