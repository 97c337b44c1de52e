/** Reads what the files of a data folder hold, without opening it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AnyRecords, Collection, Singleton, StoredItem } from "../../../schema/entity.ts";
import { documentFrom, newestOf, recordsFrom } from "../archive/contents.ts";
import { documentFile, entryOf, MARKER, type Marker, markerFormat } from "../archive/entries.ts";
import { decode } from "../envelope.ts";

/** What the marker in a folder that nobody writes to says; undefined where neither it nor its copy can be read. */
export async function readMarker(directory: string): Promise<Marker | undefined> {
  for await (const bytes of copiesOf(join(directory, MARKER)))
    try {
      return decode(markerFormat, bytes, { unsealed: true }).envelope.value;
    } catch {
      // Its copy, then.
    }
  return undefined;
}

/** The value of a document that a start would take; undefined where neither the file nor its copy can be read. */
export async function readDocument(
  directory: string,
  entity: Singleton | Collection,
): Promise<unknown> {
  const path = documentFile(entity.name);
  const found = await Array.fromAsync(copiesOf(join(directory, path)), (bytes) =>
    documentFrom({ path, bytes }, entity),
  );
  return found.reduce(newestOf, undefined)?.value;
}

/** The records of all segments, one after the other. One that can't be read, and whose copy can't, is passed over. */
export async function* readSegments(
  directory: string,
  entity: AnyRecords,
): AsyncGenerator<StoredItem[]> {
  const names = await readdir(join(directory, entity.name)).catch((): string[] => []);
  for (const name of names.toSorted()) {
    const path = `${entity.name}/${name}`;
    const entry = entryOf(path);
    if (entry?.kind !== "segment" || entry.copyOf) continue;
    for await (const bytes of copiesOf(join(directory, path))) {
      const records = recordsFrom({ path, bytes }, entity);
      if (records) yield records;
      if (records) break;
    }
  }
}

/** Of a file and its copy, those that are there. */
async function* copiesOf(path: string): AsyncGenerator<Uint8Array> {
  for (const each of [path, `${path}.bak`]) {
    const bytes = await readFile(each).catch(() => undefined);
    if (bytes) yield bytes;
  }
}
