/** One timer for everything that changes as time passes. */
import type { Clock } from "../shared/clock.ts";
import { MINUTE } from "../shared/time.ts";

interface MomentsOptions {
  /** The site's current time, in milliseconds since 1970. */
  readonly now: Clock;
  /** The next moment at which something changes. */
  readonly next: (now: number) => number;
  /** Called at that moment, at most a second late. */
  readonly happens: () => void;
}

interface Moments {
  /** Call it when `next` may have changed. */
  again(): void;
  stop(): void;
}

/**
 * Calls `happens` at each moment. It also checks the clock every minute, so that a clock that was changed is noticed.
 */
export function atMoments({ now, next, happens }: MomentsOptions): Moments {
  let timer: Timer | undefined;
  let due = next(now());
  let lookedAt = now();
  const wait = () => {
    timer = setTimeout(look, Math.min(Math.max(due - now(), 1), MINUTE));
    // Doesn't keep the process alive.
    timer.unref();
  };
  const look = () => {
    const moment = now();
    if (moment >= due || moment < lookedAt) {
      due = next(moment);
      happens();
    }
    lookedAt = moment;
    wait();
  };
  wait();
  return {
    again() {
      clearTimeout(timer);
      due = next(now());
      wait();
    },
    stop: () => clearTimeout(timer),
  };
}
