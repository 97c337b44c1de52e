/** Reads the contents of an archive's files. */
import type { AnyRecords, ItemOf } from "../../../schema/entities/entity.ts";
import type { DocumentEntity, Stored } from "../engine.ts";
import { decode } from "../envelope.ts";
import type { StoredFile } from "../store.ts";
import { documentFormat, parseEntryPath, segmentFormat } from "./entries.ts";

export interface DocumentInArchive<Value> {
  readonly revision: number;
  readonly value: Value;
}

/** The copy of a document that a start uses; copies are written before their files. */
export const newestOf = <Value>(
  current: DocumentInArchive<Value> | undefined,
  candidate: DocumentInArchive<Value> | undefined,
): DocumentInArchive<Value> | undefined =>
  candidate && (!current || candidate.revision > current.revision) ? candidate : current;

/** A document from its file or the copy; undefined if that is damaged or another file. */
export function documentFrom<E extends DocumentEntity>(
  { path, bytes }: StoredFile,
  entity: E,
): DocumentInArchive<Stored<E>> | undefined {
  const entry = parseEntryPath(path);
  if (entry?.kind !== "document" || entry.entity !== entity.name) return undefined;
  try {
    const { revision, value } = decode(documentFormat(entity), bytes).envelope;
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
  const entry = parseEntryPath(path);
  if (entry?.kind !== "segment" || entry.copyOf || entry.entity !== entity.name) return undefined;
  try {
    const format = segmentFormat(entity)(entry.number);
    // Of this entity's schema; anything else couldn't be read.
    return decode(format, bytes).envelope.value as ItemOf<E>[];
  } catch {
    return undefined;
  }
}
