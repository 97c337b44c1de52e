/**
 * Replaces the program with a newer one, as numbered steps that can be undone:
 *
 * 1. Copy the file beside the program, verify the copy's signature, read its version.
 * 2. Save a backup.
 * 3. Have the new program start a site from that backup, and check its health.
 * 4. Keep the current program as `.previous`, rename the copy over it.
 * 5. Restart the site, and wait until it is healthy.
 *
 * A failure in 1 to 3 changes nothing. One in 5 is rolled back: the earlier program is restored and restarted, and if
 * it can't open the data any more, the backup is restored. After a kill the program is still a complete file.
 */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { allEntities } from "../../schema/index.ts";
import { archiveName, backupId, shortSiteId } from "../backup/repository/backupFolder.ts";
import { createBackup } from "../backup/repository/createBackup.ts";
import { reachableHost } from "../http/listenOptions.ts";
import type { Config } from "../shared/config.ts";
import { errorMessage } from "../shared/errorDetails.ts";
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
  /** The command that restarts the site; undefined if that isn't running. */
  readonly restartCommand: string | undefined;
  /** The time in which the new program must become healthy, in milliseconds. */
  readonly timeoutMs: number;
}

/** The replacement: a signed file, or the previous program. */
type UpgradeCandidate = { readonly file: string; readonly key: PublicKey } | "previous";

/** Unpacking a large site takes minutes. */
const RESTORE_TEST_TIMEOUT_MS = 15 * MINUTE;
const RESTART_TIMEOUT_MS = 2 * MINUTE;
const CHECK_INTERVAL_MS = 100;
/** Some processes crash only shortly after their start. */
const HEALTHY_CHECKS_IN_A_ROW = 30;

export class Upgrade {
  readonly #data: Engine;
  /** The URL of the site's health check. */
  readonly healthUrl: string;

  constructor(private readonly options: UpgradeOptions) {
    const { config } = options;
    this.#data = createEngine(config);
    this.healthUrl = `${config.domain ? "https" : "http"}://${reachableHost(config)}:${config.port}/api/health`;
  }

  /**
   * Runs the steps. True: the new program is in place, and healthy if it was started. False: the earlier one is back.
   * `older` accepts an older version. Throws `cannot_open` when nothing was changed.
   */
  async run(candidate: UpgradeCandidate, older: boolean): Promise<boolean> {
    const { program, restartCommand } = this.options;
    let backup: string;
    let before: readonly string[];
    try {
      await program.removeStaged();
      const file = candidate === "previous" ? program.previousPath : program.nextPath;
      const to = await this.#stageProgram(candidate, file, older);
      backup = await this.#saveBackup(to);
      await this.#testRestore(to, file, backup);
      // Closing the terminal or pressing Ctrl+C must not leave this half done.
      for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
      printLine(`4/5 Installing ${to}; ${packageJson.version} is saved as ${program.previousPath}`);
      before = await this.#data.lockHolders();
      await (candidate === "previous" ? program.exchange() : program.swapIn());
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw cannotOpen(`The upgrade failed (${describeError(error)}). Nothing was changed.`, error);
    } finally {
      await program.removeStaged();
    }
    if (restartCommand === undefined) return true;
    printLine(`5/5 Restarting, and checking ${this.healthUrl}`);
    if (await this.#restartSite(restartCommand, before)) return true;
    await this.#rollBack(restartCommand, backup);
    return false;
  }

  /** Step 1. Returns the new program's version; `file` is where it is then. */
  async #stageProgram(candidate: UpgradeCandidate, file: string, older: boolean): Promise<string> {
    const { program } = this.options;
    if (candidate === "previous") {
      printLine(`1/5 Checking ${program.previousPath}`);
      await program.requirePrevious();
    } else {
      printLine(`1/5 Checking the signature of ${candidate.file}`);
      const comment = await program.stageSigned(candidate.file, candidate.key);
      printLine(`    Valid signature: ${comment}`);
    }
    const { code, out } = await this.runAsFileOwner(() => runProgram([file, "version"], MINUTE));
    const version = /^limelight (\S+)\n$/.exec(out)?.[1];
    if (code !== 0 || !version)
      throw cannotOpen(
        "The file can't be run on this machine. Check that it was built for this operating system and processor.",
      );
    if (!older && Bun.semver.order(version, packageJson.version) <= 0)
      throw cannotOpen(
        `The file is version ${version}, which isn't newer than this one (${packageJson.version}). Nothing was changed. To install it anyway, add --allow-downgrade.`,
      );
    return version;
  }

  /** Step 2. Returns the archive's path. */
  async #saveBackup(to: string): Promise<string> {
    const { config } = this.options;
    printLine("2/5 Saving a backup");
    const now = Date.now();
    const site = { data: this.#data, uploads: createPictureStorage(config) };
    const occasion = `Made before the upgrade to ${to}.`;
    // The upgrade doesn't wait for the upload, which the site does later.
    const localConfig = { ...config, backupS3: undefined };
    const options = {
      config: localConfig,
      site,
      occasion,
      now,
      say: printLine,
      force: true,
      prune: false,
    };
    const { localArchive: failure } = await this.runAsFileOwner(() => createBackup(options));
    if (failure) throw cannotOpen(`${failure} Nothing was upgraded.`);
    const siteId = shortSiteId((await site.data.readSiteId()) ?? "");
    return join(config.backupDir, archiveName(siteId, backupId(now)));
  }

