/** Clears files away that no picture of the list has any more: removals that a stop interrupted. */
import { readdir } from "node:fs/promises";
import type { Content } from "../../schema/index.ts";
import type { Snapshot } from "../storage/store.ts";
import type { UploadFiles } from "./uploadFiles.ts";
import { isOriginalName } from "./uploadNames.ts";

/**
 * Removes unlisted originals with their variants; answers how many, or undefined when it left the
 * folder alone, because it looks like another site's: nothing was ever listed here, or what is listed
 * is not all there. Called once at start.
 */
export async function sweepUploads(
  folder: string,
  files: UploadFiles,
  { value, revision }: Snapshot<Content<"uploads">>,
): Promise<number | undefined> {
  const listed = new Set(value.map((upload) => upload.filename));
  const found = new Set((await readdir(folder)).filter(isOriginalName));
  const unlisted = [...found.difference(listed)];
  if (unlisted.length === 0) return 0;
  if (revision === 1 || !listed.isSubsetOf(found)) return undefined;
  for (const name of unlisted) await files.removeUpload(name);
  return unlisted.length;
}
