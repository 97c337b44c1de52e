/** Examines a site: all that its engine keeps, and its pictures; whether it is running or not. */
import { readdir } from "node:fs/promises";
import { allEntities, entities, type Item } from "../../schema/index.ts";
import { variantUrl } from "../../schema/pictures.ts";
import type { Engine, Finding } from "../storage/engine.ts";
import { examineRights } from "../storage/examineFolder.ts";

/** `uploads`: the folder of the pictures. */
export async function examine(data: Engine, uploads: string): Promise<Finding[]> {
  const stored = await data.examine(allEntities);
  if (!(await data.isInstalled()) || (await data.replacement.underWay())) return stored;
  const listed = (await data.peek(entities.uploads)) ?? [];
  return [...stored, await examineRights(uploads), ...(await examinePictures(listed, uploads))];
}

async function examinePictures(
  listed: readonly Item<"uploads">[],
  uploads: string,
): Promise<Finding[]> {
  const names = new Set(await readdir(uploads).catch(() => []));
  const missing = listed.filter((upload) => filesOf(upload).some((name) => !names.has(name)));
  if (missing.length === 0)
    return [{ ok: true, message: `${listed.length} pictures, all with their files` }];
  return missing.map(({ originalName }) => ({
    ok: false,
    message: `The picture ${originalName} has lost a file. Delete it in the dashboard and upload it again.`,
  }));
}

function filesOf({ url, widths }: Item<"uploads">): string[] {
  const variants = widths.map((width) => variantUrl(url, width));
  return [url, ...variants].map((each) => each.replace("/uploads/", ""));
}
