/** What a start does with what is there already. */
import { expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newSiteFolder, removeFolder, serveProgram } from "../../support/program.ts";

test("a start removes the pages that an earlier release kept for it", async () => {
  const site = await newSiteFolder();
  try {
    await mkdir(site.dataDir);
    for (const name of [".first-pages", ".first-pages.new"])
      await writeFile(join(site.dataDir, name), "what a page said before");
    await (await serveProgram(site)).stop();
    const left = (await readdir(site.dataDir)).filter((name) => name.includes("first-pages"));
    expect(left).toEqual([]);
  } finally {
    await removeFolder(site);
  }
});
