/** Clears files away that no picture of the list has any more: removals that a stop interrupted. */
import { readdir } from "node:fs/promises";
import type { Content } from "../../schema/index.ts";
import type { UploadFiles } from "./uploadFiles.ts";
import { isOriginalName } from "./uploadNames.ts";

/** Removes unlisted originals with their variants; answers how many. Called once at start. */
export async function sweepUploads(
  folder: string,
  files: UploadFiles,
  listed: Content<"uploads">,
): Promise<number> {
  const names = new Set(listed.map((upload) => upload.filename));
  const unlisted = (await readdir(folder)).filter(
    (name) => isOriginalName(name) && !names.has(name),
  );
  for (const name of unlisted) await files.removeUpload(name);
  return unlisted.length;
}
