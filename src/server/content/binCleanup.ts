/** Deletes expired items of the bin permanently: at startup, and every minute. */
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { startPeriodicJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import { MINUTE } from "../shared/time.ts";

export interface BinCleanup {
  /** Deletes expired items. If that fails, as on a full disk, the next sweep a minute later tries again. */
  readonly sweep: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface BinCleanupContext {
  readonly bin: Bin;
  readonly removeItem: Parameters<Bin["deleteExpired"]>[0];
  /** Stores the trusted time, so that a clock that jumped ahead is noticed even after a restart. */
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
      // A failure to store the time, as on a full disk, is ignored: deleting expired items may free space.
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
