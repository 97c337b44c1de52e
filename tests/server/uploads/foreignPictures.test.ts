/** The files that a start removes from the uploads folder, and those that it keeps. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Content } from "../../../src/schema/index.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { acceptImage, createVariants } from "../../../src/server/uploads/acceptImage.ts";
import { pictureAs } from "../../support/pictures.ts";
import { countUnlistedPictures, openUploadFiles } from "../../../src/server/uploads/uploadFiles.ts";

const LISTED = `${"a".repeat(32)}.png`;
const OTHER = `${"b".repeat(32)}.png`;
const VARIANT = `${"b".repeat(32)}-320.webp`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-foreign-"));
  for (const name of [LISTED, OTHER, VARIANT, "notes.txt"])
    await Bun.write(join(folder, name), name);
});
afterEach(() => rm(folder, { recursive: true }));

const listed = [{ filename: LISTED }] as Content<"uploads">;
const otherListed = [{ filename: OTHER }] as Content<"uploads">;
const names = async () => (await readdir(folder)).sort();

const open = (...originals: string[]) =>
  openUploadFiles(createFolderStorage(folder), { listed: new Set(originals) });

test("a picture removed before a stop is deleted at the next start, foreign files stay", async () => {
  const files = await open(LISTED, OTHER);
  await files.hide(OTHER);
  expect(await files.findServable(OTHER)).toBeUndefined();
  await open(LISTED);
  expect(await names()).toEqual([LISTED, "notes.txt"]);
  expect(await countUnlistedPictures(createFolderStorage(folder), listed)).toBe(0);
});

test("a picture stored but never listed is removed at the next start, without a warning", async () => {
  const files = await open(LISTED, OTHER);
  const image = await acceptImage(await pictureAs("jpeg", 700, 350));
  const filename = await files.storeUpload(image, await createVariants(image));
  expect(await files.findServable(filename)).toBeUndefined();
  await open(LISTED, OTHER);
  expect(await names()).toEqual([LISTED, VARIANT, OTHER, "notes.txt"]);
  expect(
    await countUnlistedPictures(createFolderStorage(folder), [...listed, ...otherListed]),
  ).toBe(0);
});

test("pictures missing from an older list stay, and are counted", async () => {
  await open(LISTED);
  expect(await countUnlistedPictures(createFolderStorage(folder), listed)).toBe(1);
  expect(await countUnlistedPictures(createFolderStorage(folder), [])).toBe(2);
  expect(await names()).toEqual([LISTED, VARIANT, OTHER, "notes.txt"]);
});
