/**
 * Makes the due backups of a running site, and tests a restore every month. Runs one job at a time, in a separate
 * process (`limelight backup`), so that the job doesn't delay visitors.
 */
import { setPriority } from "node:os";
import { join } from "node:path";
import type { BackupsState } from "../../../schema/api/backups.ts";
import { entities } from "../../../schema/index.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Config, toEnvironment } from "../../shared/config.ts";
import { cannotStore, conflict, describeError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { NoticeSource } from "../../shared/notice.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../../shared/periodicJob.ts";
import { getSiteTimeZone } from "../../shared/siteZone.ts";
import type { Store } from "../../storage/store.ts";
import { summarizeStore } from "../contentSummary.ts";
import { findBackups, getArchivePath, selectLocal, shortenSiteId } from "./backupFolder.ts";
import { type BackupFailure, type Catalog, createNextFailure, readCatalog } from "./catalog.ts";
import { isBackupNeeded, findNewestGoodBackup, computeBackupRetryDelayMs } from "./retention.ts";
import {
  computeRestoreTestDueTime,
  type BackupStateContext,
  createBackupsState,
  findWarning,
} from "./backupsState.ts";
import { MINUTE } from "../../shared/time.ts";

/** The command line of each job. Only jobs of the site (`--by-site`) may remove older backups. */
const JOB_ARGUMENTS = {
  backup: ["backup", "--by-site", "now"],
  dueBackup: ["backup", "--by-site", "due"],
  /** Doesn't remove older backups, because the user is about to restore one of them. */
  backupBeforeRestore: ["backup", "--by-site", "extra"],
  rehearsal: ["backup", "--test-restore"],
} as const;

export type BackupJobName = keyof typeof JOB_ARGUMENTS;

interface JobOutcome {
  readonly ok: boolean;
  /** True for a backup that was saved on this machine, even if its upload failed. */
  readonly isStoredLocally: boolean;
  /** The last line that the job printed; after a failure, the reason for the failure. */
  readonly message: string;
}

interface BackupSchedulerContext {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The command that runs a job, without the job's arguments. Default: this program. */
  readonly command?: readonly string[];
}

/** How long a job may take to end after SIGTERM before it is killed. */
const STOP_TIMEOUT_MS = 2000;
/** Delays the first check, because a starting site and a booting machine have more urgent work. */
const FIRST_CHECK_DELAY_MS = 5 * MINUTE;

export class BackupScheduler {
  readonly #shortSiteId: string;
  readonly #startedAt: number;
  #runningJob: RunningJob | undefined;
  /** Failures that a job couldn't write to the catalog, because the disk was full or the process was killed. */
  readonly #unstoredFailures: Pick<Catalog, "failure" | "rehearsal"> = {};
  #firstCheckTimer: Timer | undefined;
  #checkJob: PeriodicJob | undefined;

  constructor(private readonly context: BackupSchedulerContext) {
    this.#shortSiteId = shortenSiteId(context.store.siteId);
    this.#startedAt = context.clock();
  }

  /** Throws `not_found` if the archive isn't on this machine. */
  getArchivePath(id: string): Promise<string> {
    return getArchivePath(this.context.config.backupDir, this.#shortSiteId, id);
  }

  async readState(): Promise<BackupsState> {
    const summary = await summarizeStore(this.context.store);
    return createBackupsState(await this.#readStateContext(), summary);
  }

  readonly findNotices: NoticeSource = async () => {
    const warning = findWarning(await this.#readStateContext());
    const opens = { screen: "backups", label: "Open Backups" } as const;
    return warning ? [{ code: "backup", problem: "backup", ...warning, opens }] : [];
  };

  async #readStateContext(): Promise<BackupStateContext> {
    const { store, config, clock } = this.context;
    const createdAt = store.of(entities.users).read().value[0]?.createdAt;
    return {
      ...(await this.#readBackups()),
      config,
      now: clock(),
      firstUsedAt: createdAt ? Date.parse(createdAt) : this.#startedAt,
      runningJob: this.#runningJob && getJobKind(this.#runningJob.name),
      ownerSettings: store.of(entities.backupSettings).read().value,
      zone: getSiteTimeZone(store),
    };
  }

  start(firstCheckDelayMs = FIRST_CHECK_DELAY_MS): void {
    const { store, log } = this.context;
    this.#firstCheckTimer = setTimeout(() => {
      this.#checkJob = startSiteJob({
        store,
        name: "backups",
        intervalMs: MINUTE,
        runOnce: (shouldContinue) => this.#runDueJobs(shouldContinue),
        onError: (error) => log(`backup failed: ${describeError(error)}`),
      });
      this.#checkJob.runNow();
    }, firstCheckDelayMs);
    this.#firstCheckTimer.unref();
  }

  /** Stops the checks and ends a running job. The job is still due at the next start. */
  async stop(): Promise<void> {
    clearTimeout(this.#firstCheckTimer);
    // Doesn't await `stop`, because the check waits for its job, which is killed only in the next line.
    void this.#checkJob?.stop();
    if (this.#runningJob) await killJob(this.#runningJob);
  }

  async #readBackups() {
    const { backupDir: folder } = this.context.config;
    const stored = await readCatalog(folder, this.#shortSiteId);
    const catalog: Catalog = { ...stored, ...this.#unstoredFailures };
    return { catalog, backups: await findBackups(folder, this.#shortSiteId, catalog) };
  }

  /** Throws `conflict` while another job is running, and `cannot_store` if the job's process can't be started. */
  startJob(jobName: BackupJobName): RunningJob {
    if (this.#runningJob) {
      const label = this.#runningJob.name === "rehearsal" ? "A restore test" : "A backup";
      throw conflict(`${label} is already running. Wait until it finishes.`);
    }
    const child = this.#spawn(jobName);
    lowerPriority(child.pid);
    // Uses the machine's clock, because the job's times in the catalog come from the same clock.
    const startedAt = Date.now();
    const runningJob: RunningJob = {
      name: jobName,
      child,
      isStopping: false,
      outcome: readJobOutcome(child).then((outcome) =>
        this.#finishJob(runningJob, startedAt, outcome),
      ),
    };
    this.#runningJob = runningJob;
    return runningJob;
  }

  /** Starts a job's process. Records a failed start as a failed job, so owners see it and the next try is delayed. */
  #spawn(job: BackupJobName): JobProcess {
    const { command, config } = this.context;
    try {
      return Bun.spawn([...(command ?? getProgramCommand()), ...JOB_ARGUMENTS[job]], {
        env: { ...process.env, ...toEnvironment(config, JOB_SETTINGS) },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
    } catch (error) {
      const message = `The job's process couldn't be started (${describeError(error)}). Check the program's file and the server's memory.`;
      this.#addFailure(getJobKind(job), message);
      throw cannotStore(message, error);
    }
  }

  async #finishJob({ name, isStopping }: RunningJob, startedAt: number, outcome: JobOutcome) {
    const job = getJobKind(name);
    const { ok, message } = outcome;
    const wasStopped = isStopping && !ok;
    if (!wasStopped) {
      if (!ok && !(await this.#isFailureStored(startedAt))) this.#addFailure(job, message);
      else delete this.#unstoredFailures[job === "backup" ? "failure" : "rehearsal"];
    }
    this.#runningJob = undefined;
    const result = wasStopped
      ? "was stopped before it finished; it will run again later"
      : `${ok ? "done" : "failed"}: ${message}`;
    this.context.log(`${JOB_LABELS[job]} ${result}`, ok || wasStopped ? "info" : undefined);
    return outcome;
  }

  /** Whether the job that started at `startedAt` has written its failure to the catalog. */
  async #isFailureStored(startedAt: number): Promise<boolean> {
    const { backupDir } = this.context.config;
    const catalog = await readCatalog(backupDir, this.#shortSiteId);
    return [catalog.failure, catalog.awayFailure, catalog.rehearsal].some(
      (each) => each && Date.parse(each.at) >= startedAt,
    );
  }

  #addFailure(job: JobKind, message: string): void {
    const failures = this.#unstoredFailures;
    const now = this.context.clock();
    if (job === "backup") failures.failure = createNextFailure(failures.failure, message, now);
    else
      failures.rehearsal = {
        at: new Date(now).toISOString(),
        message,
        id: "",
        ok: false,
        isBad: false,
      };
  }

  /** Runs due jobs. The instances of a site share the catalog, so only one instance runs a due job. */
  async #runDueJobs(shouldContinue: ShouldContinue): Promise<void> {
    const { config, clock, store } = this.context;
    const { backupEvery: intervalHours } = config;
    if (this.#runningJob || intervalHours === null) return;
    const { catalog, backups } = await this.#readBackups();
    const now = clock();
    const isWaitingToRetry = (failure: BackupFailure | undefined) => {
      if (!failure) return false;
      const passedMs = now - Date.parse(failure.at);
      // If the clock was set back, the passed time is negative, and the next try isn't delayed.
      return passedMs >= 0 && passedMs < computeBackupRetryDelayMs(failure.times);
    };
    const localBackups = selectLocal(backups);
    const newest = findNewestGoodBackup(localBackups, now);
    const isBackupDue =
      isBackupNeeded(localBackups, now, intervalHours, getSiteTimeZone(store)) &&
      !isWaitingToRetry(catalog.failure);
    const isUploadDue =
      config.backupS3 &&
      newest &&
      !newest.isRemoteVerified &&
      !isWaitingToRetry(catalog.awayFailure);
    // Starts no job if the owner has started one meanwhile.
    if (!(await shouldContinue()) || this.#runningJob) return;
    if (isBackupDue || isUploadDue) await this.startJob("dueBackup").outcome;
    else if (newest && now >= computeRestoreTestDueTime(catalog, newest.id, now))
      await this.startJob("rehearsal").outcome;
  }
}

interface RunningJob {
  readonly name: BackupJobName;
  readonly child: JobProcess;
  readonly outcome: Promise<JobOutcome>;
  /** True once the site is stopping, so that the job's end isn't reported as a failure. */
  isStopping: boolean;
}

/** Ends a job. Gives up after a timeout, because a process that waits for a broken disk can't be killed. */
async function killJob(runningJob: RunningJob): Promise<void> {
  const { child, outcome } = runningJob;
  runningJob.isStopping = true;
  child.kill();
  const killTimer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await Promise.race([outcome, Bun.sleep(2 * STOP_TIMEOUT_MS)]);
  clearTimeout(killTimer);
}

/** The jobs' names in the program's log, by their names in the HTTP API. */
const JOB_LABELS = { backup: "backup", rehearsal: "restore test" } as const;

type JobKind = keyof typeof JOB_LABELS;

const getJobKind = (jobName: BackupJobName): JobKind =>
  jobName === "rehearsal" ? "rehearsal" : "backup";

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

/** The executable starts itself; from source, Bun runs main.ts. */
const getProgramCommand = () =>
  Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, "../../../main.ts")];

/** With this nice value, a job gets a quarter of a processor that another process uses fully (docs/decisions/0011). */
const JOB_NICE = 5;

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, JOB_NICE);
  } catch {
    // Ignores the error: the process has already ended, or the system has no priorities.
  }
}

/** Exit codes of `limelight backup`: 3 if the upload failed, 4 if a picture in the backup is damaged. */
const [NOT_UPLOADED_EXIT_CODE, DAMAGED_EXIT_CODE] = [3, 4];

type JobProcess = Bun.Subprocess<"ignore", "pipe", "pipe">;

async function readJobOutcome(child: JobProcess): Promise<JobOutcome> {
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [output = "", errorOutput = ""] = await Promise.all(texts);
  const code = await child.exited;
  // A backup with a damaged picture counts as good. A separate notice reports the picture (uploads/pictureChecks.ts).
  const ok = code === 0 || code === DAMAGED_EXIT_CODE;
  const lines = (ok ? output : errorOutput).trim().split("\n");
  const message = lines.at(-1) || `The process exited unexpectedly (${child.signalCode ?? code}).`;
  return { ok, isStoredLocally: ok || code === NOT_UPLOADED_EXIT_CODE, message };
}
