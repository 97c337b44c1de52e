/** A site starts with its own two folders or not at all. */
import { expect, test } from "bun:test";
import { cp, readdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { examineSite } from "../../../src/server/backup/siteChecks.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { openSite } from "../../../src/server/cli/openSite.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import { createPicture } from "../../support/pictures.ts";

const getPath = setUpFolderForEach();

async function openFolders(data: string, uploads: string) {
  const { config } = readConfig([], { DATA_DIR: getPath(data), UPLOADS_DIR: getPath(uploads) });
  return openSite(config, () => {});
}

/** A stopped site with one picture. */
async function createSiteIn(data: string, uploads: string): Promise<void> {
  const { library, close } = await openFolders(data, uploads);
  await library.addPicture(await createPicture("png", 60, 40), "x.png");
  await close();
}

const findRefusals = async (data: string, uploads: string) =>
  (await examineSite(createFolderEngine(getPath(data)), createFolderStorage(getPath(uploads))))
    .filter(({ blocksStart: refuses }) => refuses)
    .map(({ message }) => message);

test.each([
  ["another site's pictures", "data", "other-uploads", "belongs to a different site"],
  [
    "an empty folder beside data that lists pictures",
    "data",
    "nowhere",
    "has none of the site's pictures",
  ],
  ["no data beside a site's pictures", "nowhere", "uploads", "contains a site's pictures"],
])("a start and doctor refuse %s with the same message", async (_, data, uploads, words) => {
  await createSiteIn("data", "uploads");
  await createSiteIn("other-data", "other-uploads");
  expect(await findRefusals("data", "uploads")).toEqual([]);
  expect(await findRefusals(data, uploads)).toContainEqual(expect.stringContaining(words));
  await expect(openFolders(data, uploads)).rejects.toThrow(words);
});

test("a restore refuses a folder with another site's pictures, and replaces the pictures of the same site", async () => {
  await createSiteIn("data", "uploads");
  await createSiteIn("other-data", "other-uploads");
  const archive = getPath("site.tar.gz");
  const placed = (data: string, uploads: string) => ({
    data: createFolderEngine(getPath(data)),
    uploads: createFolderStorage(getPath(uploads)),
  });
  await saveArchive(archive, placed("data", "uploads"));
  const restored = async (data: string, uploads: string) => {
    const site = placed(data, uploads);
    const release = await site.data.lock();
    await restoreArchive(archive, site).finally(release);
  };
  const before = await readdir(getPath("other-uploads"));
  for (const data of ["data", "nowhere"])
    await expect(restored(data, "other-uploads")).rejects.toThrow("belongs to a different site");
  expect(await readdir(getPath("other-uploads"))).toEqual(before);
  await restored("nowhere", "uploads");
  const { library, close } = await openFolders("nowhere", "uploads");
  expect(library.list()).toHaveLength(1);
  await close();
});

test("a start with a site's pictures but an empty data folder is refused, and creates nothing there", async () => {
  await createSiteIn("data", "uploads");
  await rename(getPath("data"), getPath("elsewhere"));
  await expect(openFolders("data", "uploads")).rejects.toThrow("Is its disk mounted?");
  expect(await readdir(getPath("data")).catch(() => [])).toEqual([]);
  await rename(getPath("elsewhere"), getPath("data"));
  const { library, close } = await openFolders("data", "uploads");
  expect(library.list()).toHaveLength(1);
  await close();
});

test("a start with a copy of the data is refused while another process uses the site's pictures", async () => {
  await createSiteIn("data", "uploads");
  await cp(getPath("data"), getPath("copy"), { recursive: true });
  const running = await openFolders("data", "uploads");
  await expect(openFolders("copy", "uploads")).rejects.toThrow(
    "choose another folder with UPLOADS_DIR",
  );
  await running.close();
  await (await openFolders("copy", "uploads")).close();
});

test("a folder for pictures inside the data folder is refused, also through a symbolic link", async () => {
  await createSiteIn("data", "uploads");
  await symlink(getPath("data"), getPath("link"));
  const settings = { DATA_DIR: getPath("data"), UPLOADS_DIR: join(getPath("link"), "inside") };
  expect(() => readConfig([], settings)).toThrow("must be separate folders");
});

test("a start adds the file .site to a picture folder from a release without such files", async () => {
  await createSiteIn("data", "uploads");
  await rm(getPath("uploads/.site"));
  await (await openFolders("data", "uploads")).close();
  expect(await readdir(getPath("uploads"))).toContain(".site");
});
