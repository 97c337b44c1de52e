/** `limelight upgrade <file>`: replaces the program with a newer one, and can go back. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { createBackup } from "../backup/kept/createBackup.ts";
import { idOf, archiveName, shortIdOf } from "../backup/kept/backupFolder.ts";
import type { Config } from "../shared/config.ts";
import { cannotOpen, wrongUsage } from "../shared/errors.ts";
import { undefinedIfMissing } from "../storage/disk/disk.ts";
import type { Engine } from "../storage/engine.ts";
import { type Command, printLine } from "./command.ts";
import { engineOf, openSite, pictureStorageFor, requireSite } from "./openSite.ts";
import { restore } from "./restore.ts";
import { asOwnerOf } from "./upgrade/asOwner.ts";
import { type PublicKey, readPublicKey, releaseKey } from "./upgrade/minisign.ts";
import { type UpgradeState, type ProgramFiles, thisProgram } from "./upgrade/programFiles.ts";
import { type Restart, type RunningSite, runningSite } from "./upgrade/runningSite.ts";
import {
  rollBack,
  type StoredSite,
  upgrade as runSteps,
  type UpgradeContext,
} from "./upgrade/steps.ts";
import { DAY } from "../shared/time.ts";

export const upgrade: Command = {
  name: "upgrade",
  usage: "<file>|--back [--restart <command>]",
  takesArguments: true,
  summary: "replaces this program with a newer, signed one, and rolls back if that fails",
  flags: {
    "--back": "alone",
    "--key": "value",
    "--older": "alone",
    "--patience": "value",
    "--restart": "value",
  },
  run: change,
};

type Flags = ReadonlyMap<string, string>;

/** Returns 0 when the new program is in place, 1 when the earlier one was put back. */
async function change(config: Config, files: readonly string[], flags: Flags): Promise<number> {
  const back = flags.has("--back");
  if (files.length !== (back ? 0 : 1))
    throw wrongUsage("Specify a file: limelight upgrade ./limelight-0.2.0-linux-x64");
  const context = await contextOf(config, flags);
  const { program, site } = context;
  const note = await program.note();
  if (note && !(await isThrough(note, site))) {
    if (back) {
      const restarts = flags.has("--restart");
      return (await rollBack({ ...context, restarts }, note)) ? 0 : 1;
    }
    throw cannotOpen(
      `An upgrade from ${note.from} to ${note.to} was interrupted. Roll back first: ${program.previous} upgrade --back`,
    );
  }
  // It was interrupted before its last step, and the site is well.
  if (note) await program.removeNote();
  await refuseUnknown(context, flags);
  const candidate = back
    ? "previous"
    : ({
        file: resolve(assertDefined(files[0], "file of the program")),
        key: await keyFrom(flags.get("--key")),
      } as const);
  const done = await runSteps(context, candidate, back || flags.has("--older"));
  if (done) await renewUnits(program);
  if (done) printLine(context.restarts ? "The site is running." : "Start the site to run it.");
  return done ? 0 : 1;
}

/** Updates the unit and `limelightctl`, by the program that is in place now. */
async function renewUnits({ path }: ProgramFiles): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const child = Bun.spawn([path, "install", "--renew"], { stderr: "ignore" });
  const said = (await new Response(child.stdout).text()).trim();
  // A release without this command refuses it, and has nothing to update.
  if ((await child.exited) === 0 && said) printLine(said);
}

/** Whether the new program is well, rather than the old one, which wasn't restarted yet. */
const isThrough = async ({ process }: UpgradeState, site: RunningSite) =>
  (process === undefined || (await site.process()) !== process) && (await site.isHealthy());

interface Context extends UpgradeContext {
  readonly data: Engine;
}

/** One minute: migrating a large site takes seconds. */
const PATIENCE = "60";

async function contextOf(given: Config, flags: Flags): Promise<Context> {
  const config = {
    ...given,
    dataDir: resolve(given.dataDir),
    uploadsDir: resolve(given.uploadsDir),
    backupDir: resolve(given.backupDir),
  };
  const program = thisProgram();
  const data = engineOf(config);
  await requireSite(data);
  const patience = Number(flags.get("--patience") ?? PATIENCE) * 1000;
  if (!(patience > 0)) throw wrongUsage("--patience is a number of seconds.");
  const restart = restartFrom(flags.get("--restart"));
  const site = runningSite(config, data, restart);
  const isRunning = (await site.process()) !== undefined;
  return {
    program,
    version: await versionOf(program),
    data,
    site,
    stored: storedSite(config),
    // A signal needs a running process.
    restarts: restart === "signal" ? isRunning : restart !== undefined,
    asOwner: await asOwnerOf(config.dataDir),
    patience,
    say: printLine,
  };
}

/** The version of the program in place. When `.previous` was called by name, that isn't this one. */
async function versionOf({ path }: ProgramFiles): Promise<string> {
  if (path === process.execPath) return packageJson.version;
  const out = await new Response(Bun.spawn([path, "version"], { stderr: "ignore" }).stdout).text();
  return /^limelight (\S+)\n$/.exec(out)?.[1] ?? "the newer program";
}

/** In milliseconds: later, going back to before the upgrade would lose more than it fixes. */
const BACKUP_STAYS = 30 * DAY;

/** The site's files, as the other commands handle them. */
const storedSite = (config: Config): StoredSite => ({
  async saveBackup(to) {
    const now = Date.now();
    const site = { data: engineOf(config), uploads: pictureStorageFor(config) };
    const occasion = { remark: `Made before the upgrade to ${to}.`, keptFor: BACKUP_STAYS };
    // The upgrade waits neither for the upload, which the site does later, nor for free disk space.
    const here = { ...config, backupS3: undefined, backupFree: 0 };
    const options = { site, occasion, now, say: printLine, force: true, prune: false };
    const failed = (await createBackup({ ...options, config: here })).here;
    if (failed) console.error(failed);
    const name = archiveName(shortIdOf((await site.data.siteId()) ?? ""), idOf(now));
    return failed ? undefined : join(config.backupDir, name);
  },
  async restore(file) {
    await restore.run(config, [file], new Map());
  },
  async tryToOpen() {
    const { close } = await openSite(config, () => {});
    await close();
  },
});

function restartFrom(value: string | undefined): Restart | undefined {
  if (value === undefined || value === "signal") return value;
  return { command: value };
}

/** Throws if it couldn't be determined whether the new program is well. */
async function refuseUnknown({ site, data, asOwner }: Context, flags: Flags): Promise<void> {
  if ((await site.process()) === undefined) {
    // The lock may still be held by another user's process, which can't be inspected.
    const release = await asOwner(() => data.lock());
    return release();
  }
  if (!flags.has("--restart"))
    throw wrongUsage(
      'The site is running. Specify how to restart it: --restart "systemctl restart limelight", or --restart signal if a service manager starts it again.',
    );
  if (!(await site.isHealthy()))
    throw cannotOpen(
      `The site is running, but ${site.address} doesn't respond. Use the service's HOST, PORT and DOMAIN, or stop the site first. Nothing was changed.`,
    );
}

async function keyFrom(given: string | undefined): Promise<PublicKey> {
  const text = given ?? releaseKey();
  if (!text)
    throw wrongUsage(
      "This program was built without a release key. Pass the public key, or its file, with --key.",
    );
  return readPublicKey((await undefinedIfMissing(readFile(text, "utf8"))) ?? text);
}
