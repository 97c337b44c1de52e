/**
 * The names and formats of the files in an archive and in a data folder. All engines create the same archives.
 *
 * - `installation.json`, the marker: the site's id, and which entities must exist.
 * - `{entity}.json` for each document; `history/{entity}/{revision}.json` for earlier revisions.
 * - `{entity}/segments.json` and `{entity}/{number}.json` for records, in order of insertion.
 * - `{path}.bak` for the second copy of each file except earlier revisions.
 */
import * as v from "valibot";
import type { AnyRecords, ItemOf, StoredItem } from "../../schema/entities/entity.ts";
import type { DocumentEntity, StoredValue } from "./engine.ts";
import { decodeEnvelope } from "./envelope.ts";
import type { StoredFile } from "./store.ts";
import { createDocumentSpec, createRecordsSpec } from "./entitySpecs.ts";
import type { StoredFormat } from "./storedValue.ts";

type ArchiveEntry = {
  /** The path without `.bak` if the file is a second copy, else undefined. */
  readonly copyOf?: string;
} & (
  | { readonly kind: "marker" }
  | { readonly kind: "document" | "list"; readonly entity: string }
  | { readonly kind: "revision" | "segment"; readonly entity: string; readonly number: number }
);

const ENTRY_PATH_PATTERN =
  /^(?:(?<history>history)\/)?(?<entity>[a-zA-Z][\w-]*)(?:\/(?:(?<number>\d+)|segments))?\.json$/;

/** Parses an archived file's path; undefined for other files, such as the copies that migrations save. */
export function parseEntryPath(path: string): ArchiveEntry | undefined {
  if (path.endsWith(".bak")) {
    const copyOf = path.slice(0, -".bak".length);
    const entry = parseEntryPath(copyOf);
    return entry && entry.kind !== "revision" ? { ...entry, copyOf } : undefined;
  }
  const groups = ENTRY_PATH_PATTERN.exec(path)?.groups;
  if (!groups?.["entity"] || groups["entity"] === "migrations") return undefined;
  const { entity, number } = groups;
  if (groups["history"])
    return number === undefined ? undefined : { kind: "revision", entity, number: Number(number) };
  if (number !== undefined)
    return number.length < 6 ? undefined : { kind: "segment", entity, number: Number(number) };
  if (path === MARKER_FILE) return { kind: "marker" };
  return { kind: path.includes("/") ? "list" : "document", entity };
}

export const createDocumentFileName = (name: string): string => `${name}.json`;

export const createRevisionFileName = (name: string, revision: number | string): string =>
  `history/${name}/${revision}.json`;

const segmentListSchema = v.object({
  first: v.number(),
  last: v.number(),
  /** The minimum revision of each segment. A file with a lower revision is outdated, perhaps copied back by hand. */
  revisions: v.record(v.string(), v.number()),
});
export type SegmentList = v.InferOutput<typeof segmentListSchema>;

export const SEGMENT_LIST_FILE = "segments.json";

export const createSegmentListFormat = (name: string): StoredFormat<SegmentList> => ({
  entity: `${name}/segments`,
  location: `${name}/segments`,
  version: 2,
  schema: segmentListSchema,
  migrations: {},
});

export const createSegmentFileName = (number: number) => `${createSegmentName(number)}.json`;

/** A write replaces a whole segment file, so small segments make writes to long lists cheap. */
export const isFullSegment = ({
  recordCount,
  size,
}: {
  readonly recordCount: number;
  readonly size: number;
}) => recordCount >= 200 || size >= 256 * 1024;

export const createSegmentName = (number: number) => String(number).padStart(6, "0");

/** The name of the file that marks a folder or archive as a site. */
export const MARKER_FILE = "installation.json";

const markerSchema = v.object({
  id: v.string(),
  createdAt: v.string(),
  entities: v.array(v.string()),
  /** The number of the oldest journal whose changes the files may lack; null if they have all changes. */
  journal: v.nullable(v.number()),
});
export type SiteMarker = v.InferOutput<typeof markerSchema>;

export const markerFormat: StoredFormat<SiteMarker> = {
  entity: "installation",
  location: "installation",
  version: 3,
  schema: markerSchema,
  // Earlier releases wrote version 2 only once the files had all changes, so no journal has to exist.
  migrations: { 2: (marker) => ({ ...(marker as object), journal: null }) },
};

export const hasMarker = (names: readonly string[]) =>
  names.includes(MARKER_FILE) || names.includes(`${MARKER_FILE}.bak`);

/** The maximum size of a file, since files are read whole into memory. Limelight's own files are smaller. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Whether Limelight may have created a file with this name. Other files are neither archived nor restored. */
export const isArchivableName = (name: string) => /^(?!\.)[\w.-]+$/.test(name);

export interface ArchivedDocument<Value> {
  readonly revision: number;
  readonly value: Value;
}

/** Returns the newer of a document and its `.bak` copy, as a start does. An interrupted write leaves a newer copy. */
export const chooseNewerDocument = <Value>(
  current: ArchivedDocument<Value> | undefined,
  candidate: ArchivedDocument<Value> | undefined,
): ArchivedDocument<Value> | undefined =>
  candidate && (!current || candidate.revision > current.revision) ? candidate : current;

/** Parses a document from its file or copy; undefined if the file is damaged or belongs to another entity. */
export function parseArchivedDocument<E extends DocumentEntity>(
  { path, bytes }: StoredFile,
  entity: E,
): ArchivedDocument<StoredValue<E>> | undefined {
  const entry = parseEntryPath(path);
  if (entry?.kind !== "document" || entry.entity !== entity.name) return undefined;
  try {
    const { revision, value } = decodeEnvelope(
      createDocumentSpec<unknown>(entity).format,
      bytes,
    ).envelope;
    // The cast is safe, since the value was checked against the entity's schema.
    return { revision, value: value as StoredValue<E> };
  } catch {
    return undefined;
  }
}

/** Parses a segment's records; undefined for a damaged file, a copy, or a file of another entity. */
export function parseArchivedRecords<E extends AnyRecords>(
  { path, bytes }: StoredFile,
  entity: E,
): ItemOf<E>[] | undefined {
  const entry = parseEntryPath(path);
  if (entry?.kind !== "segment" || entry.copyOf || entry.entity !== entity.name) return undefined;
  try {
    const format = createRecordsSpec<StoredItem, unknown>(entity).createSegmentFormat(entry.number);
    // The cast is safe, since the records were checked against the entity's schema.
    return decodeEnvelope(format, bytes).envelope.value as ItemOf<E>[];
  } catch {
    return undefined;
  }
}
