/** Reads what the files of a data folder hold, without opening it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AnyRecords, Collection, Singleton, StoredItem } from "../../../schema/entity.ts";
import { documentFrom, recordsFrom } from "../archive/contents.ts";
import { documentFile, entryOf } from "../archive/entries.ts";
import { newestOf } from "../engine.ts";
import { decode, type Format } from "../envelope.ts";

/** The value of a document that a start would take; undefined where neither the file nor its copy can be read. */
export async function readDocument(
  directory: string,
  entity: Singleton | Collection,
): Promise<unknown> {
  const name = documentFile(entity.name);
  const found = [name, `${name}.bak`].map(async (path) => {
    const bytes = await readFile(join(directory, path)).catch(() => undefined);
    return bytes && documentFrom({ path, bytes }, entity);
  });
  const [one, other] = await Promise.all(found);
  return newestOf(one, other)?.value;
}

/** The records of all segments. A segment that can't be read is passed over. */
export async function readRecords(directory: string, entity: AnyRecords): Promise<StoredItem[]> {
  const names = await readdir(join(directory, entity.name)).catch((): string[] => []);
  const found: StoredItem[] = [];
  for (const name of names.toSorted()) {
    const path = `${entity.name}/${name}`;
    const isSegment = entryOf(path)?.kind === "segment";
    const bytes = isSegment && (await readFile(join(directory, path)).catch(() => undefined));
    if (bytes) found.push(...(recordsFrom({ path, bytes }, entity) ?? []));
  }
  return found;
}

/** The value of a file. Throws what `decode` and the disk throw. */
export async function readValue<T>(path: string, format: Format<T>): Promise<T> {
  return (await read(path, format)).envelope.value;
}

/** What a file holds. Throws what `decode` and the disk throw. */
export async function read<T>(path: string, format: Format<T>) {
  return decode(format, await readFile(path), { unsealed: true });
}
