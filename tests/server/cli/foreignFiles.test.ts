/**
 * Site files that belong to root, left by a command that was run without `limelightctl`. Needs root, since the site
 * belongs to another user here.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, chown, copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  createSiteFolder,
  getProgramPath,
  removeSiteFolder,
  type SiteFolder,
} from "../../support/program.ts";
import { collectOutcome } from "../../support/installedProgram.ts";
import { OWNER_ENV } from "../../support/site.ts";

const USER = 65534;
const isRoot = process.getuid?.() === 0 && Bun.which("setpriv") !== null;

let site: SiteFolder;
let backups: string;
beforeEach(async () => {
  site = await createSiteFolder({ sample: true });
  const { folder, dataDir, uploadsDir } = site;
  backups = join(folder, "backups");
  await mkdir(backups, { recursive: true });
  await chmod(folder, 0o755);
  // A folder where another user may run it.
  await copyFile(getProgramPath(), join(folder, "limelight"));
  for (const each of [dataDir, uploadsDir, backups]) await changeOwner(each, USER);
});
afterEach(() => removeSiteFolder(site));

async function changeOwner(path: string, uid: number): Promise<void> {
  await chown(path, uid, uid);
  for (const name of await readdir(path, { recursive: true }).catch(() => []))
    await chown(join(path, name), uid, uid);
}

const runAsUser = async (...command: string[]) => {
  const as = ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--clear-groups"];
  const env = { ...OWNER_ENV, DATA_DIR: site.dataDir, UPLOADS_DIR: site.uploadsDir };
  const child = Bun.spawn([...as, join(site.folder, "limelight"), ...command], {
    cwd: site.folder,
    env: { ...env, BACKUP_DIR: backups, PORT: "0" },
    stdout: "pipe",
    stderr: "pipe",
  });
  return collectOutcome(child);
};

describe.skipIf(!isRoot)(
  "files that belong to root in the site's folders (skipped unless run as root)",
  () => {
    const MESSAGE_START = "These files belong to root, not to nobody: ";
    const createAdvice = (folder: string) => `. Run as root: chown -R nobody: ${folder}\n`;

    test("are reported by a start and by doctor, with the command that changes a whole folder's owner", async () => {
      await changeOwner(site.dataDir, 0);
      for (const command of ["serve", "doctor"]) {
        const { code, output } = await runAsUser(command);
        const words = expect.stringContaining(
          `${MESSAGE_START}${site.dataDir}${createAdvice(site.dataDir)}`,
        );
        expect([code, output]).toEqual([command === "doctor" ? 1 : 2, words]);
        expect(output).not.toMatch(/ at |damaged|restore/);
      }
    });

    test("aren't reported as damaged, and no restore is advised", async () => {
      for (const name of ["hero.json", "hero.json.bak"])
        await chown(join(site.dataDir, name), 0, 0);
      const { output } = await runAsUser("serve");
      expect(output).toContain(
        `${MESSAGE_START}${join(site.dataDir, "hero.json")} and 1 more${createAdvice(site.dataDir)}`,
      );
      expect(output).not.toMatch(/damaged|restore/);
      const report = JSON.parse((await runAsUser("doctor", "--json")).output);
      expect(report).toMatchObject({ well: false, starts: false });
      const refused = report.findings.filter(
        ({ blocksStart }: { blocksStart?: true }) => blocksStart,
      );
      expect(refused).toMatchObject([{ message: expect.stringContaining(MESSAGE_START) }]);
      // Problems with another cause are reported too.
      expect(report.findings).toContainEqual(
        expect.objectContaining({ message: expect.stringContaining("The site has no account") }),
      );
      await changeOwner(site.dataDir, USER);
      expect((await runAsUser("doctor")).output).not.toContain("not to nobody");
    });

    test("are also reported if they are pictures, backups or other files", async () => {
      await changeOwner(site.uploadsDir, 0);
      expect((await runAsUser("doctor")).output).toContain(
        `REFUSED  ${MESSAGE_START}${site.uploadsDir}`,
      );
      await changeOwner(site.uploadsDir, USER);
      await changeOwner(backups, 0);
      await chmod(backups, 0o700);
      expect((await runAsUser("doctor")).output).toContain(
        `PROBLEM  ${MESSAGE_START}${backups}${createAdvice(backups)}`,
      );
      await changeOwner(backups, USER);
      await chmod(backups, 0o755);
      const left = join(site.dataDir, "hero.json.bad-20261125T194235990Z");
      await copyFile(join(site.dataDir, "hero.json"), left);
      await chmod(left, 0o600);
      const { code, output } = await runAsUser("backup");
      expect([code, output]).toEqual([
        1,
        expect.stringContaining(`${left} can't be read (EACCES)`),
      ]);
      expect((await runAsUser("doctor")).output).toContain(
        `PROBLEM  ${MESSAGE_START}${left}${createAdvice(site.dataDir)}`,
      );
    });
  },
);