  /** Step 3. */
  async #testRestore(to: string, file: string, backup: string): Promise<void> {
    printLine(`3/5 Starting ${to} on a copy of the site`);
    const command = [file, "backup", "--rehearse", backup];
    const { code, out } = await this.runAsFileOwner(() =>
      runProgram(command, RESTORE_TEST_TIMEOUT_MS, dirname(backup)),
    );
    if (code === 0) return;
    const lines = out.trim().split("\n").slice(-5).join("\n");
    throw cannotOpen(
      `${to} doesn't start on a copy of this site:\n${lines}\nNothing was changed. The backup is in ${backup}.`,
    );
  }

  /** Restarts the site, and waits until it is healthy by processes other than `before` for some checks in a row. */
  async #restartSite(command: string, before: readonly string[] = []): Promise<boolean> {
    const restarted = await Bun.spawn(["/bin/sh", "-c", command], {
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      timeout: RESTART_TIMEOUT_MS,
      // In its own session, so that Ctrl+C doesn't reach it.
      detached: true,
    }).exited;
    if (restarted !== 0) {
      printLine("    The command that restarts the site failed.");
      return false;
    }
    let [checks, last, isUnchanged] = [0, "", false];
    const end = performance.now() + this.options.timeoutMs;
    // A process that became healthy in time is checked to the end.
    while (performance.now() < end || checks > 0) {
      // Perhaps a database that refuses a connection for a moment.
      const holders = await this.#data.lockHolders().catch((): string[] => []);
      const started = holders.filter((each) => !before.includes(each)).join();
      const isWell = started !== "" && (await this.isHealthy());
      checks = isWell ? (started === last ? checks + 1 : 1) : 0;
      if (checks === HEALTHY_CHECKS_IN_A_ROW) return true;
      last = started;
      isUnchanged = before.length > 0 && before.every((each) => holders.includes(each));
      await Bun.sleep(CHECK_INTERVAL_MS);
    }
    printLine(isUnchanged ? NOT_RESTARTED_MESSAGE : "    The site failed its health check.");
    return false;
  }

  /** A single check. */
  async isHealthy(): Promise<boolean> {
    // The certificate is for the site's names, but the request is sent to a local address.
    const options = { tls: { rejectUnauthorized: false }, signal: AbortSignal.timeout(5 * SECOND) };
    return fetch(this.healthUrl, options).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** The backup is restored only if it has to be: the newer program may have saved something. */
  async #rollBack(restart: string, backup: string): Promise<void> {
    const { program } = this.options;
    const { version } = packageJson;
    printLine(`Rolling back to ${version}`);
    await program.swapBack();
    const isUp =
      (await this.#restartSite(restart)) || (await this.#restoreAndRestart(restart, backup));
    printLine(
      isUp
        ? `Rolled back to ${version}. The backup is in ${backup}.`
        : `Rolled back to ${version}, but the site couldn't be restarted. Start the site, and check its log. The backup is in ${backup}.`,
    );
  }

  async #restoreAndRestart(restart: string, backup: string): Promise<boolean> {
    const { config } = this.options;
    const findings = await this.runAsFileOwner(() => this.#data.examine(allEntities));
    // A database that is away refuses a start as well, and the newer program has changed nothing.
    const isReadable = (await this.runAsFileOwner(() => this.#data.readSiteId())) !== undefined;
    if (!isReadable || !findings.some(({ blocksStart }) => blocksStart)) return false;
    printLine("    The newer program changed the data. Restoring the backup");
    const end = performance.now() + MINUTE;
    try {
      await this.runAsFileOwner(async () => {
        // A service manager that restarts the program repeatedly has the data open briefly each time.
        for (;;)
          try {
            return await restoreCommand.run(config, [backup], new Map());
          } catch (error) {
            if (!isInUse(error) || performance.now() > end) throw error;
            await Bun.sleep(CHECK_INTERVAL_MS);
          }
      });
    } catch (error) {
      printLine(`    ${errorMessage(error)}`);
      return false;
    }
    return this.#restartSite(restart);
  }

  /**
   * Runs `work` on the site's files as the user who owns them: root may replace the program, but the site runs as a
   * less privileged user, who couldn't open files that root wrote. For other users nothing changes.
   */
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

/** Runs a program until it ends or is timed out. `out` is its complete output. */
async function runProgram(command: string[], timeout: number, cwd?: string) {
  try {
    const env = { PATH: process.env["PATH"] ?? "" };
    const child = Bun.spawn(command, { cwd, env, timeout, stdout: "pipe", stderr: "pipe" });
    const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
    const out = (await Promise.all(texts)).join("");
    return { code: await child.exited, out };
  } catch (error) {
    // The kernel can't execute it.
    return { code: 1, out: errorMessage(error) };
  }
}
