/** Deletes expired items of the bin permanently: at startup, and every minute. */
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { startPeriodicJob } from "../shared/periodicJob.ts";
import type { Bin } from "../bin/bin.ts";
import { MINUTE } from "../shared/time.ts";

export interface BinCleanup {
  /** Deletes expired items. Those that can't be deleted, on a full disk, are tried again in a minute. */
  readonly sweep: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface BinCleanupContext {
  readonly bin: Bin;
  readonly remove: Parameters<Bin["deleteExpired"]>[0];
  /** Stores the current time. */
  readonly storeTime?: (() => Promise<void>) | undefined;
  /** A line for the operator. */
  readonly log: Log;
}

/** The first sweep starts immediately, in the background. */
export function startBinCleanup({ bin, remove, storeTime, log }: BinCleanupContext): BinCleanup {
  const rounds = startPeriodicJob(MINUTE, async () => {
    try {
      // A full disk can't store the time, which is all the more reason to delete what is due.
      await storeTime?.().catch(() => undefined);
      await bin.deleteExpired(remove);
    } catch (error) {
      const reason = isRefusal(error, "cannot_store") ? "the disk isn't writable" : String(error);
      log(`bin: deleting expired items failed (${reason}); retrying every minute`);
    }
  });
  const sweep = () => {
    rounds.runNow();
    return rounds.whenIdle();
  };
  void sweep();
  return { sweep, stop: rounds.stop };
}
