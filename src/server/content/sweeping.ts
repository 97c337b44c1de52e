/** What is due in the bin goes by itself: at the start, and every minute. */
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { Bin } from "../bin/bin.ts";
import { MINUTE } from "../shared/time.ts";

export interface Sweeping {
  /** Has go what is due now. What can't go, on a full disk, is tried again in a minute. */
  readonly sweep: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface SweepingContext {
  readonly bin: Bin;
  readonly remove: Parameters<Bin["sweep"]>[0];
  /** Stores what time it is. */
  readonly lookAtTime?: (() => Promise<void>) | undefined;
  /** A line for the operator. */
  readonly log: Log;
}

/** Sweeps at once, but keeps nobody waiting for it; the timer keeps no process alive. */
export function keepSweeping({ bin, remove, lookAtTime, log }: SweepingContext): Sweeping {
  let running = Promise.resolve();
  const sweep = () => {
    running = running.then(once);
    return running;
  };
  async function once(): Promise<void> {
    try {
      // On a full disk it can't be stored, and what is due has to go all the more.
      await lookAtTime?.().catch(() => undefined);
      await bin.sweep(remove);
    } catch (error) {
      const reason = isRefusal(error, "cannot_store") ? "the disk took nothing" : String(error);
      log(`bin: removing what is due failed for now (${reason}); it is tried again every minute`);
    }
  }
  void sweep();
  const timer = setInterval(() => void sweep(), MINUTE);
  timer.unref();
  return {
    sweep,
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
