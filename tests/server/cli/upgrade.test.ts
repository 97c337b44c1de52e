/**
 * `limelight upgrade` with real processes: the built program in its own folder, a site that it serves, and files
 * signed for the test. `UPGRADE_ROUNDS` kills at every step, in that many rounds.
 */
import { describe, expect, test } from "bun:test";
import { link, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import packageJson from "../../../package.json" with { type: "json" };
import { findBackups, shortenSiteId } from "../../../src/server/backup/repository/backupFolder.ts";
import { ProgramFiles } from "../../../src/server/cli/upgrade/programFiles.ts";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import {
  type InstalledProgram,
  type Outcome,
  outcomeOf,
  waitForOutput,
  withProgram,
  writeScript,
} from "../../support/installedProgram.ts";
import { freePort } from "../../support/ports.ts";
import { program, runProgram } from "../../support/program.ts";
import { newSecretKey, signBeside } from "../../support/signing.ts";
import { callersOf } from "../../support/site.ts";
import { canTrace } from "../../support/trace.ts";
import { eventually } from "../../support/waits.ts";

const ROUNDS = Number(process.env["UPGRADE_ROUNDS"] ?? 1);
const isEveryStep = process.env["UPGRADE_ROUNDS"] !== undefined;
const OLD = `limelight ${packageJson.version}\n`;
const NEW = "limelight 9.0.0\n";

/** In seconds, for a program that never becomes healthy. */
const BAD = 10;

/** These tests mostly wait for a program to become healthy, so some run at once. */
const some = pLimit(9);

function each(name: string, run: (installed: InstalledProgram) => Promise<void>): void {
  test.concurrent(name, () => some(() => withProgram(run)), 300_000 * ROUNDS);
}

/** Puts the earlier program back, restores the newest backup and starts the site. */
async function goBackByHand(it: InstalledProgram, restart: string): Promise<void> {
  const env = { BACKUP_DIR: it.backups };
  const { code, out, error } = await runProgram(it.site, ["restore", "--newest"], "", env);
  expect([code, out, error]).toEqual([0, expect.stringContaining("Restored"), ""]);
  await it.run(restart);
  await eventually(it.isWell, true);
}

function expectOutput({ code, output }: Outcome, ends: number, ...all: string[]): void {
  for (const words of all) expect([code, output]).toEqual([ends, expect.stringContaining(words)]);
}

/** Upgrades despite Ctrl+C and a closed terminal once the new program is in place. */
async function upgradeInterrupted(it: InstalledProgram, ...args: string[]): Promise<Outcome> {
  const child = it.startUpgrade(args);
  const [begun, stdout] = child.stdout.tee();
  const outcome = outcomeOf({ stdout, stderr: child.stderr, exited: child.exited });
  await waitForOutput(begun, "5/5");
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) child.kill(signal);
  return outcome;
}

describe("a good newer program", () => {
  each(
    "is in place and healthy after upgrading a supervised site that serves HTTPS itself, even if the terminal is closed",
    async (it) => {
      await it.serveHttps();
      const restart = await it.supervise();
      const outcome = await upgradeInterrupted(it, await it.newer(), "--restart", restart);
      expectOutput(outcome, 0, "The site is running.", `checking ${it.address}/api/health`);
      const steps = outcome.output.match(/^\d\/5/gm);
      expect(steps).toEqual(["1/5", "2/5", "3/5", "4/5", "5/5"]);
      expect([await it.version(), await it.isWell()]).toEqual([NEW, true]);
      expect(await it.filesBeside()).toEqual(["limelight", "limelight.previous"]);
      // A backup among the site's others, which are removed in time.
      const site = shortenSiteId((await createFolderEngine(it.site.dataDir).readSiteId())!);
      expect(await findBackups(it.backups, site)).toEqual([
        expect.objectContaining({ remarks: ["Made before the upgrade to 9.0.0."] }),
      ]);
    },
  );

  each(
    "is the real executable, byte for byte, can be rolled back with --rollback, and isn't started for a stopped site",
    async (it) => {
      const restart = await it.start();
      const file = join(it.folder, "limelight-next");
      await link(program(), file);
      await signBeside(file, it.key);
      const all = [file, "--restart", restart, "--allow-downgrade"];
      expectOutput(await it.upgrade(...all), 0, "The site is running.");
      // The file is a copy now, not the linked one.
      expect((await Bun.file(it.path).stat()).ino).not.toBe((await Bun.file(file).stat()).ino);
      const compared = Bun.spawn(["cmp", it.path, file]);
      expect(await compared.exited).toBe(0);
      expectOutput(await it.upgrade("--rollback", "--restart", restart), 0, "The site is running.");
      expect(await it.isWell()).toBe(true);

      await it.end();
      expectOutput(await it.upgrade(await it.newer()), 0, "Start the site to use the new version.");
      expect([await it.version(), await it.isWell()]).toEqual([NEW, false]);
    },
  );
});

