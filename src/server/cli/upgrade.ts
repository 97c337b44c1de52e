/** `limelight upgrade`: replaces the program with a newer one, or with the one before the last upgrade. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Config } from "../shared/config.ts";
import { cannotOpen, wrongUsage } from "../shared/errors.ts";
import { SECOND } from "../shared/time.ts";
import { ignoreMissing } from "../storage/disk/disk.ts";
import { type Command, printLine } from "./command.ts";
import { createEngine, assertSiteExists } from "./openSite.ts";
import { type PublicKey, readPublicKey, getEmbeddedReleaseKey } from "./upgrade/minisign.ts";
import { findProgramFiles } from "./upgrade/programFiles.ts";
import { Upgrade } from "./upgradeSteps.ts";

export const upgradeCommand: Command = {
  name: "upgrade",
  usage:
    "<file>|--rollback [--restart <command>] [--timeout <seconds>] [--allow-downgrade] [--key <key>]",
  acceptsArguments: true,
  summary:
    "replaces this program with a newer, signed one, and rolls back if that fails; --rollback returns to the program that was replaced last; --restart is the command that restarts the site; --timeout is how long the site may take to become healthy (default 60); --allow-downgrade accepts a file that isn't newer; --key is the public key, or its file, to use instead of the release key",
  flags: {
    "--allow-downgrade": "switch",
    "--key": "value",
    "--restart": "value",
    "--rollback": "switch",
    "--timeout": "value",
  },
  run: runUpgrade,
};

/** The default time until the new program must be healthy. Migrating the data of a large site takes seconds. */
const DEFAULT_TIMEOUT_S = "60";

/** Returns 0 if the new program is in place, 1 if the upgrade was rolled back. */
async function runUpgrade(
  base: Config,
  args: readonly string[],
  flags: ReadonlyMap<string, string>,
): Promise<number> {
  const isRollback = flags.has("--rollback");
  if (isRollback && args.length > 0)
    throw wrongUsage("--rollback takes no file: limelight upgrade --rollback");
  if (!isRollback && args.length !== 1)
    throw wrongUsage("Specify one file: limelight upgrade ./limelight-1.1.0-linux-x64");
  const timeoutMs = Number(flags.get("--timeout") ?? DEFAULT_TIMEOUT_S) * SECOND;
  if (!(timeoutMs > 0)) throw wrongUsage("--timeout must be a number of seconds above 0.");
  const config = {
    ...base,
    dataDir: resolve(base.dataDir),
    uploadsDir: resolve(base.uploadsDir),
    backupDir: resolve(base.backupDir),
  };
  const program = findProgramFiles();
  const data = createEngine(config);
  await assertSiteExists(data);
  const restartCommand = flags.get("--restart");
  const upgrade = new Upgrade({ config, program, restartCommand, timeoutMs });
  if ((await data.findLockHolders()).length === 0) {
    // `findLockHolders` doesn't list processes of other users. `lock` throws if such a process has the lock.
    const release = await upgrade.runAsFileOwner(() => data.lock());
    await release();
  } else if (restartCommand === undefined) {
    throw wrongUsage(
      'The site is running. Specify how to restart it: --restart "systemctl restart limelight"',
    );
  } else if (!isRollback && !(await upgrade.isHealthy())) {
    throw cannotOpen(
      `The site is running, but its health check at ${upgrade.healthUrl} failed. Use the service's HOST, PORT and DOMAIN, or stop the site first. Nothing was changed.`,
    );
  }
  const candidate = isRollback
    ? "previous"
    : ({
        file: resolve(assertDefined(args[0], "file of the program")),
        key: await readKey(flags.get("--key")),
      } as const);
  if (!(await upgrade.run(candidate, isRollback || flags.has("--allow-downgrade")))) return 1;
  await renewUnits(program.path);
  const startAdvice = `Start the site to use the ${isRollback ? "previous" : "new"} version.`;
  printLine(restartCommand ? "The site is running." : startAdvice);
  return 0;
}

/** Runs the installed program's `install --renew`, which updates the units and `limelightctl`. */
async function renewUnits(program: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const child = Bun.spawn([program, "install", "--renew"], { stderr: "ignore" });
  const output = (await new Response(child.stdout).text()).trim();
  // An earlier release may lack `install --renew`, so its failure is ignored.
  if ((await child.exited) === 0 && output) printLine(output);
}

async function readKey(keyText: string | undefined): Promise<PublicKey> {
  const text = keyText ?? getEmbeddedReleaseKey();
  if (!text)
    throw wrongUsage(
      "This program was built without a release key. Pass the public key, or its file, with --key.",
    );
  return readPublicKey((await ignoreMissing(readFile(text, "utf8"))) ?? text);
}
