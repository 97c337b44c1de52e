/**
 * Replaces the program with a newer one, as numbered steps that can be undone:
 *
 * 1. Copy the file beside the program, verify the copy's signature, read its version.
 * 2. Save a backup.
 * 3. Have the new program start a site from that backup, and check its health.
 * 4. Copy the current program to `.previous`, and rename the new one over it.
 * 5. Restart the site, and wait until it is healthy.
 *
 * A failure in steps 1 to 3 changes nothing. After a failure in step 5 the earlier program is reinstalled and
 * restarted; if it can't open the data anymore, the backup is restored. A crash leaves the program's file complete.
 */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { allEntities } from "../../schema/index.ts";
import { createBackup } from "../backup/repository/createBackup.ts";
import { findReachableHost } from "../http/listenOptions.ts";
import type { Config } from "../shared/config.ts";
import { getErrorMessage } from "../shared/errorDetails.ts";
import { cannotOpen, isInUse, describeError, Refusal } from "../shared/errors.ts";
import { MINUTE, SECOND } from "../shared/time.ts";
import type { Engine } from "../storage/engine.ts";
import { printLine } from "./command.ts";
import { createEngine, createPictureStorage } from "./openSite.ts";
import { restoreCommand } from "./restore.ts";
import type { PublicKey } from "./upgrade/minisign.ts";
import type { ProgramFiles } from "./upgrade/programFiles.ts";

interface UpgradeOptions {
  readonly config: Config;
  readonly program: ProgramFiles;
  /** The command that restarts the site; undefined if the site isn't running. */
  readonly restartCommand: string | undefined;
  /** How long the new program may take to become healthy. */
  readonly timeoutMs: number;
}

/** The program to install: a signed file, or the one that was replaced last. */
type UpgradeCandidate = { readonly file: string; readonly key: PublicKey } | "previous";

/** Unpacking a large site takes minutes. */
const RESTORE_TEST_TIMEOUT_MS = 15 * MINUTE;
const RESTART_TIMEOUT_MS = 2 * MINUTE;
const CHECK_INTERVAL_MS = 100;
/** One check isn't enough, since some processes crash shortly after their start. */
const HEALTHY_CHECKS_IN_A_ROW = 30;

export class Upgrade {
  readonly #data: Engine;
  readonly healthUrl: string;

  constructor(private readonly options: UpgradeOptions) {
    const { config } = options;
    this.#data = createEngine(config);
    this.healthUrl = `${config.domain ? "https" : "http"}://${findReachableHost(config)}:${config.port}/api/health`;
  }

  /**
   * Runs the steps. Returns true if the new program is in place (and healthy, if it was started), false if the upgrade
   * was rolled back. `isDowngradeAllowed` accepts an older version. Throws `cannot_open` if nothing was changed.
   */
  async run(candidate: UpgradeCandidate, isDowngradeAllowed: boolean): Promise<boolean> {
    const { program, restartCommand } = this.options;
    let backup: string;
    let previousLockHolders: readonly string[];
    try {
      await program.removeStagedFiles();
      const file = candidate === "previous" ? program.previousPath : program.stagedPath;
      const newVersion = await this.#stageProgram(candidate, file, isDowngradeAllowed);
      backup = await this.#saveBackup(newVersion);
      await this.#testRestore(newVersion, file, backup);
      // Closing the terminal or pressing Ctrl+C must not leave the upgrade half done.
      for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
      printLine(
        `4/5 Installing ${newVersion}; ${packageJson.version} is saved as ${program.previousPath}`,
      );
      previousLockHolders = await this.#data.findLockHolders();
      await (candidate === "previous" ? program.exchange() : program.swapIn());
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw cannotOpen(`The upgrade failed (${describeError(error)}). Nothing was changed.`, error);
    } finally {
      await program.removeStagedFiles();
    }
    if (restartCommand === undefined) return true;
    printLine(`5/5 Restarting, and checking ${this.healthUrl}`);
    if (await this.#restartSite(restartCommand, previousLockHolders)) return true;
    await this.#rollBack(restartCommand, backup);
    return false;
  }

  /** Step 1: puts the program to install at the path `file`, unless it is there already. Returns its version. */
  async #stageProgram(
    candidate: UpgradeCandidate,
    file: string,
    isDowngradeAllowed: boolean,
  ): Promise<string> {
    const { program } = this.options;
    if (candidate === "previous") {
      printLine(`1/5 Checking ${program.previousPath}`);
      await program.assertPreviousExists();
    } else {
      printLine(`1/5 Checking the signature of ${candidate.file}`);
      const comment = await program.stageSignedProgram(candidate.file, candidate.key);
      printLine(`    Valid signature: ${comment}`);
    }
    const { code, out } = await this.runAsFileOwner(() => runProgram([file, "version"], MINUTE));
    const version = /^limelight (\S+)\n$/.exec(out)?.[1];
    if (code !== 0 || !version)
      throw cannotOpen(
        "The file can't be run on this machine. Check that it was built for this operating system and processor.",
      );
    if (!isDowngradeAllowed && Bun.semver.order(version, packageJson.version) <= 0)
      throw cannotOpen(
        `The file is version ${version}, which isn't newer than this one (${packageJson.version}). Nothing was changed. To install it anyway, add --allow-downgrade.`,
      );
    return version;
  }

  /** Step 2: returns the archive's path. */
  async #saveBackup(newVersion: string): Promise<string> {
    const { config } = this.options;
    printLine("2/5 Saving a backup");
    const options = {
      // Without the bucket, the upgrade doesn't wait for an upload. The site uploads the backup later.
      config: { ...config, backupS3: undefined },
      site: { data: this.#data, uploads: createPictureStorage(config) },
      reason: `Made before the upgrade to ${newVersion}.`,
      report: printLine,
      isForced: true,
      canRemoveBackups: false,
    };
    const { archive, localFailure } = await this.runAsFileOwner(() => createBackup(options));
    if (localFailure) throw cannotOpen(`${localFailure} Nothing was upgraded.`);
    return assertDefined(archive, "archive of the backup");
  }

