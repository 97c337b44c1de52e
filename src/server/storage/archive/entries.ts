/**
 * What an archive holds of a site's data, whichever engine it comes from: which files there are, what they are called, and how
 * they are read. A data folder calls its own alike.
 *
 * - `installation.json`, the marker: whose site it is, and which entities have to be there.
 * - `{entity}.json` for each document; `history/{entity}/{revision}.json` for what it was before.
 * - `{entity}/segments.json` and `{entity}/{number}.json` for records, in the order in which they came.
 *
 * All but the history lie there twice, the second time as `.bak`.
 */
import * as v from "valibot";
import type { AnyRecords, Collection, Singleton, StoredItem } from "../../../schema/entity.ts";
import { documentSpec, recordsSpec } from "../entitySpecs.ts";
import type { Format } from "../storedValue.ts";

/** What a file of an archive is. */
type ArchiveEntry = {
  /** It is the second copy of the file with this path. */
  readonly copyOf?: string;
} & (
  | { readonly kind: "marker" }
  | { readonly kind: "document" | "list"; readonly entity: string }
  /** `number`: of the revision, or of the segment. */
  | { readonly kind: "version" | "segment"; readonly entity: string; readonly number: number }
);

const SHAPE =
  /^(?:(?<history>history)\/)?(?<entity>[a-zA-Z][\w-]*)(?:\/(?:(?<number>\d+)|segments))?\.json$/;

/** Undefined for a file that only a data folder knows: what was kept before a migration, or aside. */
export function entryOf(path: string): ArchiveEntry | undefined {
  if (path.endsWith(".bak")) {
    const copyOf = path.slice(0, -".bak".length);
    const entry = entryOf(copyOf);
    return entry && entry.kind !== "version" ? { ...entry, copyOf } : undefined;
  }
  const found = SHAPE.exec(path)?.groups;
  if (!found?.["entity"] || found["entity"] === "migrations") return undefined;
  const { entity, number } = found;
  if (found["history"])
    return number === undefined ? undefined : { kind: "version", entity, number: Number(number) };
  if (number !== undefined)
    return number.length < 6 ? undefined : { kind: "segment", entity, number: Number(number) };
  if (path === MARKER) return { kind: "marker" };
  return { kind: path.includes("/") ? "list" : "document", entity };
}

/** The file of a document. */
export const documentFile = (name: string): string => `${name}.json`;

/** The file of an earlier revision of a document. */
export const versionFile = (name: string, revision: number | string): string =>
  `history/${name}/${revision}.json`;

/** How a document is read. */
export const documentFormat = (entity: Singleton | Collection) =>
  documentSpec<unknown>(entity).format;

const listSchema = v.object({
  first: v.number(),
  last: v.number(),
  /** By segment, the revision that it has at least: an older one was put back by somebody. */
  revisions: v.record(v.string(), v.number()),
});
export type List = v.InferOutput<typeof listSchema>;

/** The file that lists the segments beside it. */
export const LIST = "segments.json";

/** How the list of an entity's segments is read. */
export const listFormat = (name: string): Format<List> => ({
  entity: `${name}/segments`,
  place: `${name}/segments`,
  version: 2,
  schema: listSchema,
  migrations: { 1: (list) => ({ ...(list as object), revisions: {} }) },
});

/** The file of a segment, in the folder of its entity. */
export const segmentFile = (number: number) => `${nameOf(number)}.json`;

/** A segment that holds so many records, or bytes, takes no more, so that writing one costs the same however many are stored. */
export const isFullSegment = ({
  records,
  size,
}: {
  readonly records: number;
  readonly size: number;
}) => records >= 200 || size >= 256 * 1024;

/** A segment's number, as its files are named by it. */
export const nameOf = (number: number) => String(number).padStart(6, "0");

/** How a segment is read, by its number. */
export const segmentFormat = (entity: AnyRecords) =>
  recordsSpec<StoredItem, unknown>(entity).formatOf;

/** The marker of an installed site. */
export const MARKER = "installation.json";

const markerSchema = v.object({
  id: v.string(),
  createdAt: v.string(),
  entities: v.array(v.string()),
  /** Every file has had a checksum: one without is not ours. */
  checksums: v.boolean(),
  /** The first journal that has to be there, or one after it that says so; null: the files hold everything. */
  journal: v.nullable(v.number()),
});
export type Marker = v.InferOutput<typeof markerSchema>;

/** How the marker is read. */
export const markerFormat: Format<Marker> = {
  entity: "installation",
  place: "installation",
  version: 3,
  schema: markerSchema,
  migrations: {
    1: (marker) => ({ ...(marker as object), checksums: false }),
    2: (marker) => ({ ...(marker as object), journal: null }),
  },
};

/**
 * How the marker of a site is written whose files hold everything, as those of an archive do. Earlier releases know nothing of
 * journals: they open such a site, and refuse one that needs a journal.
 */
export const closedMarker = { ...markerFormat, version: 2 };

/** Whether the names of a data folder or an archive say that there is a site. */
export const isMarked = (names: readonly string[]) =>
  names.includes(MARKER) || names.includes(`${MARKER}.bak`);

/** The largest file that is read, in bytes, as each is read whole; no file of ours is so large. */
export const LARGEST_FILE = 64 * 1024 * 1024;

/** A name of ours, in whatever folder: these alone are archived and restored. */
export const isPlainName = (name: string) => /^(?!\.)[\w.-]+$/.test(name);
