/** What a start clears away in the uploads folder, and what it leaves alone. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Content } from "../../../src/schema/index.ts";
import { foreignPictures, openUploadFiles } from "../../../src/server/uploads/uploadFiles.ts";

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
const names = async () => (await readdir(folder)).sort();

test("a picture that was removed before a stop goes at the next start, foreign files stay", async () => {
  const files = await openUploadFiles(folder);
  await files.markRemoved(OTHER);
  expect(await files.findServable(OTHER)).toBeUndefined();
  await openUploadFiles(folder);
  expect(await names()).toEqual([LISTED, "notes.txt"]);
  expect(await foreignPictures(folder, listed)).toBe(0);
});

test("a removal that was taken back is none", async () => {
  const files = await openUploadFiles(folder);
  await files.markRemoved(OTHER);
  await files.unmarkRemoved(OTHER);
  await openUploadFiles(folder);
  expect(await names()).toEqual([LISTED, VARIANT, OTHER, "notes.txt"]);
});

test("pictures that an older list does not name stay, and are counted", async () => {
  await openUploadFiles(folder);
  expect(await foreignPictures(folder, listed)).toBe(1);
  expect(await foreignPictures(folder, [])).toBe(2);
  expect(await names()).toEqual([LISTED, VARIANT, OTHER, "notes.txt"]);
});
