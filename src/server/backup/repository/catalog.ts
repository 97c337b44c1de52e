/** The catalog of a site's backups, a file beside them. If it is lost, the backups are found without it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { contentSummarySchema } from "../contentSummary.ts";

const timestampSchema = v.pipe(v.string(), v.isoTimestamp());

const failureSchema = v.object({
  at: timestampSchema,
  message: v.string(),
  /** The number of consecutive failures. */
  times: v.number(),
});

export type BackupFailure = v.InferOutput<typeof failureSchema>;

const remoteCopySchema = v.object({
  /** The encrypted size in bytes. */
  size: v.number(),
  /** The time when the upload was verified; null if it wasn't. */
  checkedAt: v.nullable(timestampSchema),
});

const entrySchema = v.object({
  holds: v.optional(contentSummarySchema),
  /** Sentences for people: why the backup was made, which files were left out, problems that don't prevent a start. */
  remarks: v.optional(v.array(v.string()), []),
  /** The copy in the bucket, if any. */
  away: v.optional(remoteCopySchema),
  /** True once a restore test has shown that no site starts from the backup. */
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
  /** The last failure to make a backup on this machine; removed after a success. */
  failure: v.optional(failureSchema),
  /** The last failure to upload a backup to the bucket; removed after a success. */
  awayFailure: v.optional(failureSchema),
  rehearsal: v.optional(restoreTestSchema),
  /** The last removal of older backups to free disk space. */
  gaveWay: v.optional(v.object({ at: timestampSchema, count: v.number() })),
});

export type Catalog = v.InferOutput<typeof catalogSchema>;

const EMPTY_CATALOG: Catalog = { format: 1, backups: {} };

/** Returns an empty catalog if the file is missing or can't be read. */
export async function readCatalog(folder: string, shortSiteId: string): Promise<Catalog> {
  try {
    const stored: unknown = JSON.parse(await readFile(getCatalogPath(folder, shortSiteId), "utf8"));
    const { success, output } = v.safeParse(catalogSchema, stored);
    return success ? output : EMPTY_CATALOG;
  } catch {
    return EMPTY_CATALOG;
  }
}

/** Writes a site's catalog. The folder must be locked. Throws the errors of the disk. */
export function writeCatalog(folder: string, shortSiteId: string, catalog: Catalog): Promise<void> {
  const text = JSON.stringify(catalog, null, 1);
  return writeDurably(disk, getCatalogPath(folder, shortSiteId), new TextEncoder().encode(text));
}

const getCatalogPath = (folder: string, shortSiteId: string) =>
  join(folder, `limelight-${shortSiteId}.json`);

/** `previous` is the last failure, if no success followed it. */
export function createNextFailure(
  previous: BackupFailure | undefined,
  message: string,
  now: number,
) {
  return { at: new Date(now).toISOString(), message, times: (previous?.times ?? 0) + 1 };
}
