/** Takes files that somebody changed by hand: they get a checksum where what they say fits. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Entity, RecordsEntity } from "../../schema/entity.ts";
import { codeOf } from "./disk.ts";
import { disk } from "./realDisk.ts";
import { DataFolder } from "./dataFolder.ts";
import { documentFile } from "./documentFiles.ts";
import type { Finding } from "./engine.ts";
import { documentSpec, recordsSpec } from "./entitySpecs.ts";
import { canonical, Edited, type Format } from "./envelope.ts";
import { MARKER, markerFormat } from "./installation.ts";
import { JsonFile } from "./jsonFile.ts";
import { linesAfter, readLogs, withLines } from "./lineLog.ts";
import { LIST, listFormat } from "./segmentList.ts";

/** What was taken and what can't be, file by file; the caller holds the folder's lock. */
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
  const marker = await JsonFile.read(
    { folder, path: join(directory, MARKER), format: markerFormat },
    { unsealed: true, edited: true },
  );
  folder.takesUnsealed = !marker?.envelope.value.checksums;
  const accept = <T>(file: string, format: Format<T>) => acceptFile(folder, file, format);
  const findings = [await accept(MARKER, markerFormat)];
  for (const entity of entities) {
    if (entity.shape !== "records") {
      const { format } = documentSpec<unknown>(entity);
      findings.push(await accept(documentFile(entity.name), format));
      continue;
    }
    findings.push(await accept(join(entity.name, LIST), listFormat(entity.name)));
    for (const [file, format] of await segmentsOf(directory, entity))
      findings.push(await accept(file, format));
  }
  return findings.filter((finding) => finding !== undefined);
}

async function segmentsOf(directory: string, entity: RecordsEntity) {
  const { formatOf } = recordsSpec(entity);
  const names = await readdir(join(directory, entity.name)).catch(() => []);
  return names
    .filter((name) => /^\d+\.json$/.test(name))
    .sort()
    .map((name) => [join(entity.name, name), formatOf(Number.parseInt(name, 10))] as const);
}

/** Undefined for a file that is not there, or is as it was written. */
async function acceptFile<T>(
  folder: DataFolder,
  file: string,
  format: Format<T>,
): Promise<Finding | undefined> {
  const place = { folder, path: join(folder.directory, file), format };
  try {
    await JsonFile.read(place);
    return undefined;
  } catch (error) {
    if (!(error instanceof Edited)) return { ok: false, message: doesNotFit(file, error) };
  }
  try {
    const edited = (await JsonFile.read(place, { unsealed: true, edited: true }))!;
    const { value } = edited.envelope;
    // Those that a kill left still follow what was edited, and would not follow what is written now.
    const lines = linesAfter(
      { ...edited.envelope, place: format.place },
      await readLogs(folder.disk, place.path),
    );
    const { revision } = lines.at(-1) ?? edited.envelope;
    const savedAt = new Date().toISOString();
    const next = canonical(
      format.schema,
      format.entity,
      lines.length > 0 ? withLines(value, lines) : value,
    );
    await edited.replace({ revision: revision + 1, savedAt, value: next }, { backup: "same" });
    return { ok: true, message: `${file} is taken as it is.` };
  } catch (error) {
    if (codeOf(error) === "cannot_store") throw error;
    return { ok: false, message: doesNotFit(file, error) };
  }
}

const doesNotFit = (file: string, error: unknown) =>
  `${file} can't be taken as it is (${error instanceof Error ? error.message : "unknown"}). Change it back, or put its copy ${file}.bak in its place.`;
