/**
 * Replaces the program with a newer one, as numbered steps that can be undone:
 *
 * 1. Copy the file beside the program, verify the copy's signature, ask it for its version.
 * 2. Save a backup.
 * 3. Let the new program start a site from that backup, and check its health.
 * 4. Write a note, keep the current program as `.previous`, rename the copy over it.
 * 5. Restart the site, and wait until the new program is well. Remove the note.
 *
 * A failure in 1 to 3 changes nothing: the copy is removed. One in 4 or 5 is rolled back:
 *
 * 1. Rename the earlier program over the new one: whatever starts from now on is the earlier one.
 * 2. Stop the new one.
 * 3. If it changed the data so that the earlier one can't open it, restore the backup.
 * 4. Restart the site, and wait until it is well. Remove the note.
 *
 * After a kill the program is still a complete file, and `--back` continues from the note.
 */
import { dirname } from "node:path";
import { cannotOpen } from "../../shared/errors.ts";
import type { AsOwner } from "./asOwner.ts";
import type { PublicKey } from "./minisign.ts";
import { type UpgradeState, type ProgramFiles, diskRefusal } from "./programFiles.ts";
import type { RunningSite } from "./runningSite.ts";
import { MINUTE } from "../../shared/time.ts";
import { errorCause, errorCode, errorMessage } from "../../shared/errorDetails.ts";

/** The context of an upgrade. */
export interface UpgradeContext {
  readonly program: ProgramFiles;
  /** The current program's version. */
  readonly version: string;
  readonly site: RunningSite;
  readonly stored: StoredSite;
  /** Whether the site is restarted and watched at the end. */
  readonly restarts: boolean;
  /** Runs work on the site's files as the user who owns them. */
  readonly asOwner: AsOwner;
  /** How long the new program may take to become well, in milliseconds. */
  readonly patience: number;
  readonly say: (line: string) => void;
}

/** This program's commands on the site's files. */
export interface StoredSite {
  /** Saves a backup before a change to this version. Undefined if that failed, with the reason printed. */
  saveBackup(to: string): Promise<string | undefined>;
  restore(file: string): Promise<void>;
  /** Opens and closes it like a start would. Throws `cannot_open`. */
  tryToOpen(): Promise<void>;
}

/** The replacement: a signed file, or the previous program. */
type Candidate = { readonly file: string; readonly key: PublicKey } | "previous";

/**
 * Runs the steps. True: the new program is in place, and well if it was started. False: it wasn't well, and the
 * earlier one is back. `older` accepts an older version. Throws `cannot_open` when nothing was changed.
 */
export async function upgrade(
  context: UpgradeContext,
  candidate: Candidate,
  older: boolean,
): Promise<boolean> {
  const { program } = context;
  let note: UpgradeState;
  try {
    await program.removeLeftovers();
    const to = await prepare(context, candidate, older);
    const backup = await saveBackup(context, to);
    await rehearse(context, to, backup);
    note = { from: context.version, to, backup, process: await context.site.process() };
  } catch (error) {
    await program.removeLeftovers();
    throw error;
  }
  return exchange(context, note);
}

/** Step 1. Returns the new program's version. */
async function prepare(
  { program, version, asOwner, patience, say }: UpgradeContext,
  candidate: Candidate,
  older: boolean,
): Promise<string> {
  if (candidate === "previous") {
    say(`1/5 Checking ${program.previous}`);
    await program.stagePrevious();
  } else {
    say(`1/5 Checking the signature of ${candidate.file}`);
    const comment = await program.copySigned(candidate.file, candidate.key).catch((error) => {
      throw diskRefusal(`Copying ${candidate.file} to ${program.next}`, error);
    });
    say(`    Valid signature: ${comment}`);
  }
  await program.makeExecutable();
  const { code, out } = await asOwner(() => run([program.next, "version"], patience));
  const named = /^limelight (\S+)\n$/.exec(out)?.[1];
  if (code !== 0 || !named)
    throw cannotOpen("The file can't be run here: is it for another kind of machine?");
  if (!older && Bun.semver.order(named, version) <= 0)
    throw cannotOpen(
      `The file is version ${named}, which isn't newer than this one (${version}). Nothing was changed. To install it anyway, add --older.`,
    );
  return named;
}

/** Step 2. Returns the archive's path. */
async function saveBackup({ stored, asOwner, say }: UpgradeContext, to: string): Promise<string> {
  say(`2/5 Saving a backup`);
  const file = await asOwner(() => stored.saveBackup(to)).catch((error: unknown) => {
    throw diskRefusal("Saving a backup", error);
  });
  if (!file) throw cannotOpen("The backup failed, so nothing was upgraded.");
  return file;
}

/** Unpacking a large site takes minutes. */
const LONGEST_REHEARSAL = 15 * MINUTE;

/** Step 3. */
async function rehearse(
  { program, asOwner, say }: UpgradeContext,
  to: string,
  backup: string,
): Promise<void> {
  say(`3/5 Starting ${to} on a copy of the site`);
  const { code, out } = await asOwner(() =>
    run([program.next, "backup", "--rehearse", backup], LONGEST_REHEARSAL, dirname(backup)),
  );
  if (code === 0) return;
  const said = out.trim().split("\n").slice(-5).join("\n");
  throw cannotOpen(
    `${to} doesn't start on a copy of this site${said ? `:\n${said}\n` : ". "}Nothing was changed. The backup is in ${backup}.`,
  );
}

