/** Runs work at intervals and on demand: in every instance of a site, or in only one instance at a time. */
import type { SharedStore } from "./instanceCoordinator.ts";

export interface PeriodicJob {
  /** Starts a run now, or right after the current run. */
  runNow(): void;
  /** True once `stop` was called, so a run can end early. */
  isStopping(): boolean;
  /** Resolves once no run is active. */
  whenIdle(): Promise<void>;
  /** Starts no more runs; resolves once the current run has ended. */
  stop(): Promise<void>;
}

/**
 * Resolves to false once a run must end, because the site is stopping or another instance may have started the job.
 * Must be called before each step that must not run twice. Never throws.
 */
export type ShouldContinue = () => Promise<boolean>;

interface SiteJob {
  readonly store: SharedStore;
  /** The job's name. Two instances never run jobs of the same name at once. */
  readonly name: string;
  /** The interval between runs, in milliseconds. `runNow` starts additional runs. */
  readonly intervalMs: number;
  readonly runOnce: (shouldContinue: ShouldContinue) => Promise<void>;
  /** Called with the error of a failed run. The next run continues the work. */
  readonly onError: (error: unknown) => void;
  /** Called instead of a run while another instance is running the job. */
  readonly onSkipped?: () => Promise<void> | void;
}

/** Starts a job that only one instance of the site runs at a time. It first runs after the interval or on `runNow`. */
export function startSiteJob(job: SiteJob): PeriodicJob {
  const periodicJob = startPeriodicJob(job.intervalMs, async () => {
    try {
      const hasRun = await job.store.coordinator.runExclusively(job.name, async (isLockHeld) => {
        await job.runOnce(async () => !periodicJob.isStopping() && isLockHeld());
        return true;
      });
      if (!hasRun) await job.onSkipped?.();
    } catch (error) {
      job.onError(error);
    }
  });
  return periodicJob;
}

/** Starts a job of this process, whose runs never overlap. `runOnce` must not reject. */
export function startPeriodicJob(intervalMs: number, runOnce: () => Promise<void>): PeriodicJob {
  const flags = { isDue: false, isStopping: false };
  let currentRun: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      while (flags.isDue && !flags.isStopping) {
        flags.isDue = false;
        await runOnce(); // oxlint-disable-line no-await-in-loop -- one at a time
      }
    } finally {
      // Cleared before the promise resolves. Otherwise a `runNow` directly after the last run would start nothing.
      currentRun = undefined;
    }
  }
  function runNow(): void {
    flags.isDue = true;
    currentRun ??= run();
  }

  const timer = setInterval(runNow, intervalMs);
  timer.unref();
  return {
    runNow,
    isStopping: () => flags.isStopping,
    whenIdle: async () => currentRun,
    async stop() {
      flags.isStopping = true;
      clearInterval(timer);
      await currentRun;
    },
  };
}
