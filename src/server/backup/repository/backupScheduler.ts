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
import { type Config, toEnvironment } from "../../shared/config.ts";
import { conflict, describeError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { NoticeSource } from "../../shared/notice.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../../shared/periodicJob.ts";
import { getStoreTimeZone } from "../../shared/siteZone.ts";
import type { Store } from "../../storage/store.ts";
import { summarizeStore } from "../contentSummary.ts";
import { findBackups, openBackup, shortSiteId } from "./backupFolder.ts";
import { type BackupFailure, createNextFailure, readCatalog } from "./catalog.ts";
import { isBackupNeeded, findNewestGoodBackup, backupRetryDelayMs } from "./retention.ts";
import {
  restoreTestDueAt,
  type BackupStateContext,
  createBackupsState,
  findWarning,
} from "./backupsState.ts";
import { MINUTE } from "../../shared/time.ts";

/**
 * The arguments of this program's jobs. Only the site itself removes older backups, since only it has its
 * settings.
 */
const JOB_ARGUMENTS = {
  backup: ["backup", "--by-site", "now"],
  dueBackup: ["backup", "--by-site", "due"],
  /** Removes none: one of them is about to be restored. */
  backupBeforeRestore: ["backup", "--by-site", "extra"],
  rehearsal: ["backup", "--test-restore"],
} as const;

export type Job = keyof typeof JOB_ARGUMENTS;

export interface BackupScheduler {
  /** A backup's archive as a local file. Throws `not_found`. */
  open(id: string): Promise<string>;
  state(): Promise<BackupsState>;
  /** A notice if the state has a warning. */
  readonly notices: NoticeSource;
  /**
   * Starts a job; `done` resolves when it ends. Throws `conflict` while one is running.
   */
  startJob(job: Job): { readonly done: Promise<JobOutcome> };
  /** Runs due jobs until `stop`; checks first after this many milliseconds. */
  start(firstCheckDelay?: number): void;
  /** Ends a running job; it is repeated in time. */
  stop(): Promise<void>;
}

/** A job's result; `message` is the reason of a failure. */
interface JobOutcome {
  readonly ok: boolean;
  /** The backup is on this machine, even if the upload failed. */
  readonly isStoredLocally: boolean;
  readonly message: string;
}

interface BackupSchedulerContext {
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
export const createBackupScheduler = (context: BackupSchedulerContext): BackupScheduler =>
  new SiteBackups(context);

class SiteBackups implements BackupScheduler {
  readonly #site: string;
  readonly #startedAt: number;
  #runningJob: RunningJob | undefined;
  /** A failure missing in the catalog, on a full disk for example. */
  #unstoredFailure: BackupFailure | undefined;
  #firstCheckTimer: Timer | undefined;
  #checks: PeriodicJob | undefined;

  constructor(private readonly context: BackupSchedulerContext) {
    this.#site = shortSiteId(context.store.siteId);
    this.#startedAt = context.clock();
  }

  open(id: string): Promise<string> {
    return openBackup(this.context.config.backupDir, this.#site, id);
  }

  async state(): Promise<BackupsState> {
    return createBackupsState(
      await this.#readStateContext(),
      await summarizeStore(this.context.store),
    );
  }

  readonly notices: NoticeSource = async () => {
    const warning = findWarning(await this.#readStateContext());
    return warning
      ? [{ code: "backup", problem: "backup", ...warning, opens: BACKUPS_SCREEN }]
      : [];
  };

  async #readStateContext(): Promise<BackupStateContext> {
    const { store, config, clock } = this.context;
    const createdAt = store.of(entities.users).read().value[0]?.createdAt;
    return {
      ...(await this.#readFiles()),
      config,
      now: clock(),
      startedAt: createdAt ? Date.parse(createdAt) : this.#startedAt,
      runningJob: this.#runningJob && publicJobName(this.#runningJob.job),
      unstoredFailure: this.#unstoredFailure,
      chosen: store.of(entities.backupSettings).read().value,
      zone: getStoreTimeZone(store),
    };
  }

  start(firstCheckDelay = FIRST_CHECK_DELAY_MS): void {
    const { store, log } = this.context;
    this.#firstCheckTimer = setTimeout(() => {
      this.#checks = startSiteJob({
        store,
        name: "backups",
        intervalMs: MINUTE,
        runRound: (shouldContinue) => this.#runDueJobs(shouldContinue),
        onError: (error) => log(`backup failed: ${describeError(error)}`),
      });
      this.#checks.runNow();
    }, firstCheckDelay);
    this.#firstCheckTimer.unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#firstCheckTimer);
    // The round ends with the running job.
    void this.#checks?.stop();
    if (this.#runningJob) await killJob(this.#runningJob);
  }

  async #readFiles() {
    const { backupDir: folder } = this.context.config;
    const catalog = await readCatalog(folder, this.#site);
    return { catalog, backups: await findBackups(folder, this.#site, catalog) };
  }

  startJob(job: Job): RunningJob {
    const { program, config, clock } = this.context;
    if (this.#runningJob) throw conflict(BUSY_MESSAGES[publicJobName(this.#runningJob.job)]);
    const child = Bun.spawn([...(program ?? programCommand()), ...JOB_ARGUMENTS[job]], {
      env: { ...process.env, ...toEnvironment(config, JOB_SETTINGS) },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    lowerPriority(child.pid);
    const beganAt = clock();
    const runningJob: RunningJob = {
      job,
      child,
      isCanceled: false,
      done: readJobOutcome(child).then((outcome) => this.#finishJob(runningJob, beganAt, outcome)),
    };
    this.#runningJob = runningJob;
    return runningJob;
  }

  async #finishJob(
    { job: begun, isCanceled }: RunningJob,
    beganAt: number,
    outcome: JobOutcome,
  ): Promise<JobOutcome> {
    const { log } = this.context;
    const job = publicJobName(begun);
    if (isCanceled && !outcome.ok) {
      this.#runningJob = undefined;
      log(`${job} was stopped before it finished; it will run again later`, "info");
      return outcome;
    }
    try {
      if (job === "backup") this.#unstoredFailure = await this.#findUnstored(beganAt, outcome);
    } finally {
      this.#runningJob = undefined;
    }
    const [end, level] = outcome.ok ? (["done", "info"] as const) : (["failed"] as const);
    log(`${job} ${end}: ${outcome.message}`, level);
    return outcome;
  }

  /** The failure of a job, if the job couldn't note it in the catalog itself. */
  async #findUnstored(
    beganAt: number,
    { ok, message }: JobOutcome,
  ): Promise<BackupFailure | undefined> {
    const { catalog } = await this.#readFiles();
    const isStored = [catalog.failure, catalog.awayFailure, catalog.rehearsal].some(
      (each) => each && Date.parse(each.at) >= beganAt,
    );
    if (ok || isStored) return undefined;
    return createNextFailure(this.#unstoredFailure, message, this.context.clock());
  }

  /** In a shared folder, other instances then find nothing due. */
  async #runDueJobs(shouldContinue: ShouldContinue): Promise<void> {
    const { config, clock, store } = this.context;
    const { backupEvery: every } = config;
    if (this.#runningJob || every === null) return;
    const { catalog, backups } = await this.#readFiles();
    const now = clock();
    const isWaiting = (failure: BackupFailure | undefined) =>
      failure !== undefined &&
      isWaitOver(Date.parse(failure.at), now, backupRetryDelayMs(failure.times));
    const local = backups.filter((each) => each.localSize !== null);
    const newest = findNewestGoodBackup(local, now);
    const isBackupDue =
      isBackupNeeded(local, now, every, getStoreTimeZone(store)) &&
      !isWaiting(this.#unstoredFailure ?? catalog.failure);
    const isUploadDue =
      config.backupS3 && newest && !newest.isRemoteVerified && !isWaiting(catalog.awayFailure);
    if (!(await shouldContinue())) return;
    if (isBackupDue || isUploadDue) await this.startJob("dueBackup").done;
    else if (newest && now >= restoreTestDueAt(catalog, newest.id, now))
      await this.startJob("rehearsal").done;
  }
}

interface RunningJob {
  readonly job: Job;
  readonly child: Bun.Subprocess;
  readonly done: Promise<JobOutcome>;
  /** Stopped deliberately, which isn't a failure. */
  isCanceled: boolean;
}

/** A process stuck on its disk can't be killed; it must not prevent the site from stopping. */
async function killJob(running: RunningJob): Promise<void> {
  const { child, done } = running;
  running.isCanceled = true;
  child.kill();
  const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await Promise.race([done, Bun.sleep(2 * STOP_TIMEOUT_MS)]);
  clearTimeout(kill);
}

const BACKUPS_SCREEN = { screen: "backups", label: "Open Backups" } as const;

const publicJobName = (job: Job) => (job === "rehearsal" ? "rehearsal" : "backup");

const BUSY_MESSAGES = {
  backup: "A backup is already running. Wait until it finishes.",
  rehearsal: "A restore test is already running. Wait until it finishes.",
};

/** The settings these commands use. */
const JOB_SETTINGS = [
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
const isWaitOver = (at: number, now: number, wait: number) => now >= at && now < at + wait;

/** The built program runs itself; from source, Bun runs it. */
function programCommand(): string[] {
  // Bun's prefix for the files of a compiled program.
  if (Bun.main.startsWith("/$bunfs/")) return [process.execPath];
  return [process.execPath, join(import.meta.dir, "../../../main.ts")];
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended, or the system has no priorities.
  }
}

/** Exit codes for a backup that wasn't uploaded, or that has a damaged picture. */
const [NOT_SENT, DAMAGED] = [3, 4];

/** The command's output, and whether it succeeded. */
async function readJobOutcome(
  child: Bun.Subprocess<"ignore", "pipe", "pipe">,
): Promise<JobOutcome> {
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
