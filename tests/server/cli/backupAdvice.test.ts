/** A message that advises restoring a backup names the newest one, with its time. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createSiteFolder,
  removeSiteFolder,
  runProgram,
  type SiteFolder,
} from "../../support/program.ts";

let site: SiteFolder;
beforeEach(async () => void (site = await createSiteFolder({ sample: true })));
afterEach(() => removeSiteFolder(site));

async function damageSite(): Promise<string> {
  for (const name of ["hero.json", "hero.json.bak"]) await writeFile(join(site.dataDir, name), "{");
  const { id } = (await Bun.file(join(site.dataDir, "installation.json")).json()).value;
  return id.slice(0, 8);
}

test("doctor and a refused start name the newest backup and the command that restores it", async () => {
  const short = await damageSite();
  const backups = join(site.folder, "backups");
  await mkdir(backups);
  const [newest, ...others] = ["2026-11-21T03-00", "2026-11-20T03-00"].map(
    (time) => `limelight-${short}-${time}-00-000Z.tar.gz`,
  );
  for (const name of [newest!, ...others, "limelight-0badcafe-2026-11-22T03-00-00-000Z.tar.gz"])
    await writeFile(join(backups, name), "");
  const said = `The newest backup on this machine was made at 2026-11-21 03:00 UTC. To restore it: limelight restore backups/${newest}`;
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

test("doctor's advice for a damaged site without backups names no backup", async () => {
  await damageSite();
  const { out } = await runProgram(site, ["doctor"]);
  expect(out).toContain('Restore a backup with "limelight restore"');
  expect(out).not.toContain("The newest backup");
});
