/**
 * `limelight upgrade` with real processes: the built program in its own folder, a site that it serves, and files signed
 * for the test. With `UPGRADE_ROUNDS` the upgrade is killed at every step, in that many rounds.
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
  collectOutcome,
  waitForOutput,
  withInstalledProgram,
  writeScript,
} from "../../support/installedProgram.ts";
import { findFreePort } from "../../support/ports.ts";
import { getProgramPath, runProgram } from "../../support/program.ts";
import { createSecretKey, writeSignature } from "../../support/signing.ts";
import { createCallers } from "../../support/site.ts";
import { canTrace } from "../../support/trace.ts";
import { waitForValue } from "../../support/waits.ts";

const ROUNDS = Number(process.env["UPGRADE_ROUNDS"] ?? 1);
const isComplete = process.env["UPGRADE_ROUNDS"] !== undefined;
const OLD_VERSION = `limelight ${packageJson.version}\n`;
const NEW_VERSION = "limelight 9.0.0\n";

/** The timeout, in seconds, for a program that never becomes healthy. */
const ROLLED_BACK_CODE = 10;

/** These tests mostly wait for a program to become healthy, so some run at once. */
const limit = pLimit(9);

function testUpgrade(name: string, run: (installed: InstalledProgram) => Promise<void>): void {
  test.concurrent(name, () => limit(() => withInstalledProgram(run)), 300_000 * ROUNDS);
}

/** Puts the earlier program back, restores the newest backup and starts the site. */
async function rollBackByHand(it: InstalledProgram, restart: string): Promise<void> {
  const env = { BACKUP_DIR: it.backupFolder };
  const { code, out, error } = await runProgram(it.site, ["restore", "--newest"], "", env);
  expect([code, out, error]).toEqual([0, expect.stringContaining("Restored"), ""]);
  await it.run(restart);
  await waitForValue(it.isHealthy, true);
}

function expectOutput({ code, output }: Outcome, ends: number, ...all: string[]): void {
  for (const words of all) expect([code, output]).toEqual([ends, expect.stringContaining(words)]);
}

/** Upgrades, and sends the signals of Ctrl+C and of a closed terminal once the new program is in place. */
async function runInterruptedUpgrade(it: InstalledProgram, ...args: string[]): Promise<Outcome> {
  const child = it.startUpgrade(args);
  const [begun, stdout] = child.stdout.tee();
  const outcome = collectOutcome({ stdout, stderr: child.stderr, exited: child.exited });
  await waitForOutput(begun, "5/5");
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) child.kill(signal);
  return outcome;
}

describe("a good newer program", () => {
  testUpgrade(
    "replaces the program of a site that serves HTTPS, even if the terminal is closed meanwhile",
    async (it) => {
      await it.serveHttps();
      const restart = await it.supervise();
      const outcome = await runInterruptedUpgrade(
        it,
        await it.createNewerProgram(),
        "--restart",
        restart,
      );
      expectOutput(outcome, 0, "The site is running.", `checking ${it.address}/api/health`);
      const steps = outcome.output.match(/^\d\/5/gm);
      expect(steps).toEqual(["1/5", "2/5", "3/5", "4/5", "5/5"]);
      expect([await it.readVersion(), await it.isHealthy()]).toEqual([NEW_VERSION, true]);
      expect(await it.listFilesBeside()).toEqual(["limelight", "limelight.previous"]);
      // The backup is among the site's others, which are removed in time.
      const site = shortenSiteId((await createFolderEngine(it.site.dataDir).readSiteId())!);
      expect(await findBackups(it.backupFolder, site)).toEqual([
        expect.objectContaining({ remarks: ["Made before the upgrade to 9.0.0."] }),
      ]);
    },
  );

  testUpgrade(
    "is installed byte for byte, and --rollback puts the earlier program back in place",
    async (it) => {
      const restart = await it.start();
      const file = join(it.folder, "limelight-next");
      await link(getProgramPath(), file);
      await writeSignature(file, it.secretKey);
      const all = [file, "--restart", restart, "--allow-downgrade"];
      expectOutput(await it.upgrade(...all), 0, "The site is running.");
      // The file is a copy now, not the linked one.
      expect((await Bun.file(it.path).stat()).ino).not.toBe((await Bun.file(file).stat()).ino);
      const compared = Bun.spawn(["cmp", it.path, file]);
      expect(await compared.exited).toBe(0);
      expectOutput(await it.upgrade("--rollback", "--restart", restart), 0, "The site is running.");
      expect(await it.isHealthy()).toBe(true);

      await it.stop();
      expectOutput(
        await it.upgrade(await it.createNewerProgram()),
        0,
        "Start the site to use the new version.",
      );
      expect([await it.readVersion(), await it.isHealthy()]).toEqual([NEW_VERSION, false]);
    },
  );
});

