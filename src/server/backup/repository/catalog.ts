/**
 * Details of a site's backups beyond their names: contents, remote copies, failures, the last restore test. Stored
 * beside them. Losing it only loses these details: the folder and the bucket alone determine which backups exist.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { writeDurably } from "../../storage/disk/disk.ts";
import { disk } from "../../storage/disk/realDisk.ts";
import { contentSummarySchema } from "../contentSummary.ts";

const timestampSchema = v.pipe(v.string(), v.isoTimestamp());

const failureSchema = v.object({
  /** When it failed last. */
  at: timestampSchema,
  message: v.string(),
  /** The number of failures in a row. */
  times: v.number(),
});

/** Why there is no newer backup. */
export type BackupFailure = v.InferOutput<typeof failureSchema>;

const remoteSchema = v.object({
  /** In bytes, encrypted. */
  size: v.number(),
  /** When the upload was verified; null if this catalog didn't see it sent. */
  checkedAt: v.nullable(timestampSchema),
});

const entrySchema = v.object({
  holds: v.optional(contentSummarySchema),
  /** Problems in it that don't prevent a start, and files left out. */
  remarks: v.optional(v.array(v.string()), []),
  away: v.optional(remoteSchema),
  /** A restore test showed that no site starts from it. */
  isBad: v.optional(v.boolean(), false),
});

export type CatalogEntry = v.InferOutput<typeof entrySchema>;

const restoreTestSchema = v.object({
  at: timestampSchema,
  id: v.string(),
  ok: v.boolean(),
  message: v.string(),
  /** It failed because of the backup's contents. */
  isBad: v.optional(v.boolean(), false),
});

const catalogSchema = v.object({
  format: v.literal(1),
  backups: v.record(v.string(), entrySchema),
  /** Of local backups. */
  failure: v.optional(failureSchema),
  /** Of remote copies. */
  awayFailure: v.optional(failureSchema),
  rehearsal: v.optional(restoreTestSchema),
  /** Older backups removed so that the share of the disk is free. */
  gaveWay: v.optional(v.object({ at: timestampSchema, count: v.number() })),
});

export type Catalog = v.InferOutput<typeof catalogSchema>;

const EMPTY_CATALOG: Catalog = { format: 1, backups: {} };

/** The catalog of the site with this short id; empty if it is missing or can't be read. */
export async function readCatalog(folder: string, site: string): Promise<Catalog> {
  try {
    const stored: unknown = JSON.parse(await readFile(catalogPath(folder, site), "utf8"));
    const { success, output } = v.safeParse(catalogSchema, stored);
    return success ? output : EMPTY_CATALOG;
  } catch {
    return EMPTY_CATALOG;
  }
}

/** The caller holds the folder's lock. Throws what the disk throws. */
export function writeCatalog(folder: string, site: string, catalog: Catalog): Promise<void> {
  const text = JSON.stringify(catalog, null, 1);
  return writeDurably(disk, catalogPath(folder, site), new TextEncoder().encode(text));
}

const catalogPath = (folder: string, site: string) => join(folder, `limelight-${site}.json`);

/** A failure that follows earlier ones. */
export function createNextFailure(
  before: BackupFailure | undefined,
  message: string,
  now: number,
): BackupFailure {
  return { at: new Date(now).toISOString(), message, times: (before?.times ?? 0) + 1 };
}
