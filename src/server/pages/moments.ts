/** One timer for whatever changes by itself as time goes by. */
import type { Clock } from "../shared/clock.ts";
import { MINUTE } from "../shared/time.ts";

interface MomentsOptions {
  /** The time that the site goes by, in milliseconds since 1970. */
  readonly now: Clock;
  /** The next moment at which something changes. */
  readonly next: (now: number) => number;
  /** Called at that moment, at the latest a second after it. */
  readonly happens: () => void;
}

interface Moments {
  /** What changes when has changed: the timer is set anew. */
  again(): void;
  stop(): void;
}

/**
 * Calls `happens` at each moment. Looks at the clock every minute besides, so that one that is put forward or back is
 * noticed: what is shown then is of another time.
 */
export function atMoments({ now, next, happens }: MomentsOptions): Moments {
  let timer: Timer | undefined;
  let due = next(now());
  let lookedAt = now();
  const wait = () => {
    timer = setTimeout(look, Math.min(Math.max(due - now(), 1), MINUTE));
    // Keeps no process alive.
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
