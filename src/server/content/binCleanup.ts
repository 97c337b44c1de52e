/** Permanently deletes expired items of the bin: at startup, and every minute. */
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { startPeriodicJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import { MINUTE } from "../shared/time.ts";

export interface BinCleanup {
  /** Deletes expired items. After a failure, as on a full disk, the next sweep tries again. */
  readonly sweep: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface BinCleanupContext {
  readonly bin: Bin;
  readonly removeItem: Parameters<Bin["deleteExpired"]>[0];
  /** Stores the trusted time, so that a clock that jumped ahead is noticed even after a restart. */
  readonly saveCurrentTime?: (() => Promise<void>) | undefined;
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
      // If the time can't be stored, as on a full disk, expired items are deleted nevertheless, which may free space.
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
