/** What the files of an archive are called and how they are read, whichever engine writes them; a data folder names its own alike. */
import * as v from "valibot";
import type { Format } from "../envelope.ts";

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

export const segmentFile = (number: number) => `${nameOf(number)}.json`;

/** A segment's number, as its files are named by it. */
export const nameOf = (number: number) => String(number).padStart(6, "0");

/** There while a backup is put back: every start is refused. */
export const RESTORING = "restore.started";

/** The file of a document in its data folder. */
export const documentFile = (name: string): string => `${name}.json`;

/** The entity that a file is of; undefined for the marker, the history and copies from before a migration. */
export function entityOf(path: string): string | undefined {
  const name = path.replace(/(?:\/.*|\.json(?:\.bak)?)$/, "");
  return ["history", "migrations", "installation"].includes(name) ? undefined : name;
}

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
