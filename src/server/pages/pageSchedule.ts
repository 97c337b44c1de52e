/** When the pages next change by themselves (a day begins, an item appears, disappears or is over), and one timer for it. */
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { allEntities, entities } from "../../schema/index.ts";
import { visibilityChanges } from "../../schema/entities/shownAt.ts";
import { type Clock, inZone } from "../shared/clock.ts";
import { storeTimeZone } from "../shared/siteZone.ts";
import { MINUTE } from "../shared/time.ts";
import type { Store } from "../storage/store.ts";

interface MomentsOptions {
  /** The site's current time, in milliseconds since 1970. */
  readonly now: Clock;
  /** The next moment at which something changes. */
  readonly next: (now: number) => number;
  /** Called at that moment, at most a second late. */
  readonly happens: () => void;
}

/**
 * Calls `happens` at each moment. It also checks the clock every minute, so that a clock that was changed is noticed.
 */
export function scheduleAt({ now, next, happens }: MomentsOptions) {
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
    /** Call it when `next` may have changed. */
    reschedule() {
      clearTimeout(timer);
      due = next(now());
      wait();
    },
    stop: () => clearTimeout(timer),
  };
}

const CHANGING = allEntities
  .filter((entity) => entity.shape !== "records")
  .filter(({ window, changeTimes }) => window !== undefined || changeTimes !== undefined);

/** The first moment at which a page changes after `now`, at most a day ahead, in milliseconds since 1970. */
export function nextChange(store: Store, now: number): number {
  const zone = storeTimeZone(store);
  const { on } = store.of(entities.extras).read().value;
  let next = midnightAfter(now, zone);
  for (const entity of CHANGING.filter((each) => isExtraEnabled(each, on)))
    for (const item of [store.of(entity).read().value as object].flat())
      for (const edge of visibilityChanges(entity, item, zone))
        if (edge > now && edge < next) next = edge;
  return next;
}

/** When the next day begins in a time zone: the policy's date and the footer's year may change. */
export const midnightAfter = (now: number, zone: string): number =>
  inZone(now, zone).add({ days: 1 }).startOfDay().epochMilliseconds;