// tests/build/sign.test.ts tests which signatures are refused.
testUpgrade("a refused upgrade leaves the program and the running site unchanged", async (it) => {
  const restart = ["--restart", await it.start()] as const;
  async function refused(words: string, ...args: string[]): Promise<void> {
    expectOutput(await it.upgrade(...args), 2, words);
    expect([await it.readVersion(), await it.listFilesBeside()]).toEqual([
      OLD_VERSION,
      ["limelight"],
    ]);
  }
  const file = await it.createNewerProgram();
  await refused("Specify how to restart it", file);
  await refused("Specify one file: ", ...restart);
  await refused("--rollback takes no file", "--rollback", file, ...restart);
  const { port } = it;
  it.port = findFreePort();
  await refused("Use the service's HOST, PORT and DOMAIN", file, ...restart);
  it.port = port;
  const older = await it.createNewerProgram(it.callRealProgram, "0.0.1");
  await refused("The file is version 0.0.1, which isn't newer", older, ...restart);
  await writeSignature(file, createSecretKey());
  await refused("pass the signer's public key with --key", file, ...restart);
  await rm(`${file}.minisig`);
  await refused("The signature limelight-9.0.0.minisig", file, ...restart);
  await writeFile(file, Buffer.from("\x7fELF of another machine"));
  await writeSignature(file, it.secretKey);
  await refused("The file can't be run on this machine", file, ...restart);
  const fails = 'echo "no such thing" >&2; exit 1';
  await writeScript(file, `[ "$1" = version ] && exec echo limelight 9.0.0; ${fails}`);
  await writeSignature(file, it.secretKey);
  // The program doesn't start on a copy of the site; the site itself continues.
  await refused("no such thing", file, ...restart);
  expect(await readdir(it.backupFolder)).toContainEqual(expect.stringMatching(/\.tar\.gz$/));
  expect(await it.isHealthy()).toBe(true);
});

describe("the automatic rollback of a newer program", () => {
  testUpgrade(
    "that the restart command never started leaves the earlier program serving the site",
    async (it) => {
      it.timeoutSeconds = ROLLED_BACK_CODE;
      await it.start();
      const serving = () => createFolderEngine(it.site.dataDir).findLockHolders();
      const before = await serving();
      const file = await it.createNewerProgram();
      const back = `Rolled back to ${packageJson.version}`;
      const outcome = await it.upgrade(file, "--restart", "true");
      expectOutput(outcome, 1, "The site wasn't restarted:", `${back}.`);
      expectOutput(
        await it.upgrade(file, "--restart", "exit 5"),
        1,
        `${back}, but the site couldn't be restarted. Check its log, then start it.`,
      );
      expect([await serving(), await it.isHealthy(), await it.readVersion()]).toEqual([
        before,
        true,
        OLD_VERSION,
      ]);
    },
  );

  /** Expects the earlier program in place, and a healthy site. */
  async function expectRolledBack(it: InstalledProgram, outcome: Outcome): Promise<void> {
    expectOutput(outcome, 1, `Rolled back to ${packageJson.version}.`);
    expect(await it.readVersion()).toBe(OLD_VERSION);
    expect(await it.listFilesBeside()).toEqual(["limelight", "limelight.previous"]);
    expect(await it.isHealthy()).toBe(true);
  }

  testUpgrade(
    "that crashes after a change was saved keeps the change and restores no backup",
    async (it) => {
      it.timeoutSeconds = ROLLED_BACK_CODE;
      const restart = await it.start();
      const { findLockHolders: openedBy } = createFolderEngine(it.site.dataDir);
      const before = await openedBy();
      const saved = join(it.folder, "saved");
      const file = await it.createNewerProgram(it.createCrashScript(saved));
      const upgrading = it.upgrade(file, "--restart", restart);
      const isNewWell = async () =>
        String(await openedBy()) !== String(before) && (await it.isHealthy());
      await waitForValue(isNewWell, true);
      const { asOwner } = createCallers(it.address);
      await asOwner("POST", "/api/hero", { ...(await it.readHero()), subtitle: "Saved later" });
      await writeFile(saved, "");
      const outcome = await upgrading;
      expect(outcome.output).not.toContain("Restoring the backup");
      await expectRolledBack(it, outcome);
      expect(await it.readHero()).toMatchObject({ subtitle: "Saved later" });
    },
  );

  testUpgrade(
    "that left data of a later version restores the backup, and sets the later data aside",
    async (it) => {
      it.timeoutSeconds = ROLLED_BACK_CODE;
      const restart = await it.start();
      const before = await it.readHero();
      const outcome = await it.upgrade(
        await it.createNewerProgram(it.spoilingScript),
        "--restart",
        restart,
      );
      expect(outcome.output).toContain("Restoring the backup");
      await expectRolledBack(it, outcome);
      expect(await it.readHero()).toEqual(before);
      const { dataDir } = it.site;
      const setAside = (await readdir(dataDir)).find((name) => name.startsWith(".before-restore"));
      const spoiled = await readFile(join(dataDir, setAside!, "hero.json"), "utf8");
      expect(spoiled).toContain('"version":99');
    },
  );

  testUpgrade(
    "that spoils the data and moves the backup away restores only the earlier program",
    async (it) => {
      it.timeoutSeconds = ROLLED_BACK_CODE;
      const restart = await it.start();
      const { backupFolder: backups } = it;
      const file = await it.createNewerProgram(
        `mv ${backups} ${backups}.moved; ${it.spoilingScript}`,
      );
      expectOutput(await it.upgrade(file, "--restart", restart), 1, "Check its log, then start it");
      expect(await it.readVersion()).toBe(OLD_VERSION);
      await rename(`${backups}.moved`, backups);
      await rollBackByHand(it, restart);
    },
  );
});

