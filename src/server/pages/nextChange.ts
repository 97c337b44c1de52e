/** When the pages next change by themselves: a day begins, an item appears, disappears or is over. */
import { edgesOf } from "../../schema/shownAt.ts";
import { allEntities, entities } from "../../schema/index.ts";
import { isAdded } from "../../schema/extra.ts";
import { inZone } from "../shared/clock.ts";
import { zoneOf } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";

const CHANGING = allEntities
  .filter((entity) => entity.shape !== "records")
  .filter(({ window, edges }) => window !== undefined || edges !== undefined);

/** The first such moment after `now`, at most a day ahead, in milliseconds since 1970. */
export function nextChange(store: Store, now: number): number {
  const zone = zoneOf(store);
  const { on } = store.of(entities.extras).read().value;
  let next = midnightAfter(now, zone);
  for (const entity of CHANGING.filter((each) => isAdded(each, on)))
    for (const item of [store.of(entity).read().value as object].flat())
      for (const edge of edgesOf(entity, item, zone)) if (edge > now && edge < next) next = edge;
  return next;
}

/** When the next day begins in a time zone: the policy's date and the footer's year may change. */
export const midnightAfter = (now: number, zone: string): number =>
  inZone(now, zone).add({ days: 1 }).startOfDay().epochMilliseconds;
