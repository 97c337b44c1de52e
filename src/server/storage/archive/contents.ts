/** Reads the contents of an archive's files, and compares sites by sums. */
import { createHash } from "node:crypto";
import type { AnyRecords, ItemOf } from "../../../schema/entity.ts";
import { cannotOpen } from "../../shared/errors.ts";
import type { DocumentEntity, Stored } from "../engine.ts";
import { decode, openSealed } from "../envelope.ts";
import type { StoredFile } from "../store.ts";
import { documentFormat, entryOf, segmentFormat } from "./entries.ts";

/** A document in a file. */
export interface FoundDocument<Value> {
  readonly revision: number;
  readonly value: Value;
}

/** The copy of a document that a start takes; copies are written before their files. */
export const newestOf = <Value>(
  known: FoundDocument<Value> | undefined,
  found: FoundDocument<Value> | undefined,
): FoundDocument<Value> | undefined =>
  found && (!known || found.revision > known.revision) ? found : known;

/** A document from its file or the copy; undefined if that is damaged or another file. */
export function documentFrom<E extends DocumentEntity>(
  { path, bytes }: StoredFile,
  entity: E,
): FoundDocument<Stored<E>> | undefined {
  const entry = entryOf(path);
  if (entry?.kind !== "document" || entry.entity !== entity.name) return undefined;
  try {
    const { revision, value } = decode(documentFormat(entity), bytes, { unsealed: true }).envelope;
    // Of this entity's schema; anything else couldn't be read.
    return { revision, value: value as Stored<E> };
  } catch {
    return undefined;
  }
}

/** The records in a segment, if it is this entity's and whole. Its copy has the same ones, and is skipped. */
export function recordsFrom<E extends AnyRecords>(
  { path, bytes }: StoredFile,
  entity: E,
): ItemOf<E>[] | undefined {
  const entry = entryOf(path);
  if (entry?.kind !== "segment" || entry.copyOf || entry.entity !== entity.name) return undefined;
  try {
    const format = segmentFormat(entity)(entry.number);
    // Of this entity's schema; anything else couldn't be read.
    return decode(format, bytes, { unsealed: true }).envelope.value as ItemOf<E>[];
  } catch {
    return undefined;
  }
}

/** By document, version and list: the count, and a SHA-256 of the content. */
export type Sums = ReadonlyMap<string, { readonly count: number; readonly sha256: string }>;

/** Sums of a site, independent of its engine and of how lists are split into files. Throws `cannot_open` for damage. */
export async function sumsOf(files: AsyncIterable<StoredFile>): Promise<Sums> {
  const lists = new Map<string, { count: number; hash: ReturnType<typeof createHash> }>();
  const sums = new Map<string, { count: number; sha256: string }>();
  for await (const { path, bytes } of files) {
    const entry = entryOf(path);
    if (!entry || entry.copyOf || entry.kind === "marker" || entry.kind === "list") continue;
    const envelope = openSealed(bytes);
    if (!envelope) throw cannotOpen(`${path} is damaged. Run: limelight doctor`);
    const { entity, version, revision, savedAt, value } = envelope;
    if (entry.kind !== "segment") {
      const text = JSON.stringify([entity, version, revision, savedAt, value]);
      sums.set(path, { count: 1, sha256: createHash("sha256").update(text).digest("hex") });
      continue;
    }
    const list = lists.get(entity) ?? { count: 0, hash: createHash("sha256") };
    lists.set(entity, list);
    for (const record of value as unknown[]) {
      list.count++;
      list.hash.update(`${JSON.stringify(record)}\n`);
    }
  }
  for (const [name, { count, hash }] of lists)
    sums.set(`${name}/`, { count, sha256: hash.digest("hex") });
  return sums;
}

/** How two sites differ, by the names of `sumsOf`. */
export function differing(one: Sums, other: Sums): string[] {
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.filter((name) => !Bun.deepEquals(one.get(name), other.get(name)));
}

/** The count of each kind. */
export function countsOf(sums: Sums): Record<"documents" | "versions" | "records", number> {
  const counts = { documents: 0, versions: 0, records: 0 };
  for (const [name, { count }] of sums)
    if (name.endsWith("/")) counts.records += count;
    else counts[name.startsWith("history/") ? "versions" : "documents"]++;
  return counts;
}
