/**
 * Puts a newer program in the place of the present one, as numbered steps with their way back:
 *
 * 1. Copy the file beside the program, check the signature of the copy, ask it for its version.
 * 2. Save a backup.
 * 3. Let the new program start a site from that backup and ask its health.
 * 4. Note the change, keep the present program as `.previous`, rename the copy over it.
 * 5. Restart the site, and wait until the new program is well. Remove the note.
 *
 * A failure in 1 to 3 has changed nothing: the copy is removed. One in 4 or 5 goes back:
 *
 * 1. Rename the earlier program over the new one: whatever starts from now on is the earlier one.
 * 2. End the new one.
 * 3. Where it changed the data so that the earlier one can't open it, restore the backup.
 * 4. Restart the site, and wait until it is well. Remove the note.
 *
 * After a kill the program's name is a whole program, and `--back` goes on from the note.
 */
import { dirname } from "node:path";
import { cannotOpen } from "../../shared/errors.ts";
import { codeOf } from "../../storage/disk/disk.ts";
import type { AsOwner } from "./asOwner.ts";
import type { PublicKey } from "./minisign.ts";
import { type Note, type ProgramFiles, refusedByDisk } from "./programFiles.ts";
import type { RunningSite } from "./runningSite.ts";
import { MINUTE } from "../../shared/time.ts";

/** What an upgrade works with. */
export interface UpgradeContext {
  readonly program: ProgramFiles;
  /** The version of this program. */
  readonly version: string;
  readonly site: RunningSite;
  readonly stored: StoredSite;
  /** Whether the site is started again in the end, and watched. */
  readonly restarts: boolean;
  /** What touches the site's files is done as the user they belong to. */
  readonly asOwner: AsOwner;
  /** How long the new program may take to be well, in milliseconds. */
  readonly patience: number;
  readonly say: (line: string) => void;
}

/** What the commands of this program do with the site's files. */
export interface StoredSite {
  /** Where backups are kept, before a change to this version. Undefined when it was refused, and why was said. */
  saveBackup(to: string): Promise<string | undefined>;
  restore(file: string): Promise<void>;
  /** Opens it as a start does, and closes it. Throws `cannot_open`. */
  tryToOpen(): Promise<void>;
}

/** Which program takes the place of the present one: a signed file, or the one that was replaced. */
type Candidate = { readonly file: string; readonly key: PublicKey } | "previous";

/**
 * Runs the steps. True: the new program is in place, and well where it was started. False: it was not
 * well, and the earlier one is back. `older`: an older version is taken too. Throws `cannot_open`
 * when nothing was changed.
 */
export async function upgrade(
  context: UpgradeContext,
  candidate: Candidate,
  older: boolean,
): Promise<boolean> {
  const { program } = context;
  let note: Note;
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

/** Step 1. Returns the version of the new program. */
async function prepare(
  { program, version, asOwner, patience, say }: UpgradeContext,
  candidate: Candidate,
  older: boolean,
): Promise<string> {
  if (candidate === "previous") {
    say(`1/5 Checking ${program.previous}`);
    await program.takePrevious();
  } else {
    say(`1/5 Checking the signature of ${candidate.file}`);
    const comment = await program.copySigned(candidate.file, candidate.key).catch((error) => {
      throw refusedByDisk(`Copying ${candidate.file} to ${program.next}`, error);
    });
    say(`    It is signed: ${comment}`);
  }
  await program.allowNextToRun();
  const { code, out } = await asOwner(() => run([program.next, "version"], patience));
  const named = /^limelight (\S+)\n$/.exec(out)?.[1];
  if (code !== 0 || !named)
    throw cannotOpen("The file can't be run here: is it for another kind of machine?");
  if (!older && Bun.semver.order(named, version) <= 0)
    throw cannotOpen(
      `This is version ${version}, and the file is ${named}: not newer. Nothing was changed. To take it all the same, add --older.`,
    );
  return named;
}

/** Step 2. Returns the path of the archive. */
async function saveBackup({ stored, asOwner, say }: UpgradeContext, to: string): Promise<string> {
  say(`2/5 Saving a backup`);
  const file = await asOwner(() => stored.saveBackup(to)).catch((error: unknown) => {
    throw refusedByDisk("Saving a backup", error);
  });
  if (!file) throw cannotOpen("Without a backup nothing is upgraded. Nothing was changed.");
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
    run([program.next, "rehearse", backup], LONGEST_REHEARSAL, dirname(backup)),
  );
  if (code === 0) return;
  const said = out.trim().split("\n").slice(-5).join("\n");
  throw cannotOpen(
    `${to} does not start on a copy of this site${said ? `:\n${said}\n` : ". "}Nothing was changed; the backup stays in ${backup}.`,
  );
}

