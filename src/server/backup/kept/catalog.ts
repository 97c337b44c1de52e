/**
 * What is known of a site's backups beside their names: what each holds, whether it is away, what failed,
 * how the last rehearsal went. It lies beside them. Without it nothing is lost but these words: which
 * backups there are is told by the folder and the bucket alone.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { holdingsSchema } from "../holdings.ts";

const moment = v.pipe(v.string(), v.isoTimestamp());

const failureSchema = v.object({
  /** Of the last failure. */
  at: moment,
  message: v.string(),
  /** How many there were in a row. */
  times: v.number(),
});

/** Why there is no newer backup. */
export type Failure = v.InferOutput<typeof failureSchema>;

const awaySchema = v.object({
  /** In bytes, encrypted. */
  size: v.number(),
  /** When it was read back as it was sent; null for one that this catalog did not see sent. */
  checkedAt: v.nullable(moment),
});

const entrySchema = v.object({
  /** In bytes; null while only the copy away is known. */
  size: v.nullable(v.number()),
  holds: v.optional(holdingsSchema),
  /** What is wrong in it, though a start takes it, and what was left out. */
  remarks: v.optional(v.array(v.string()), []),
  away: v.optional(awaySchema),
  /** A rehearsal has shown that no site starts from it. */
  isBad: v.optional(v.boolean(), false),
  /** It stays until then, whatever is usually kept: there may be no way back without it. */
  keptUntil: v.optional(moment),
});

/** What is known of one backup. */
export type Entry = v.InferOutput<typeof entrySchema>;

const rehearsalSchema = v.object({
  at: moment,
  /** Of the backup. */
  id: v.string(),
  ok: v.boolean(),
  message: v.string(),
  /** It failed for what is in the backup. */
  isBad: v.optional(v.boolean(), false),
});

const catalogSchema = v.object({
  format: v.literal(1),
  /** By the backup's id. */
  backups: v.record(v.string(), entrySchema),
  /** Of the backup on this machine. */
  failure: v.optional(failureSchema),
  /** Of the copy away. */
  awayFailure: v.optional(failureSchema),
  rehearsal: v.optional(rehearsalSchema),
  /** Older backups that gave way, so that the disk keeps its share free. */
  gaveWay: v.optional(v.object({ at: moment, count: v.number() })),
});

export type Catalog = v.InferOutput<typeof catalogSchema>;

const EMPTY: Catalog = { format: 1, backups: {} };

/** The catalog of the site with this short id; an empty one where there is none, or none that can be read. */
export async function readCatalog(folder: string, site: string): Promise<Catalog> {
  try {
    const stored: unknown = JSON.parse(await readFile(pathOf(folder, site), "utf8"));
    const { success, output } = v.safeParse(catalogSchema, stored);
    return success ? output : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** The caller holds the folder's lock. Throws what the disk throws. */
export function writeCatalog(folder: string, site: string, catalog: Catalog): Promise<void> {
  const text = JSON.stringify(catalog, null, 1);
  return writeDurably(disk, pathOf(folder, site), new TextEncoder().encode(text));
}

const pathOf = (folder: string, site: string) => join(folder, `limelight-${site}.json`);

/** A further failure after those before. */
export function failedAgain(before: Failure | undefined, message: string, now: number): Failure {
  return { at: new Date(now).toISOString(), message, times: (before?.times ?? 0) + 1 };
}
