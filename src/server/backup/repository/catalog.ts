/**
 * The catalog of a site's backups: their contents and uploads, failures, and the last restore test. It is a file beside
 * the backups. Losing it loses no backup, because the folder and the bucket determine which backups exist.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { contentSummarySchema } from "../contentSummary.ts";

const timestampSchema = v.pipe(v.string(), v.isoTimestamp());

const failureSchema = v.object({
  /** The time of the last failure. */
  at: timestampSchema,
  message: v.string(),
  /** The number of failures in a row. */
  times: v.number(),
});

export type BackupFailure = v.InferOutput<typeof failureSchema>;

const remoteCopySchema = v.object({
  /** In bytes, encrypted. */
  size: v.number(),
  /** When the upload was verified; null if it was only found in the bucket. */
  checkedAt: v.nullable(timestampSchema),
});

const entrySchema = v.object({
  holds: v.optional(contentSummarySchema),
  /** Sentences: why the backup was made, files left out, and problems that don't prevent a start. */
  remarks: v.optional(v.array(v.string()), []),
  /** The copy in the bucket. */
  away: v.optional(remoteCopySchema),
  /** True once a restore test has shown that no site starts from it. */
  isBad: v.optional(v.boolean(), false),
});

export type CatalogEntry = v.InferOutput<typeof entrySchema>;

const restoreTestSchema = v.object({
  at: timestampSchema,
  id: v.string(),
  ok: v.boolean(),
  message: v.string(),
  /** True if the test failed because of the backup's contents. */
  isBad: v.optional(v.boolean(), false),
});

const catalogSchema = v.object({
  format: v.literal(1),
  backups: v.record(v.string(), entrySchema),
  /** Why there is no newer backup on this machine. */
  failure: v.optional(failureSchema),
  /** Why there is no newer backup in the bucket. */
  awayFailure: v.optional(failureSchema),
  rehearsal: v.optional(restoreTestSchema),
  /** The last removal of older backups for disk space. */
  gaveWay: v.optional(v.object({ at: timestampSchema, count: v.number() })),
});

export type Catalog = v.InferOutput<typeof catalogSchema>;

const EMPTY_CATALOG: Catalog = { format: 1, backups: {} };

/** Reads a site's catalog, by its short id. Returns an empty catalog if it is missing or can't be read. */
export async function readCatalog(folder: string, shortSiteId: string): Promise<Catalog> {
  try {
    const stored: unknown = JSON.parse(await readFile(getCatalogPath(folder, shortSiteId), "utf8"));
    const { success, output } = v.safeParse(catalogSchema, stored);
    return success ? output : EMPTY_CATALOG;
  } catch {
    return EMPTY_CATALOG;
  }
}

/** Writes a site's catalog. The folder must be locked. Throws what the disk throws. */
export function writeCatalog(folder: string, shortSiteId: string, catalog: Catalog): Promise<void> {
  const text = JSON.stringify(catalog, null, 1);
  return writeDurably(disk, getCatalogPath(folder, shortSiteId), new TextEncoder().encode(text));
}

const getCatalogPath = (folder: string, shortSiteId: string) =>
  join(folder, `limelight-${shortSiteId}.json`);

/** Returns the failure to store, and counts it after the previous failures in a row. */
export function createNextFailure(
  previous: BackupFailure | undefined,
  message: string,
  now: number,
) {
  return { at: new Date(now).toISOString(), message, times: (previous?.times ?? 0) + 1 };
}
