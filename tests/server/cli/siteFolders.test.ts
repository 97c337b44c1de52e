/** A site is started with its own two folders or not at all. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { examine } from "../../../src/server/backup/doctor.ts";
import { openSite } from "../../../src/server/cli/openSite.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-folders-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const at = (name: string) => join(root, name);

async function open(data: string, uploads: string) {
  const { config } = readConfig([], { DATA_DIR: at(data), UPLOADS_DIR: at(uploads) });
  return openSite(config, () => {});
}

/** A site with one picture, stopped. */
async function siteIn(data: string, uploads: string): Promise<void> {
  const { library, close } = await open(data, uploads);
  await library.add(await Bun.file("tests/support/pictures/full-house.jpg").bytes(), "x.jpg");
  await close();
}

const refusals = async (data: string, uploads: string) =>
  (await examine(folderEngine(at(data)), folderStorage(at(uploads))))
    .filter(({ refuses }) => refuses)
    .map(({ message }) => message);

test("the doctor refuses folders together for what a start refuses them", async () => {
  await siteIn("data", "uploads");
  await siteIn("other-data", "other-uploads");
  expect(await refusals("data", "uploads")).toEqual([]);
  expect(await refusals("data", "other-uploads")).toEqual([
    expect.stringContaining("belongs to another site"),
  ]);
  expect(await refusals("data", "nowhere")).toEqual([
    expect.stringContaining("lists pictures (1)"),
  ]);
  expect(await refusals("nowhere", "uploads")).toContainEqual(
    expect.stringContaining("holds the pictures of a site"),
  );
});

test("an empty data folder beside a site's pictures is refused, and nothing is made in it", async () => {
  await siteIn("data", "uploads");
  await rename(at("data"), at("elsewhere"));
  await expect(open("data", "uploads")).rejects.toThrow("Is its disk missing?");
  expect(await readdir(at("data")).catch(() => [])).toEqual([]);
  await rename(at("elsewhere"), at("data"));
  const { library, close } = await open("data", "uploads");
  expect(library.list()).toHaveLength(1);
  await close();
});

test("another site's pictures are refused", async () => {
  await siteIn("data", "uploads");
  await siteIn("other-data", "other-uploads");
  await expect(open("data", "other-uploads")).rejects.toThrow("belongs to another site");
});

test("an empty uploads folder of a site with pictures is refused", async () => {
  await siteIn("data", "uploads");
  await rename(at("uploads"), at("elsewhere"));
  await expect(open("data", "uploads")).rejects.toThrow("lists pictures (1). Is its disk missing?");
});

test("a copy of the data does not start with pictures that another process uses", async () => {
  await siteIn("data", "uploads");
  await cp(at("data"), at("copy"), { recursive: true });
  const running = await open("data", "uploads");
  await expect(open("copy", "uploads")).rejects.toThrow("choose another folder with UPLOADS_DIR");
  await running.close();
  await (await open("copy", "uploads")).close();
});

test("folders inside of each other are refused by where links lead", async () => {
  await siteIn("data", "uploads");
  await symlink(at("data"), at("link"));
  const settings = { DATA_DIR: at("data"), UPLOADS_DIR: join(at("link"), "inside") };
  expect(() => readConfig([], settings)).toThrow("must be two folders");
});

test("a site of a release without marks gets one", async () => {
  await siteIn("data", "uploads");
  await rm(at("uploads/.site"));
  await (await open("data", "uploads")).close();
  expect(await readdir(at("uploads"))).toContain(".site");
});