  async #testRestore(newVersion: string, file: string, backup: string): Promise<void> {
    printLine(`3/5 Starting ${newVersion} on a copy of the site`);
    const command = [file, "backup", "--test-restore", backup];
    const { code, out } = await this.runAsFileOwner(() =>
      runProgram(command, RESTORE_TEST_TIMEOUT_MS, dirname(backup)),
    );
    if (code === 0) return;
    const lines = out.trim().split("\n").slice(-5).join("\n");
    throw cannotOpen(
      `${newVersion} doesn't start on a copy of this site:\n${lines}\nNothing was changed. The backup is in ${backup}.`,
    );
  }

  /** Restarts the site. Returns whether a process other than `previousLockHolders` passed several checks in a row. */
  async #restartSite(
    command: string,
    previousLockHolders: readonly string[] = [],
  ): Promise<boolean> {
    const exitCode = await Bun.spawn(["/bin/sh", "-c", command], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      timeout: RESTART_TIMEOUT_MS,
      // The command gets a session of its own, which Ctrl+C doesn't reach.
      detached: true,
    }).exited;
    if (exitCode !== 0) {
      printLine("    The command that restarts the site failed.");
      return false;
    }
    let [healthyChecks, lastHolders, isSameProcess] = [0, "", false];
    const deadline = performance.now() + this.options.timeoutMs;
    // Continues after the deadline if a process became healthy before it.
    while (performance.now() < deadline || healthyChecks > 0) {
      // Ignores errors, since a database may refuse connections for a moment.
      const holders = await this.#data.findLockHolders().catch((): string[] => []);
      const newHolders = holders.filter((each) => !previousLockHolders.includes(each)).join();
      const isUp = newHolders !== "" && (await this.isHealthy());
      healthyChecks = isUp ? (newHolders === lastHolders ? healthyChecks + 1 : 1) : 0;
      if (healthyChecks === HEALTHY_CHECKS_IN_A_ROW) return true;
      lastHolders = newHolders;
      isSameProcess =
        previousLockHolders.length > 0 &&
        previousLockHolders.every((each) => holders.includes(each));
      await Bun.sleep(CHECK_INTERVAL_MS);
    }
    printLine(isSameProcess ? NOT_RESTARTED_MESSAGE : "    The site failed its health check.");
    return false;
  }

  async isHealthy(): Promise<boolean> {
    // The certificate is for the site's names, not for the local address that is requested.
    const options = { tls: { rejectUnauthorized: false }, signal: AbortSignal.timeout(5 * SECOND) };
    return fetch(this.healthUrl, options).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Reinstalls the earlier program. Restores the backup only if that program can't start without it. */
  async #rollBack(restartCommand: string, backup: string): Promise<void> {
    const { program } = this.options;
    const { version } = packageJson;
    printLine(`Rolling back to ${version}`);
    await program.swapBack();
    const isUp =
      (await this.#restartSite(restartCommand)) ||
      (await this.#restoreAndRestart(restartCommand, backup));
    printLine(
      isUp
        ? `Rolled back to ${version}. The backup is in ${backup}.`
        : `Rolled back to ${version}, but the site couldn't be restarted. Check its log, then start it. The backup is in ${backup}.`,
    );
  }

  async #restoreAndRestart(restartCommand: string, backup: string): Promise<boolean> {
    const { config } = this.options;
    const findings = await this.runAsFileOwner(() => this.#data.examine(allEntities));
    // A database that can't be reached prevents a start too, but then no backup has to be restored.
    const isReadable = (await this.runAsFileOwner(() => this.#data.readSiteId())) !== undefined;
    if (!isReadable || !findings.some(({ blocksStart }) => blocksStart)) return false;
    printLine("    The newer program changed the data. Restoring the backup");
    const deadline = performance.now() + MINUTE;
    try {
      await this.runAsFileOwner(async () => {
        // A service manager may start the program again and again, which locks the data for a moment each time.
        for (;;)
          try {
            return await restoreCommand.run(config, [backup], new Map());
          } catch (error) {
            if (!isInUse(error) || performance.now() > deadline) throw error;
            await Bun.sleep(CHECK_INTERVAL_MS);
          }
      });
    } catch (error) {
      printLine(`    ${getErrorMessage(error)}`);
      return false;
    }
    return this.#restartSite(restartCommand);
  }

  /** Runs `work` as the owner of the site's files if root upgrades: the site couldn't open files that root wrote. */
  async runAsFileOwner<T>(work: () => Promise<T>): Promise<T> {
    const { uid, gid } = await stat(this.options.config.dataDir);
    if (process.getuid?.() !== 0 || uid === 0) return work();
    process.setegid?.(gid);
    process.seteuid?.(uid);
    try {
      return await work();
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  }
}

const NOT_RESTARTED_MESSAGE =
  "    The site wasn't restarted: the previous process is still running. Check that the command in --restart restarts it.";

/** Runs a program, and kills it after `timeout` milliseconds. `out` is all of its output. */
async function runProgram(command: string[], timeout: number, cwd?: string) {
  try {
    const env = { PATH: process.env["PATH"] ?? "" };
    const child = Bun.spawn(command, { cwd, env, timeout, stdout: "pipe", stderr: "pipe" });
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
    const output = (await Promise.all(texts)).join("");
    return { code: await child.exited, out: output };
  } catch (error) {
    // The file isn't a program for this machine.
    return { code: 1, out: getErrorMessage(error) };
  }
}
