/** Marks the picture storage with its site's id, so that neither another nor a new site starts with the pictures. */
import type { Content } from "../../../schema/index.ts";
import { cannotOpen, cannotOpenDamaged } from "../../shared/errors.ts";
import { isOriginalName } from "./pictureNames.ts";
import type { PictureStorage } from "./pictureStorage.ts";

/** The name begins with a dot, so no archive includes the file. `limelight restore` removes it. */
export const SITE_ID_FILE = ".site";

/** Throws `cannot_open` if the storage has a mark or a picture. Call before a site is created. */
export async function assertUnmarked({ listNames, label, setting }: PictureStorage): Promise<void> {
  const names = await listNames();
  if (!names.includes(SITE_ID_FILE) && !names.some(isOriginalName)) return;
  throw cannotOpenDamaged(
    `${label} contains a site's pictures, but the site's data is missing. Is its disk mounted? Check DATA_DIR or DATABASE_URL, and ${setting}, or restore a backup. Nothing was changed.`,
  );
}

/** Throws `cannot_open` if the storage is marked with a site that isn't in `siteIds`. */
export async function assertNotOtherSite(
  storage: PictureStorage,
  siteIds: readonly (string | undefined)[],
): Promise<void> {
  const markedSiteId = await readSiteId(storage);
  if (markedSiteId === undefined || siteIds.includes(markedSiteId)) return;
  const { label, setting } = storage;
  throw cannotOpen(
    `${label} belongs to a different site than the data. Check DATA_DIR or DATABASE_URL, and ${setting}. Nothing was changed.`,
  );
}

/** Throws `cannot_open` if the storage has another site's mark, or neither a mark nor any of the `listed` pictures. */
export async function assertPicturesOfSite(
  storage: PictureStorage,
  siteId: string,
  listed: Content<"uploads">,
): Promise<void> {
  await assertNotOtherSite(storage, [siteId]);
  if (listed.length === 0 || (await readSiteId(storage)) === siteId) return;
  const { label, setting } = storage;
  const names = await storage.listNames();
  const isStored = ({ filename }: { filename: string }) =>
    names.some((name) => name.startsWith(filename));
  if (!listed.some(isStored))
    throw cannotOpenDamaged(
      `${label} has none of the site's pictures. ${setting === "UPLOADS_DIR" ? "Is its disk mounted?" : "Were the pictures copied there?"} Check ${setting}, or restore a backup. Nothing was changed.`,
    );
}

export async function markStorage(storage: PictureStorage, siteId: string): Promise<void> {
  await storage.prepare();
  if ((await readSiteId(storage)) !== siteId)
    await storage.put(SITE_ID_FILE, new TextEncoder().encode(siteId));
}

async function readSiteId({ read }: PictureStorage): Promise<string | undefined> {
  const bytes = await read(SITE_ID_FILE);
  return bytes && new TextDecoder().decode(bytes).trim();
}
