/**
 * The backups of a running site: makes due ones, and tests a restore every month, one job at a time. A separate process
 * (`limelight backup`) does the work, so that its memory and disk use delay no visitor; results are in the folder and
 * the catalog, and survive a restart.
 */
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { BackupsState } from "../../../schema/api/backups.ts";
import { entities } from "../../../schema/index.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Config, environmentOf } from "../../shared/config.ts";
import { conflict, reasonIn } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { NoticeSource } from "../../shared/notice.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../../shared/periodicJob.ts";
import { storeTimeZone } from "../../shared/siteZone.ts";
import type { Store } from "../../storage/store.ts";
import { summarizeStore } from "../contentSummary.ts";
import { backupsIn, openBackup, shortIdOf } from "./backupFolder.ts";
import { type Failure, nextFailure, readCatalog } from "./catalog.ts";
import { isDue, newestGoodBackup, backupRetryDelayMs } from "./retention.ts";
import { restoreTestDueAt, type StateContext, stateOf, warningOf } from "./state.ts";
import { MINUTE } from "../../shared/time.ts";

/**
 * The arguments of this program's jobs. Only the site itself removes older backups, since only it has its
 * settings.
 */
const JOBS = {
  backup: ["backup", "--by-site", "now"],
  dueBackup: ["backup", "--by-site", "due"],
  /** Removes none: one of them is about to be restored. */
  backupBeforeRestore: ["backup", "--by-site", "extra"],
  rehearsal: ["backup", "--test-restore"],
} as const;

export type Job = keyof typeof JOBS;

export interface Backups {
  /** A backup's archive as a local file. Throws `not_found`. */
  open(id: string): Promise<string>;
  state(): Promise<BackupsState>;
  /** A notice if the state has a warning. */
  readonly notices: NoticeSource;
  /**
   * Starts a job; `done` resolves when it ends. Throws `conflict` while one is running.
   */
  startJob(job: Job): { readonly done: Promise<Outcome> };
  /** Runs due jobs until `stop`; checks first after this many milliseconds. */
  start(firstCheckDelay?: number): void;
  /** Ends a running job; it is repeated in time. */
  stop(): Promise<void>;
}

/** A job's result; `message` is the reason of a failure. */
interface Outcome {
  readonly ok: boolean;
  /** The backup is on this machine, even if the upload failed. */
  readonly isStoredLocally: boolean;
  readonly message: string;
}

interface BackupsContext {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The command to run, before its arguments. Default: this program. */
  readonly program?: readonly string[];
}

/** The time that a job has to end when asked to, in milliseconds, before it is killed. */
const STOP_TIMEOUT_MS = 2000;
/** Leaves the start, and perhaps a booting machine, its time. */
const FIRST_CHECK_DELAY_MS = 5 * MINUTE;

/** Does nothing automatically before `start`. */
export const backupScheduler = (context: BackupsContext): Backups => new SiteBackups(context);

class SiteBackups implements Backups {
  readonly #site: string;
  readonly #startedAt: number;
  #running: Running | undefined;
  /** A failure missing in the catalog, on a full disk for example. */
  #unstored: Failure | undefined;
  #first: Timer | undefined;
  #rounds: PeriodicJob | undefined;

  constructor(private readonly context: BackupsContext) {
    this.#site = shortIdOf(context.store.siteId);
    this.#startedAt = context.clock();
  }

  open(id: string): Promise<string> {
    return openBackup(this.context.config.backupDir, this.#site, id);
  }

  async state(): Promise<BackupsState> {
    return stateOf(await this.#current(), await summarizeStore(this.context.store));
  }

  readonly notices: NoticeSource = async () => {
    const warning = warningOf(await this.#current());
    return warning ? [{ code: "backup", problem: "backup", ...warning, opens: SCREEN }] : [];
  };

  async #current(): Promise<StateContext> {
    const { store, config, clock } = this.context;
    const createdAt = store.of(entities.users).read().value[0]?.createdAt;
    return {
      ...(await this.#readFiles()),
      config,
      now: clock(),
      startedAt: createdAt ? Date.parse(createdAt) : this.#startedAt,
      runningJob: this.#running && shownJob(this.#running.job),
      unstored: this.#unstored,
      chosen: store.of(entities.backupSettings).read().value,
      zone: storeTimeZone(store),
    };
  }

  start(firstCheckDelay = FIRST_CHECK_DELAY_MS): void {
    const { store, log } = this.context;
    this.#first = setTimeout(() => {
      this.#rounds = startSiteJob({
        store,
        name: "backups",
        every: MINUTE,
        round: (shouldContinue) => this.#runDueJobs(shouldContinue),
        onError: (error) => log(`backup failed: ${reasonIn(error)}`),
      });
      this.#rounds.wake();
    }, firstCheckDelay);
    this.#first.unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#first);
    // The round ends with the running job.
    void this.#rounds?.stop();
    if (this.#running) await removeAll(this.#running);
  }

