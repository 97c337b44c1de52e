/** A timer for pages that change with time: when a day begins, or an item appears, disappears or is over. */
import { hasDisplayPeriod } from "../../schema/entities/displayPeriod.ts";
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { allEntities, entities } from "../../schema/index.ts";
import { findVisibilityChanges } from "../../schema/entities/visibility.ts";
import { type Clock, toZonedTime } from "../shared/clock.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import { MINUTE } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";

interface ScheduleOptions {
  /** The site's current time, in milliseconds since 1970. */
  readonly now: Clock;
  readonly findNextChange: (now: number) => number;
  readonly onChange: () => void;
}

/** Calls `onChange` at each change. The clock is read at least once a minute, to detect that it was adjusted. */
export function runAtEachChange({ now, findNextChange, onChange }: ScheduleOptions) {
  let timer: Timer | undefined;
  let nextChangeAt = findNextChange(now());
  let checkedAt = now();
  const scheduleCheck = () => {
    timer = setTimeout(checkTime, Math.min(Math.max(nextChangeAt - now(), 1), MINUTE));
    // The timer must not keep the process alive.
    timer.unref();
  };
  const checkTime = () => {
    const time = now();
    if (time >= nextChangeAt || time < checkedAt) {
      nextChangeAt = findNextChange(time);
      onChange();
    }
    checkedAt = time;
    scheduleCheck();
  };
  scheduleCheck();
  return {
    /** Call this when the time of the next change may be different. */
    reschedule() {
      clearTimeout(timer);
      nextChangeAt = findNextChange(now());
      scheduleCheck();
    },
    stop: () => clearTimeout(timer),
  };
}

const TIMED_ENTITIES = allEntities
  .filter((entity) => entity.shape !== "records")
  .filter((entity) => hasDisplayPeriod(entity) || entity.findChangeTimes !== undefined);

/** Returns when the pages change next after `now`, at most a day ahead, in milliseconds since 1970. */
export function findNextChange(store: Store, now: number): number {
  const zone = getSiteTimeZone(store);
  const { on } = store.of(entities.extras).read().value;
  let next = computeNextMidnight(now, zone);
  for (const entity of TIMED_ENTITIES.filter((each) => isExtraEnabled(each, on)))
    for (const item of [store.of(entity).read().value as object].flat())
      for (const changeTime of findVisibilityChanges(entity, item, zone))
        if (changeTime > now && changeTime < next) next = changeTime;
  return next;
}

/** Returns the start of the next day in a time zone, when the policy's date and the footer's year may change. */
export const computeNextMidnight = (now: number, zone: string): number =>
  toZonedTime(now, zone).add({ days: 1 }).startOfDay().epochMilliseconds;
