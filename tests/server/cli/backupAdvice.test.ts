/** Where a message says to restore a backup, the newest one is named beside it, with its age. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newSiteFolder, removeFolder, runProgram, type SiteFolder } from "../../support/program.ts";
import { DAY, HOUR, MINUTE } from "../../../src/server/shared/time.ts";

let site: SiteFolder;
beforeEach(async () => void (site = await newSiteFolder({ sample: true })));
afterEach(() => removeFolder(site));

const nameOf = (short: string, age: number) =>
  `limelight-${short}-${new Date(Date.now() - age).toISOString().replace(/[:.]/g, "-")}.tar.gz`;

async function damage(): Promise<string> {
  for (const name of ["hero.json", "hero.json.bak"]) await writeFile(join(site.dataDir, name), "{");
  const { id } = (await Bun.file(join(site.dataDir, "installation.json")).json()).value;
  return id.slice(0, 8);
}

test.each([
  [5 * MINUTE, "5 minutes"],
  [90 * MINUTE, "90 minutes"],
  [26 * HOUR, "26 hours"],
  [9 * DAY, "9 days"],
])("of a site that can't start: one that is %p ms old", async (age, words) => {
  const short = await damage();
  const backups = join(site.folder, "backups");
  await mkdir(backups);
  for (const name of [nameOf(short, age), nameOf(short, age + DAY), nameOf("0badcafe", 0)])
    await writeFile(join(backups, name), "");
  const said = `The newest backup here is ${words} old: limelight restore backups/${nameOf(short, age).slice(0, 32)}`;
  const env = { BACKUP_DIR: backups };
  for (const command of ["doctor", "serve"]) {
    const { code, out, error } = await runProgram(site, [command], "", env);
    expect([command, code === 0, out + error]).toEqual([
      command,
      false,
      expect.stringContaining(said),
    ]);
  }
});

test("without a backup there is no advice", async () => {
  await damage();
  const { out } = await runProgram(site, ["doctor"]);
  expect(out).toContain('Restore a backup with "limelight restore"');
  expect(out).not.toContain("The newest backup");
});