  async #readFiles() {
    const { backupDir: folder } = this.context.config;
    const catalog = await readCatalog(folder, this.#site);
    return { catalog, backups: await backupsIn(folder, this.#site, catalog) };
  }

  startJob(job: Job): Running {
    const { program, config, clock } = this.context;
    if (this.#running) throw conflict(BUSY[shownJob(this.#running.job)]);
    const child = Bun.spawn([...(program ?? thisProgram()), ...JOBS[job]], {
      env: { ...process.env, ...environmentOf(config, NEEDED) },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    letOthersGoFirst(child.pid);
    const beganAt = clock();
    const running: Running = {
      job,
      child,
      isCanceled: false,
      done: outcomeOf(child).then((outcome) => this.#finishJob(running, beganAt, outcome)),
    };
    this.#running = running;
    return running;
  }

  async #finishJob(
    { job: begun, isCanceled }: Running,
    beganAt: number,
    outcome: Outcome,
  ): Promise<Outcome> {
    const { log } = this.context;
    const job = shownJob(begun);
    if (isCanceled && !outcome.ok) {
      this.#running = undefined;
      log(`${job} was stopped before it finished; it will run again later`, "info");
      return outcome;
    }
    try {
      if (job === "backup") this.#unstored = await this.#findUnstored(beganAt, outcome);
    } finally {
      this.#running = undefined;
    }
    const [end, level] = outcome.ok ? (["done", "info"] as const) : (["failed"] as const);
    log(`${job} ${end}: ${outcome.message}`, level);
    return outcome;
  }

  /** The failure of a job, if the job couldn't note it in the catalog itself. */
  async #findUnstored(beganAt: number, { ok, message }: Outcome): Promise<Failure | undefined> {
    const { catalog } = await this.#readFiles();
    const isStored = [catalog.failure, catalog.awayFailure, catalog.rehearsal].some(
      (each) => each && Date.parse(each.at) >= beganAt,
    );
    if (ok || isStored) return undefined;
    return nextFailure(this.#unstored, message, this.context.clock());
  }

  /** In a shared folder, other instances then find nothing due. */
  async #runDueJobs(shouldContinue: ShouldContinue): Promise<void> {
    const { config, clock, store } = this.context;
    const { backupEvery: every } = config;
    if (this.#running || every === null) return;
    const { catalog, backups } = await this.#readFiles();
    const now = clock();
    const isWaiting = (failure: Failure | undefined) =>
      failure !== undefined &&
      isBetween(Date.parse(failure.at), now, backupRetryDelayMs(failure.times));
    const local = backups.filter((each) => each.localSize !== null);
    const newest = newestGoodBackup(local, now);
    const isBackupDue =
      isDue(local, now, every, storeTimeZone(store)) &&
      !isWaiting(this.#unstored ?? catalog.failure);
    const isUploadDue =
      config.backupS3 && newest && !newest.isRemoteVerified && !isWaiting(catalog.awayFailure);
    if (!(await shouldContinue())) return;
    if (isBackupDue || isUploadDue) await this.startJob("dueBackup").done;
    else if (newest && now >= restoreTestDueAt(catalog, newest.id, now))
      await this.startJob("rehearsal").done;
  }
}

interface Running {
  readonly job: Job;
  readonly child: Bun.Subprocess;
  readonly done: Promise<Outcome>;
  /** Stopped deliberately, which isn't a failure. */
  isCanceled: boolean;
}

/** A process stuck on its disk can't be killed; it must not prevent the site from stopping. */
async function removeAll(running: Running): Promise<void> {
  const { child, done } = running;
  running.isCanceled = true;
  child.kill();
  const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await Promise.race([done, Bun.sleep(2 * STOP_TIMEOUT_MS)]);
  clearTimeout(kill);
}

const SCREEN = { screen: "backups", label: "Open Backups" } as const;

const shownJob = (job: Job) => (job === "rehearsal" ? "rehearsal" : "backup");

const BUSY = {
  backup: "A backup is already running. Wait until it finishes.",
  rehearsal: "A restore test is already running. Wait until it finishes.",
};

/** The settings these commands use. */
const NEEDED = [
  "dataDir",
  "databaseUrl",
  "uploadsDir",
  "uploadsS3",
  "backupDir",
  "backupEvery",
  "backupKeep",
  "backupFree",
  "backupS3",
  "backupKey",
  "s3AccessKeyId",
  "s3SecretAccessKey",
] as const;

/** Also if the clock was set back before `at`. */
const isBetween = (at: number, now: number, wait: number) => now >= at && now < at + wait;

/** The built program runs itself; from source, Bun runs it. */
function thisProgram(): string[] {
  // Bun's prefix for the files of a compiled program.
  if (Bun.main.startsWith("/$bunfs/")) return [process.execPath];
  return [process.execPath, join(import.meta.dir, "../../../main.ts")];
}

function letOthersGoFirst(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the system has no priorities.
  }
}

/** Exit codes for a backup that wasn't uploaded, or that has a damaged picture. */
const [NOT_SENT, DAMAGED] = [3, 4];

/** The command's output, and whether it succeeded. */
async function outcomeOf(child: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<Outcome> {
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  // Another notice reports damage (uploads/pictureChecks.ts).
  const ok = code === 0 || code === DAMAGED;
  const lines = (ok ? out : error).trim().split("\n");
  const message = lines.at(-1) || `The process exited unexpectedly (${child.signalCode ?? code}).`;
  return { ok, isStoredLocally: ok || code === NOT_SENT, message };
}
