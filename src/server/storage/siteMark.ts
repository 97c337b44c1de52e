/**
 * The uploads folder says whose it is, so that a site is never started with another's pictures, nor
 * anew beside its own because the data folder's disk is missing.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "../../schema/index.ts";
import { cannotOpen } from "../shared/errors.ts";
import { codeOf, disk, ensureFolder, writeDurably } from "./disk.ts";

/** Hidden, so that no archive holds it; `limelight restore` removes it. */
export const SITE_MARK = ".site";

/** To be asked before a site is made in an empty data folder. Throws `cannot_open`. */
export async function requireNoSite(uploads: string): Promise<void> {
  const names: string[] = await readdir(uploads).catch(() => []);
  if (!names.includes(SITE_MARK) && !names.some((name) => ORIGINAL.test(name))) return;
  throw cannotOpen(
    `The uploads folder ${uploads} holds the pictures of a site, and the data folder holds none. Is its disk missing? Check DATA_DIR and UPLOADS_DIR, or restore a backup. Nothing was changed.`,
  );
}

const ORIGINAL = /^[0-9a-f]{32}\.(?:jpg|png|webp|gif)$/;

/**
 * Throws `cannot_open` when the folder is another site's, or has lost the pictures that are `listed`;
 * changes nothing.
 */
export async function requireOwnUploads(
  uploads: string,
  siteId: string,
  listed: Content<"uploads">,
): Promise<void> {
  const marked = await readMark(uploads);
  if (marked === siteId) return;
  if (marked !== undefined)
    throw cannotOpen(
      `The uploads folder ${uploads} belongs to another site than the data folder. Check DATA_DIR and UPLOADS_DIR. Nothing was changed.`,
    );
  const names: string[] = await readdir(uploads).catch(() => []);
  const isThere = ({ filename }: { filename: string }) =>
    names.some((name) => name.startsWith(filename));
  if (listed.length > 0 && !listed.some(isThere))
    throw cannotOpen(
      `The uploads folder ${uploads} is empty, and the site lists pictures (${listed.length}). Is its disk missing? Check UPLOADS_DIR, or restore a backup. Nothing was changed.`,
    );
}

/** Makes the folder where it is missing, and says in it whose it is. */
export async function markUploads(uploads: string, siteId: string): Promise<void> {
  await ensureFolder(disk, uploads);
  if ((await readMark(uploads)) !== siteId)
    await writeDurably(disk, join(uploads, SITE_MARK), new TextEncoder().encode(siteId));
}

async function readMark(uploads: string): Promise<string | undefined> {
  try {
    return (await readFile(join(uploads, SITE_MARK), "utf8")).trim();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