/** Steps 4 and 5. */
async function exchange(context: UpgradeContext, note: UpgradeState): Promise<boolean> {
  const { program, say } = context;
  // Closing the terminal or pressing Ctrl+C must not leave this half done.
  for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
  say(`4/5 Putting ${note.to} in place; ${note.from} is kept as ${program.previous}`);
  try {
    await program.swap(note);
  } catch (error) {
    await program.abandonSwap();
    throw diskRefusal(`Putting ${note.to} in place`, error);
  }
  if (!context.restarts || (await startNew(context, note))) {
    await program.removeNote();
    return true;
  }
  await rollBack(context, note);
  return false;
}

const NOT_RESTARTED =
  "    The site wasn't restarted: the previous process is still running. Check that --restart really restarts it.";

/** Step 5. False if it isn't well in time. */
async function startNew(
  { site, patience, say }: UpgradeContext,
  { to, process: before }: UpgradeState,
): Promise<boolean> {
  say(`5/5 Restarting, and checking ${site.address}`);
  if (!(await site.restart())) {
    say("    The command that restarts the site failed.");
    return false;
  }
  if (await site.waitUntilHealthy(patience, before)) return true;
  const isStill = before !== undefined && (await site.process()) === before;
  say(isStill ? NOT_RESTARTED : `    ${to} failed its health check.`);
  return false;
}

/**
 * In milliseconds, the minimum time to wait for the data to be free, and for the earlier program to become well:
 * there is nothing else to go back to.
 */
const WAY_BACK = MINUTE;

/**
 * Rolls back steps 4 and 5, also after they were interrupted. Resolves with true once the site is well with the
 * earlier program.
 */
export async function rollBack(context: UpgradeContext, note: UpgradeState): Promise<boolean> {
  const { program, site, patience, say } = context;
  say(`Rolling back to ${note.from}: 1/4 Putting it in place`);
  const open = await site.process();
  await program.rollBack();
  say("Rolling back: 2/4 Stopping the new program");
  // A process that was never restarted is the earlier program's, and keeps running.
  const bad = open === note.process ? undefined : open;
  if (bad !== undefined) await site.end(bad);
  say("Rolling back: 3/4 Checking the data");
  const data = await lookAtData();
  say("Rolling back: 4/4 Starting it");
  const isUp = context.restarts
    ? (await start(data)) || ((await lookAtData()) === "restored" && (await start("restored")))
    : data !== "closed";
  // If kept, it says where to continue.
  if (isUp) await program.removeNote();
  say(
    isUp
      ? `${note.from} is back. The backup is in ${note.backup}.`
      : `${note.from} is back in place, but ${site.address} doesn't respond. Start the site, and check its log.`,
  );
  return isUp;

  /** A failure here is only printed: a started site may still work, one that isn't started never does. */
  function lookAtData(): Promise<Data> {
    return makeOpenable(context, note, bad).catch((error: Error) => {
      say(`    ${error.message}`);
      return "closed";
    });
  }

  /** An interrupted upgrade's restart may have started the newer program in between. */
  async function start(found: Data): Promise<boolean> {
    const longest = found === "closed" ? patience : Math.max(patience, WAY_BACK);
    return (await site.restart()) && (await site.waitUntilHealthy(longest, undefined, patience));
  }
}

/** What the earlier program finds: data it can open, the restored backup, or data it can't open. */
type Data = "open" | "restored" | "closed";

/**
 * Restores the backup if this program can't open the newer one's data. "closed" if another process had the data open
 * all the time.
 */
async function makeOpenable(
  { stored, site, asOwner, patience, say }: UpgradeContext,
  { backup }: UpgradeState,
  bad: number | undefined,
): Promise<Data> {
  const end = performance.now() + Math.max(patience, WAY_BACK);
  while (performance.now() < end) {
    // A service manager may have started the earlier program already, which shows that it can open the data.
    const pid = await site.process();
    if (pid !== undefined && pid !== bad && (await site.isHealthy())) return "open";
    try {
      await asOwner(() => stored.tryToOpen());
      return "open";
    } catch (error) {
      if (!isBusy(error) && (await restoreBackup())) return "restored";
    }
    await Bun.sleep(100);
  }
  return "closed";

  async function restoreBackup(): Promise<boolean> {
    say("    The newer program changed the data. Restoring the backup");
    try {
      await asOwner(() => stored.restore(backup));
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return false;
    }
  }
}

/** Whether another process has the data open, if only briefly. */
function isBusy(error: unknown): boolean {
  return errorCode(errorCause(error))?.startsWith("SQLITE_BUSY") ?? false;
}

/** Runs a program until it ends or is timed out. `out` is its complete output. */
async function run(
  command: string[],
  patience: number,
  cwd?: string,
): Promise<{ code: number; out: string }> {
  try {
    const env = { PATH: process.env["PATH"] ?? "" };
    const child = Bun.spawn(command, {
      cwd,
      env,
      stdout: "pipe",
      stderr: "pipe",
      timeout: patience,
    });
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, out: out + error };
  } catch (error) {
    // The kernel can't execute it.
    return { code: 1, out: errorMessage(error) };
  }
}
