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
import { folderForEach } from "../../support/folderForEach.ts";
import { pictureAs } from "../../support/pictures.ts";

const at = folderForEach();

async function open(data: string, uploads: string) {
  const { config } = readConfig([], { DATA_DIR: at(data), UPLOADS_DIR: at(uploads) });
  return openSite(config, () => {});
}

/** A stopped site with one picture. */
async function siteIn(data: string, uploads: string): Promise<void> {
  const { library, close } = await open(data, uploads);
  await library.addPicture(await pictureAs("png", 60, 40), "x.png");
  await close();
}

const refusals = async (data: string, uploads: string) =>
  (await examineSite(createFolderEngine(at(data)), createFolderStorage(at(uploads))))
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
])("%s: a start and doctor refuse it with the same message", async (_, data, uploads, words) => {
  await siteIn("data", "uploads");
  await siteIn("other-data", "other-uploads");
  expect(await refusals("data", "uploads")).toEqual([]);
  expect(await refusals(data, uploads)).toContainEqual(expect.stringContaining(words));
  await expect(open(data, uploads)).rejects.toThrow(words);
});

test("a restore keeps another site's pictures, and replaces those of the archive's own site", async () => {
  await siteIn("data", "uploads");
  await siteIn("other-data", "other-uploads");
  const archive = at("site.tar.gz");
  const placed = (data: string, uploads: string) => ({
    data: createFolderEngine(at(data)),
    uploads: createFolderStorage(at(uploads)),
  });
  await saveArchive(archive, placed("data", "uploads"));
  const restored = async (data: string, uploads: string) => {
    const site = placed(data, uploads);
    const release = await site.data.lock();
    await restoreArchive(archive, site).finally(release);
  };
  const before = await readdir(at("other-uploads"));
  for (const data of ["data", "nowhere"])
    await expect(restored(data, "other-uploads")).rejects.toThrow("belongs to a different site");
  expect(await readdir(at("other-uploads"))).toEqual(before);
  await restored("nowhere", "uploads");
  const { library, close } = await open("nowhere", "uploads");
  expect(library.list()).toHaveLength(1);
  await close();
});

test("an empty data folder with a site's pictures is refused, and nothing is created in it", async () => {
  await siteIn("data", "uploads");
  await rename(at("data"), at("elsewhere"));
  await expect(open("data", "uploads")).rejects.toThrow("Is its disk mounted?");
  expect(await readdir(at("data")).catch(() => [])).toEqual([]);
  await rename(at("elsewhere"), at("data"));
  const { library, close } = await open("data", "uploads");
  expect(library.list()).toHaveLength(1);
  await close();
});

test("a copy of the data does not start with pictures that another process uses", async () => {
  await siteIn("data", "uploads");
  await cp(at("data"), at("copy"), { recursive: true });
  const running = await open("data", "uploads");
  await expect(open("copy", "uploads")).rejects.toThrow("choose another folder with UPLOADS_DIR");
  await running.close();
  await (await open("copy", "uploads")).close();
});

test("nested folders are refused, also through symbolic links", async () => {
  await siteIn("data", "uploads");
  await symlink(at("data"), at("link"));
  const settings = { DATA_DIR: at("data"), UPLOADS_DIR: join(at("link"), "inside") };
  expect(() => readConfig([], settings)).toThrow("must be separate folders");
});

test("a site of a release without site marks gets one", async () => {
  await siteIn("data", "uploads");
  await rm(at("uploads/.site"));
  await (await open("data", "uploads")).close();
  expect(await readdir(at("uploads"))).toContain(".site");
});
