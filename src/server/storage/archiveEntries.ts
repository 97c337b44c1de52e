/**
 * The files of an archive of a site's data, from any engine: their names, and how they are read. A data folder uses the
 * same names.
 *
 * - `installation.json`, the marker: the site's id, and which entities must exist.
 * - `{entity}.json` for each document; `history/{entity}/{revision}.json` for earlier revisions.
 * - `{entity}/segments.json` and `{entity}/{number}.json` for records, in order of insertion.
 *
 * Everything but the history exists twice, the second time as `.bak`.
 */
import * as v from "valibot";
import type {
  AnyRecords,
  Collection,
  ItemOf,
  Singleton,
  StoredItem,
} from "../../schema/entities/entity.ts";
import type { DocumentEntity, StoredValue } from "./engine.ts";
import { decodeEnvelope } from "./envelope.ts";
import type { StoredFile } from "./store.ts";
import { createDocumentSpec, createRecordsSpec } from "./entitySpecs.ts";
import type { StoredFormat } from "./storedValue.ts";

/** The content of a file of an archive. */
type ArchiveEntry = {
  /** It is the second copy of this file. */
  readonly copyOf?: string;
} & (
  | { readonly kind: "marker" }
  | { readonly kind: "document" | "list"; readonly entity: string }
  /** `number`: of the revision or segment. */
  | { readonly kind: "version" | "segment"; readonly entity: string; readonly number: number }
);

const ENTRY_PATH_PATTERN =
  /^(?:(?<history>history)\/)?(?<entity>[a-zA-Z][\w-]*)(?:\/(?:(?<number>\d+)|segments))?\.json$/;

/** Undefined for files that only data folders have: saved by a migration, or moved away. */
export function parseEntryPath(path: string): ArchiveEntry | undefined {
  if (path.endsWith(".bak")) {
    const copyOf = path.slice(0, -".bak".length);
    const entry = parseEntryPath(copyOf);
    return entry && entry.kind !== "version" ? { ...entry, copyOf } : undefined;
  }
  const groups = ENTRY_PATH_PATTERN.exec(path)?.groups;
  if (!groups?.["entity"] || groups["entity"] === "migrations") return undefined;
  const { entity, number } = groups;
  if (groups["history"])
    return number === undefined ? undefined : { kind: "version", entity, number: Number(number) };
  if (number !== undefined)
    return number.length < 6 ? undefined : { kind: "segment", entity, number: Number(number) };
  if (path === MARKER_FILE) return { kind: "marker" };
  return { kind: path.includes("/") ? "list" : "document", entity };
}

export const documentFileName = (name: string): string => `${name}.json`;

export const versionFileName = (name: string, revision: number | string): string =>
  `history/${name}/${revision}.json`;

/** The reader of a document's file. */
export const createDocumentFormat = (entity: Singleton | Collection) =>
  createDocumentSpec<unknown>(entity).format;

const segmentListSchema = v.object({
  first: v.number(),
  last: v.number(),
  /** Minimum revisions by segment: an older one was restored by hand. */
  revisions: v.record(v.string(), v.number()),
});
export type SegmentList = v.InferOutput<typeof segmentListSchema>;

/** The file that lists the segments beside it. */
export const SEGMENT_LIST_FILE = "segments.json";

/** The reader of an entity's list of segments. */
export const createSegmentListFormat = (name: string): StoredFormat<SegmentList> => ({
  entity: `${name}/segments`,
  place: `${name}/segments`,
  version: 2,
  schema: segmentListSchema,
  migrations: {},
});

/** A segment's file, in its entity's folder. */
export const segmentFileName = (number: number) => `${segmentName(number)}.json`;

/** A segment with this many records or bytes is full, so that the cost of writing one doesn't grow with the list. */
export const isFullSegment = ({
  records,
  size,
}: {
  readonly records: number;
  readonly size: number;
}) => records >= 200 || size >= 256 * 1024;

/** A segment's number in file names. */
export const segmentName = (number: number) => String(number).padStart(6, "0");

/** The reader of a segment, by number. */
export const createSegmentFormat = (entity: AnyRecords) =>
  createRecordsSpec<StoredItem, unknown>(entity).createSegmentFormat;

/** The marker of an installed site. */
export const MARKER_FILE = "installation.json";

const markerSchema = v.object({
  id: v.string(),
  createdAt: v.string(),
  entities: v.array(v.string()),
  /** The first journal that must exist, unless a later one names another; null: the files are complete. */
  journal: v.nullable(v.number()),
});
export type SiteMarker = v.InferOutput<typeof markerSchema>;

export const markerFormat: StoredFormat<SiteMarker> = {
  entity: "installation",
  place: "installation",
  version: 3,
  schema: markerSchema,
  // Version 2 was written of complete files, which need no journal.
  migrations: { 2: (marker) => ({ ...(marker as object), journal: null }) },
};

/** Whether a data folder or archive with these names has a site. */
export const hasMarker = (names: readonly string[]) =>
  names.includes(MARKER_FILE) || names.includes(`${MARKER_FILE}.bak`);

/** The largest file to read, in bytes, as files are read whole; none of ours is as large. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** A name of ours, in any folder: only these are archived and restored. */
export const isArchivableName = (name: string) => /^(?!\.)[\w.-]+$/.test(name);

export interface ArchivedDocument<Value> {
  readonly revision: number;
  readonly value: Value;
}

/** The copy of a document that a start uses; copies are written before their files. */
export const newerDocument = <Value>(
  current: ArchivedDocument<Value> | undefined,
  candidate: ArchivedDocument<Value> | undefined,
): ArchivedDocument<Value> | undefined =>
  candidate && (!current || candidate.revision > current.revision) ? candidate : current;

/** A document from its file or the copy; undefined if that is damaged or another file. */
export function parseArchivedDocument<E extends DocumentEntity>(
  { path, bytes }: StoredFile,
  entity: E,
): ArchivedDocument<StoredValue<E>> | undefined {
  const entry = parseEntryPath(path);
  if (entry?.kind !== "document" || entry.entity !== entity.name) return undefined;
  try {
    const { revision, value } = decodeEnvelope(createDocumentFormat(entity), bytes).envelope;
    // Of this entity's schema; anything else couldn't be read.
    return { revision, value: value as StoredValue<E> };
  } catch {
    return undefined;
  }
}

/** The records in a segment, if it is this entity's and whole. Its copy has the same ones, and is skipped. */
export function parseArchivedRecords<E extends AnyRecords>(
  { path, bytes }: StoredFile,
  entity: E,
): ItemOf<E>[] | undefined {
  const entry = parseEntryPath(path);
  if (entry?.kind !== "segment" || entry.copyOf || entry.entity !== entity.name) return undefined;
  try {
    const format = createSegmentFormat(entity)(entry.number);
    // Of this entity's schema; anything else couldn't be read.
    return decodeEnvelope(format, bytes).envelope.value as ItemOf<E>[];
  } catch {
    return undefined;
  }
}
