/**
 * The time for deletions and other work that can't be undone. With a clock that is weeks ahead, everything that expires
 * would be deleted at once. A clock that is suddenly more than a day ahead is therefore trusted only after the site has
 * run with it for a day. Until then, the trusted time continues from its last value.
 */
import { entities } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import type { Notice } from "../shared/notice.ts";
import type { Store } from "../storage/store.ts";
import { DAY, HOUR } from "../shared/time.ts";

export type TrustedClock = ReturnType<typeof createTrustedClock>;

/** A smaller jump may come from a machine that was switched off for some hours. */
const MAX_CLOCK_SKEW_MS = DAY;
const TRUST_DELAY_MS = DAY;
/** The trusted time is stored at this interval. A restart loses at most this much of it. */
const STORE_INTERVAL_MS = HOUR;

/** Creates the clock. `readElapsedMs` returns milliseconds that don't depend on `clock`. */
export function createTrustedClock(
  store: Store,
  clock: Clock = Date.now,
  readElapsedMs: () => number = () => performance.now(),
) {
  const document = store.of(entities.siteTime);
  const stored = document.read().value;
  let trustedTime = stored.believedAt === null ? clock() : Date.parse(stored.believedAt);
  let aheadForMs = stored.aheadFor;
  let checkedAt = readElapsedMs();
  let storedAt = stored.believedAt === null ? Number.NEGATIVE_INFINITY : readElapsedMs();

  const now = () => {
    const elapsed = readElapsedMs() - checkedAt;
    checkedAt += elapsed;
    trustedTime += elapsed;
    const isAhead = clock() > trustedTime + MAX_CLOCK_SKEW_MS;
    aheadForMs = isAhead ? aheadForMs + elapsed : 0;
    if (isAhead && aheadForMs < TRUST_DELAY_MS) return trustedTime;
    aheadForMs = 0;
    trustedTime = clock();
    return trustedTime;
  };

  return {
    /** Returns the trusted time in milliseconds since 1970, which is never later than the machine's. */
    now,
    /** Stores the trusted time once an hour. Call it every minute. Throws `cannot_store`. */
    async saveTrustedTime() {
      const believedAt = new Date(now()).toISOString();
      if (readElapsedMs() - storedAt < STORE_INTERVAL_MS) return;
      await document.update(() => ({ believedAt, aheadFor: aheadForMs }));
      storedAt = readElapsedMs();
    },
    /** Returns a notice while the machine's clock is ahead and not trusted. */
    findNotices: () => createClockNotices(clock(), now(), TRUST_DELAY_MS - aheadForMs),
  };
}

function createClockNotices(
  machineTime: number,
  trustedTime: number,
  remainingMs: number,
): Notice[] {
  // The clocks are read one after the other, so a small difference is normal.
  if (machineTime < trustedTime + HOUR) return [];
  const days = Math.round((machineTime - trustedTime) / DAY);
  const hours = Math.ceil(remainingMs / HOUR);
  const message = `The server's clock jumped ahead by ${days} ${days === 1 ? "day" : "days"}, to ${new Date(machineTime).toISOString().slice(0, 10)}. If that date is wrong, correct the clock. For ${hours} more ${hours === 1 ? "hour" : "hours"}, the jump has no effect on the trash.`;
  return [{ code: "clock_ahead", title: "Check the server's date", message }];
}
