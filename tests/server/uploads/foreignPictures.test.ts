/** The files that a start removes from the uploads folder, and those that it keeps. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Content } from "../../../src/schema/index.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { acceptImage, createVariants } from "../../../src/server/uploads/acceptImage.ts";
import { createPicture } from "../../support/pictures.ts";
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

const LISTED_CONTENT = [{ filename: LISTED }] as Content<"uploads">;
const OTHER_LISTED_CONTENT = [{ filename: OTHER }] as Content<"uploads">;
const listNames = async () => (await readdir(folder)).sort();

const openFiles = (...originals: string[]) =>
  openUploadFiles(createFolderStorage(folder), { listed: new Set(originals) });

test("a picture removed before a stop is deleted at the next start, and other programs' files stay", async () => {
  const files = await openFiles(LISTED, OTHER);
  await files.hide(OTHER);
  expect(await files.findPublicFile(OTHER)).toBeUndefined();
  await openFiles(LISTED);
  expect(await listNames()).toEqual([LISTED, "notes.txt"]);
  expect(await countUnlistedPictures(createFolderStorage(folder), LISTED_CONTENT)).toBe(0);
});

test("a picture stored but never listed is removed at the next start, without a warning", async () => {
  const files = await openFiles(LISTED, OTHER);
  const image = await acceptImage(await createPicture("jpeg", 700, 350));
  const filename = await files.storeUpload(image, await createVariants(image));
  expect(await files.findPublicFile(filename)).toBeUndefined();
  await openFiles(LISTED, OTHER);
  expect(await listNames()).toEqual([LISTED, VARIANT, OTHER, "notes.txt"]);
  expect(
    await countUnlistedPictures(createFolderStorage(folder), [
      ...LISTED_CONTENT,
      ...OTHER_LISTED_CONTENT,
    ]),
  ).toBe(0);
});

test("picture files that the site's list doesn't name stay, and are counted", async () => {
  await openFiles(LISTED);
  expect(await countUnlistedPictures(createFolderStorage(folder), LISTED_CONTENT)).toBe(1);
  expect(await countUnlistedPictures(createFolderStorage(folder), [])).toBe(2);
  expect(await listNames()).toEqual([LISTED, VARIANT, OTHER, "notes.txt"]);
});
