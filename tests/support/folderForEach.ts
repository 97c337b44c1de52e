/** A new folder for each test of a file, created before the test and deleted after it. */
import { afterEach, beforeEach } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a function that returns a path in the current test's folder, or the folder itself. */
export function setUpFolderForEach(parentFolder = tmpdir()): (...names: string[]) => string {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(parentFolder, "limelight-each-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return (...names) => join(folder, ...names);
}
