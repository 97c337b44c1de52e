/** Deletes expired items of the bin permanently: at startup, and every minute. */
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { startPeriodicJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import { MINUTE } from "../shared/time.ts";

export interface BinCleanup {
  /** Deletes expired items. Failed deletions, such as on a full disk, are retried after a minute. */
  readonly sweep: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface BinCleanupContext {
  readonly bin: Bin;
  readonly removeItem: Parameters<Bin["deleteExpired"]>[0];
  /** Stores the current time, so that a clock that was set back is noticed after a restart. */
  readonly saveCurrentTime?: (() => Promise<void>) | undefined;
  /** Writes a line to the operator's log. */
  readonly log: Log;
}

/** Starts the cleanup. The first sweep runs immediately, in the background. */
export function startBinCleanup({
  bin,
  removeItem,
  saveCurrentTime,
  log,
}: BinCleanupContext): BinCleanup {
  const job = startPeriodicJob(MINUTE, async () => {
    try {
      // On a full disk the time can't be stored, but deleting expired items frees space.
      await saveCurrentTime?.().catch(() => undefined);
      await bin.deleteExpired(removeItem);
    } catch (error) {
      const reason = isRefusal(error, "cannot_store") ? "the disk isn't writable" : String(error);
      log(`bin: deleting expired items failed (${reason}); retrying every minute`);
    }
  });
  const sweep = () => {
    job.runNow();
    return job.whenIdle();
  };
  void sweep();
  return { sweep, stop: job.stop };
}
