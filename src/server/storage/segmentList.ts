/** What the files of segments are called, and the one that lists them. */
import * as v from "valibot";
import type { Format } from "./envelope.ts";

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
