/** Notices pictures in the uploads folder that the site's list does not name. */
import { readdir } from "node:fs/promises";
import type { Content } from "../../schema/index.ts";
import { isOriginalName } from "./uploadNames.ts";

/**
 * How many originals are not listed. They are left alone: the list may be an older one than the folder
 * (put back by hand, a copy of the data tried out), and a picture that is gone can't be listed again.
 */
export async function foreignPictures(folder: string, listed: Content<"uploads">): Promise<number> {
  const names = new Set(listed.map((upload) => upload.filename));
  const found = (await readdir(folder)).filter(isOriginalName);
  return found.filter((name) => !names.has(name)).length;
}