describe.if(canTrace)("kill -9 while the current and the previous program are exchanged", () => {
  test.each([
    ["link", "limelight"],
    ["link", "limelight.previous"],
    ["rename", "limelight.next"],
  ])(
    "at %s of %s leaves a program in place, and the previous program under its own name",
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
  for (const line of isComplete ? ["1/5", "2/5", "3/5", "4/5", "5/5"] : ["5/5"]) {
    testUpgrade(
      `at step ${line} leaves a site that starts, and can be upgraded or rolled back`,
      async (it) => {
        const file = await it.createNewerProgram();
        for (let round = 0; round < ROUNDS; round++) {
          await it.install();
          const restart = await it.start();
          await it.killUpgradeAt(line, Math.random() * 60, [file, "--restart", restart]);
          await it.run(restart);
          await waitForValue(it.isHealthy, true);
          const left = await it.readVersion();
          expect([OLD_VERSION, NEW_VERSION]).toContain(left);
          const next =
            left === OLD_VERSION
              ? it.startUpgrade([file, "--restart", restart])
              : it.startUpgrade(["--rollback", "--restart", restart], `${it.path}.previous`);
          expectOutput(await collectOutcome(next), 0, "The site is running.");
          expect(await it.readVersion()).toBe(left === OLD_VERSION ? NEW_VERSION : OLD_VERSION);
          expect(await it.listFilesBeside()).toEqual(["limelight", "limelight.previous"]);
          await it.stop();
        }
      },
    );
  }

  for (const line of [...(isComplete ? ["5/5", "Rolling back"] : []), "Restoring the backup"]) {
    testUpgrade(
      `at "${line}", after the new program spoiled the data, can be repaired by the steps of operating.md`,
      async (it) => {
        it.timeoutSeconds = ROLLED_BACK_CODE;
        const restart = await it.start();
        const before = await it.readHero();
        const file = await it.createNewerProgram(it.spoilingScript);
        await it.killUpgradeAt(line, Math.random() * 60, [file, "--restart", restart]);
        await rename(`${it.path}.previous`, it.path);
        expect(await it.readVersion()).toBe(OLD_VERSION);
        await rollBackByHand(it, restart);
        expect(await it.readHero()).toEqual(before);
        const doctor = await runProgram(it.site, ["doctor"]);
        expect([doctor.code, doctor.out]).toEqual([
          0,
          expect.stringContaining("No problems found."),
        ]);
      },
    );
  }

  if (isComplete)
    testUpgrade("before the restart leaves the earlier program running", async (it) => {
      const restart = await it.start();
      // The command lasts until the test ends.
      const later = join(it.folder, "later");
      await writeScript(later, `while [ -d ${it.folder} ]; do sleep 0.2; done`);
      await it.killUpgradeAt("5/5", 0, [
        await it.createNewerProgram(it.spoilingScript),
        "--restart",
        later,
      ]);
      const args = ["--rollback", "--restart", restart];
      const { output } = await collectOutcome(it.startUpgrade(args, `${it.path}.previous`));
      expect(output).toContain("The site is running.");
      expect([await it.readVersion(), await it.isHealthy()]).toEqual([OLD_VERSION, true]);
    });
});
