/** Reads what the files of a data folder, or of an archive of one, hold. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AnyRecords, Collection, Singleton, StoredItem } from "../../../schema/entity.ts";
import { documentFile } from "../archive/entries.ts";
import { type FoundDocument, newestOf } from "../engine.ts";
import { documentSpec, recordsSpec } from "../entitySpecs.ts";
import { decode, type Format } from "../envelope.ts";
import type { StoredFile } from "../store.ts";

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

/** A document in its own file or in the copy of it, where that is whole. */
export function documentFrom(
  { path, bytes }: StoredFile,
  entity: Singleton | Collection,
): FoundDocument<unknown> | undefined {
  const name = documentFile(entity.name);
  if (path !== name && path !== `${name}.bak`) return undefined;
  try {
    const { revision, value } = decode(documentFormat(entity), bytes, { unsealed: true }).envelope;
    return { revision, value };
  } catch {
    return undefined;
  }
}

/** The records of all segments. A segment that can't be read is passed over. */
export async function readRecords(directory: string, entity: AnyRecords): Promise<StoredItem[]> {
  const names = await readdir(join(directory, entity.name)).catch((): string[] => []);
  const found: StoredItem[] = [];
  for (const name of names.toSorted()) {
    const path = `${entity.name}/${name}`;
    const bytes =
      SEGMENT.test(name) && (await readFile(join(directory, path)).catch(() => undefined));
    if (bytes) found.push(...(recordsFrom({ path, bytes }, entity) ?? []));
  }
  return found;
}

const SEGMENT = /^(\d{6,})\.json$/;

/** The records in a segment, where it is one of this entity's and whole. */
export function recordsFrom(
  { path, bytes }: StoredFile,
  entity: AnyRecords,
): StoredItem[] | undefined {
  const [folder, name = ""] = path.split("/");
  const number = folder === entity.name ? SEGMENT.exec(name)?.[1] : undefined;
  if (number === undefined) return undefined;
  try {
    const { formatOf } = recordsSpec<StoredItem, unknown>(entity);
    return decode(formatOf(Number(number)), bytes, { unsealed: true }).envelope.value;
  } catch {
    return undefined;
  }
}

/** How a document is read. */
export const documentFormat = (entity: Singleton | Collection) =>
  documentSpec<unknown>(entity).format;

/** The value of a file. Throws what `decode` and the disk throw. */
export async function readValue<T>(path: string, format: Format<T>): Promise<T> {
  return (await read(path, format)).envelope.value;
}

/** What a file holds. Throws what `decode` and the disk throw. */
export async function read<T>(path: string, format: Format<T>) {
  return decode(format, await readFile(path), { unsealed: true });
}
