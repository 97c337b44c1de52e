/** What is given to a command means something to it, or is refused. */
import { afterEach, expect, spyOn, test } from "bun:test";
import { run } from "../../../src/server/cli/run.ts";
import { newSiteFolder, removeFolder, type SiteFolder } from "../../support/program.ts";

let site: SiteFolder | undefined;
afterEach(async () => {
  if (site) await removeFolder(site);
  site = undefined;
});

test.each(["doctor", "demo"])("%s refuses an argument, and does nothing", async (name) => {
  site = await newSiteFolder();
  const { folder, dataDir, uploadsDir } = site;
  const errors = spyOn(console, "error").mockImplementation(() => {});
  const said = spyOn(console, "log").mockImplementation(() => {});
  try {
    const settings = ["--data-dir", dataDir, "--uploads-dir", uploadsDir];
    expect(await run([name, "/srv/site/data", ...settings])).toBe(2);
    expect(errors.mock.calls.flat()).toEqual([
      `limelight ${name} takes only flags, such as --data-dir ./data. Nothing was done.`,
      "See: limelight help",
    ]);
    expect(said).not.toHaveBeenCalled();
    expect(await Array.fromAsync(new Bun.Glob("**").scan(folder))).toEqual([]);
  } finally {
    errors.mockRestore();
    said.mockRestore();
  }
});