// What a signature is refused for is tested in tests/build/sign.test.ts.
each("a refused upgrade changes nothing", async (it) => {
  const restart = ["--restart", await it.start()] as const;
  async function refused(words: string, ...args: string[]): Promise<void> {
    expectOutput(await it.upgrade(...args), 2, words);
    expect([await it.version(), await it.filesBeside()]).toEqual([OLD, ["limelight"]]);
  }
  const file = await it.newer();
  await refused("Specify how to restart it", file);
  await refused("Specify one file: ", ...restart);
  await refused("--rollback takes no file", "--rollback", file, ...restart);
  const { port } = it;
  it.port = freePort();
  await refused("Use the service's HOST, PORT and DOMAIN", file, ...restart);
  it.port = port;
  const older = await it.newer(it.handsOn, "0.0.1");
  await refused("The file is version 0.0.1, which isn't newer", older, ...restart);
  await signBeside(file, newSecretKey());
  await refused("pass the signer's public key with --key", file, ...restart);
  await rm(`${file}.minisig`);
  await refused("The signature limelight-9.0.0.minisig", file, ...restart);
  await writeFile(file, Buffer.from("\x7fELF of another machine"));
  await signBeside(file, it.key);
  await refused("The file can't be run on this machine", file, ...restart);
  const fails = 'echo "no such thing" >&2; exit 1';
  await writeScript(file, `[ "$1" = version ] && exec echo limelight 9.0.0; ${fails}`);
  await signBeside(file, it.key);
  // It doesn't start on a copy of the site, which continues meanwhile.
  await refused("no such thing", file, ...restart);
  expect(await readdir(it.backups)).toContainEqual(expect.stringMatching(/\.tar\.gz$/));
  expect(await it.isWell()).toBe(true);
});

describe("a newer program that fails is rolled back automatically", () => {
  each(
    "one that was never started, since nothing restarted the site, which continues, or whose restart command fails",
    async (it) => {
      it.patience = BAD;
      await it.start();
      const serving = () => createFolderEngine(it.site.dataDir).findLockHolders();
      const before = await serving();
      const file = await it.newer();
      const back = `Rolled back to ${packageJson.version}`;
      const outcome = await it.upgrade(file, "--restart", "true");
      expectOutput(outcome, 1, "The site wasn't restarted:", `${back}.`);
      expectOutput(
        await it.upgrade(file, "--restart", "exit 5"),
        1,
        `${back}, but the site couldn't be restarted. Start the site, and check its log.`,
      );
      expect([await serving(), await it.isWell(), await it.version()]).toEqual([before, true, OLD]);
    },
  );

  /** Ends with the earlier program, and the site healthy with its content. */
  async function expectBack(it: InstalledProgram, outcome: Outcome): Promise<void> {
    expectOutput(outcome, 1, `Rolled back to ${packageJson.version}.`);
    expect(await it.version()).toBe(OLD);
    expect(await it.filesBeside()).toEqual(["limelight", "limelight.previous"]);
    expect(await it.isWell()).toBe(true);
  }

  each(
    "one that is killed after it has saved something: the backup isn't restored, and the save stays",
    async (it) => {
      it.patience = BAD;
      const restart = await it.start();
      const { findLockHolders: openedBy } = createFolderEngine(it.site.dataDir);
      const before = await openedBy();
      const saved = join(it.folder, "saved");
      const file = await it.newer(it.crashesOnce(saved));
      const upgrading = it.upgrade(file, "--restart", restart);
      const isNewWell = async () =>
        String(await openedBy()) !== String(before) && (await it.isWell());
      await eventually(isNewWell, true);
      const { asOwner } = callersOf(it.address);
      await asOwner("POST", "/api/hero", { ...(await it.hero()), subtitle: "Saved later" });
      await writeFile(saved, "");
      const outcome = await upgrading;
      expect(outcome.output).not.toContain("Restoring the backup");
      await expectBack(it, outcome);
      expect(await it.hero()).toMatchObject({ subtitle: "Saved later" });
    },
  );

  each(
    "one that left data of a later version: the backup is restored, and that data is set aside",
    async (it) => {
      it.patience = BAD;
      const restart = await it.start();
      const before = await it.hero();
      const outcome = await it.upgrade(await it.newer(it.spoils), "--restart", restart);
      expect(outcome.output).toContain("Restoring the backup");
      await expectBack(it, outcome);
      expect(await it.hero()).toEqual(before);
      const { dataDir } = it.site;
      const setAside = (await readdir(dataDir)).find((name) => name.startsWith(".before-restore"));
      const spoiled = await readFile(join(dataDir, setAside!, "hero.json"), "utf8");
      expect(spoiled).toContain('"version":99');
    },
  );

  each(
    "one that spoils the data and its backup: the earlier program is in place, and the backup can be restored by hand",
    async (it) => {
      it.patience = BAD;
      const restart = await it.start();
      const { backups } = it;
      const file = await it.newer(`mv ${backups} ${backups}.moved; ${it.spoils}`);
      expectOutput(
        await it.upgrade(file, "--restart", restart),
        1,
        "Start the site, and check its log",
      );
      expect(await it.version()).toBe(OLD);
      await rename(`${backups}.moved`, backups);
      await goBackByHand(it, restart);
    },
  );
});