/** Steps 4 and 5. */
async function exchange(context: UpgradeContext, note: Note): Promise<boolean> {
  const { program, say } = context;
  // Closing the terminal or pressing Ctrl+C must not leave this half done.
  for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
  say(`4/5 Putting ${note.to} in place; ${note.from} stays as ${program.previous}`);
  try {
    await program.swap(note);
  } catch (error) {
    await program.abandonSwap();
    throw refusedByDisk(`Putting ${note.to} in place`, error);
  }
  if (!context.restarts || (await startNew(context, note))) {
    await program.removeNote();
    return true;
  }
  await goBack(context, note);
  return false;
}

const NOT_RESTARTED =
  "    The site was not restarted: the process of before serves it still. See that --restart names what restarts it.";

/** Step 5. False when it isn't well in time. */
async function startNew(
  { site, patience, say }: UpgradeContext,
  { to, process: before }: Note,
): Promise<boolean> {
  say(`5/5 Restarting, and asking ${site.address}`);
  if (!(await site.restart())) {
    say("    The command that restarts the site failed.");
    return false;
  }
  if (await site.becomesWell(patience, before)) return true;
  const isStill = before !== undefined && (await site.process()) === before;
  say(isStill ? NOT_RESTARTED : `    ${to} isn't well.`);
  return false;
}

/**
 * How long the data may be in use by another, and how long the earlier program may take to be well where it can open
 * it, both at the least and in milliseconds: there is nothing else to go back to.
 */
const WAY_BACK = MINUTE;

/**
 * The way back from steps 4 and 5; also where a kill cut them short. The site is well with the earlier
 * program when it resolves with true.
 */
export async function goBack(context: UpgradeContext, note: Note): Promise<boolean> {
  const { program, site, patience, say } = context;
  say(`Going back to ${note.from}: 1/4 Putting it in place`);
  const running = await site.processesOf((await program.isBack()) ? undefined : program.path);
  // One that was never restarted is the earlier program's, and goes on.
  const bad = running.filter((pid) => pid !== note.process);
  await program.putBack();
  say("Going back: 2/4 Ending the new program");
  await site.end(bad);
  say("Going back: 3/4 Looking at the data");
  const data = await lookAtData();
  say("Going back: 4/4 Starting it");
  const isUp = context.restarts
    ? (await start(data)) || ((await lookAtData()) === "restored" && (await start("restored")))
    : data !== "closed";
  // Left there, it says where to go on.
  if (isUp) await program.removeNote();
  say(
    isUp
      ? `${note.from} is back. The backup stays in ${note.backup}.`
      : `${note.from} is back, but ${site.address} doesn't answer. Start the site, and see its log.`,
  );
  return isUp;

  /** Whatever comes of it, a site that is started may serve, and one that is not never does. */
  function lookAtData(): Promise<Data> {
    return makeOpenable(context, note, bad).catch((error: Error) => {
      say(`    ${error.message}`);
      return "closed";
    });
  }

  /** A restart that a killed upgrade had begun may have started the newer program in between. */
  async function start(found: Data): Promise<boolean> {
    const longest = found === "closed" ? patience : Math.max(patience, WAY_BACK);
    return (await site.restart()) && (await site.becomesWell(longest, undefined, patience));
  }
}

/** What the earlier program finds: data it can open, or the backup, or what it can't open. */
type Data = "open" | "restored" | "closed";

/**
 * Restores the backup where this program can't open what the newer one has left. "closed" when another
 * process had the data open all the time.
 */
async function makeOpenable(
  { stored, site, asOwner, patience, say }: UpgradeContext,
  { backup }: Note,
  bad: readonly number[],
): Promise<Data> {
  const end = performance.now() + Math.max(patience, WAY_BACK);
  while (performance.now() < end) {
    // A service manager may have started the earlier program by now, which shows that it can.
    const pid = await site.process();
    if (pid !== undefined && !bad.includes(pid) && (await site.isWell())) return "open";
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
    say("    The newer program has changed it. Restoring the backup");
    try {
      await asOwner(() => stored.restore(backup));
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      return false;
    }
  }
}

/** Whether another process has the data open, if only for a moment. */
function isBusy(error: unknown): boolean {
  return codeOf((error as Error).cause)?.startsWith("SQLITE_BUSY") ?? false;
}

/** Runs a program to its end, or to the end of the patience. `out` is all that it said. */
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
    // The kernel can't run it.
    return { code: 1, out: (error as Error).message };
  }
}
