/** What a start clears away in the uploads folder, and what it leaves alone. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Content } from "../../src/schema/index.ts";
import { sweepUploads } from "../../src/server/uploads/sweepUploads.ts";
import { openUploadFiles } from "../../src/server/uploads/uploadFiles.ts";

const LISTED = `${"a".repeat(32)}.png`;
const REMOVED = `${"b".repeat(32)}.png`;
const VARIANT = `${"b".repeat(32)}-320.webp`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "limelight-sweep-"));
  for (const name of [LISTED, REMOVED, VARIANT, "notes.txt"])
    await Bun.write(join(folder, name), name);
});
afterEach(() => rm(folder, { recursive: true }));

async function sweep(names: string[], revision: number) {
  const value = names.map((filename) => ({ filename })) as Content<"uploads">;
  const swept = await sweepUploads(folder, await openUploadFiles(folder), {
    value,
    revision,
    savedAt: "",
  });
  return [swept, (await readdir(folder)).sort()];
}

test("a picture that a stop kept from being removed goes at the next start, foreign files stay", async () => {
  expect(await sweep([LISTED], 3)).toEqual([1, [LISTED, "notes.txt"]]);
});

test("the pictures of a folder stay when the site has never listed any", async () => {
  const all = [LISTED, VARIANT, REMOVED, "notes.txt"];
  expect(await sweep([], 1)).toEqual([undefined, all]);
});

test("they stay when what the site lists is not all there", async () => {
  const all = [LISTED, VARIANT, REMOVED, "notes.txt"];
  expect(await sweep([LISTED, `${"c".repeat(32)}.jpg`], 3)).toEqual([undefined, all]);
});