describe.if(canTrace)("kill -9 while the current and the previous program are exchanged", () => {
  test.each([
    ["link", "limelight"],
    ["link", "limelight.previous"],
    ["rename", "limelight.next"],
  ])(
    "at %s of %s leaves the previous one under its name, and perhaps in place",
    async (call, name) => {
      const folder = await mkdtemp(join(tmpdir(), "limelight-exchange-"));
      const path = join(folder, "limelight");
      await writeFile(path, "current");
      await writeFile(`${path}.previous`, "previous");
      const source = join(import.meta.dir, "../../../src/server/cli/upgrade/programFiles.ts");
      const script = `
      import { ProgramFiles } from "${source}";
      await new ProgramFiles("${path}").exchange();`;
      const filter = `-P ${join(folder, name)} -e trace=${call} -e inject=${call}:signal=SIGKILL`;
      const strace = `strace -f -qq -o /dev/null ${filter}`.split(" ");
      const killed = Bun.spawnSync([...strace, process.execPath, "-e", script]);
      expect(killed.signalCode).toBe("SIGKILL");
      await new ProgramFiles(path).removeStagedFiles();
      const texts = [await readFile(path, "utf8"), await readFile(`${path}.previous`, "utf8")];
      expect(texts).toEqual([call === "rename" ? "previous" : "current", "previous"]);
      await rm(folder, { recursive: true });
    },
  );
});

describe("kill -9 of the upgrade", () => {
  for (const line of isEveryStep ? ["1/5", "2/5", "3/5", "4/5", "5/5"] : ["5/5"]) {
    each(
      `at step ${line} leaves a site that starts, and can be upgraded or rolled back`,
      async (it) => {
        const file = await it.newer();
        for (let round = 0; round < ROUNDS; round++) {
          await it.install();
          const restart = await it.start();
          await it.killAt(line, Math.random() * 60, [file, "--restart", restart]);
          await it.run(restart);
          await eventually(it.isWell, true);
          const left = await it.version();
          expect([OLD, NEW]).toContain(left);
          const next =
            left === OLD
              ? it.startUpgrade([file, "--restart", restart])
              : it.startUpgrade(["--rollback", "--restart", restart], `${it.path}.previous`);
          expectOutput(await outcomeOf(next), 0, "The site is running.");
          expect(await it.version()).toBe(left === OLD ? NEW : OLD);
          expect(await it.filesBeside()).toEqual(["limelight", "limelight.previous"]);
          await it.end();
        }
      },
    );
  }

  for (const line of [...(isEveryStep ? ["5/5", "Rolling back"] : []), "Restoring the backup"]) {
    each(
      `at "${line}" of a program that spoils the data: the steps of operating.md restore the earlier one`,
      async (it) => {
        it.patience = BAD;
        const restart = await it.start();
        const before = await it.hero();
        const file = await it.newer(it.spoils);
        await it.killAt(line, Math.random() * 60, [file, "--restart", restart]);
        await rename(`${it.path}.previous`, it.path);
        expect(await it.version()).toBe(OLD);
        await goBackByHand(it, restart);
        expect(await it.hero()).toEqual(before);
        const doctor = await runProgram(it.site, ["doctor"]);
        expect([doctor.code, doctor.out]).toEqual([
          0,
          expect.stringContaining("No problems found."),
        ]);
      },
    );
  }

  if (isEveryStep)
    each(
      "before the site was restarted: the healthy program is still the earlier one",
      async (it) => {
        const restart = await it.start();
        // Never reached: it ends with the test.
        const later = join(it.folder, "later");
        await writeScript(later, `while [ -d ${it.folder} ]; do sleep 0.2; done`);
        await it.killAt("5/5", 0, [await it.newer(it.spoils), "--restart", later]);
        const args = ["--rollback", "--restart", restart];
        const { output } = await outcomeOf(it.startUpgrade(args, `${it.path}.previous`));
        expect(output).toContain("The site is running.");
        expect([await it.version(), await it.isWell()]).toEqual([OLD, true]);
      },
    );
});
