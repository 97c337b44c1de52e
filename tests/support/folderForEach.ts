/** A new folder for each test of a file: created in the first hook, deleted after the last. */
import { afterEach, beforeEach } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a function that gives a path in the current folder, or the folder itself. */
export function setUpFolderForEach(parentFolder = tmpdir()): (...names: string[]) => string {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(parentFolder, "limelight-each-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return (...names) => join(folder, ...names);
}
