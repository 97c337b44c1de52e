/** Which items are shown at a given time, and when that changes. Only for the server; browsers get the result. */
import { hasDisplayPeriod } from "./displayPeriod.ts";
import type { Entity, StoredItem } from "./entity.ts";

export interface ViewTime {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The site's time zone. */
  readonly zone: string;
}

/** The period in which an item is shown, in milliseconds since 1970; infinite where unlimited. */
interface DisplaySpan {
  readonly from: number;
  readonly until: number;
}

/** Whether visitors see an item now. */
export function isShown(entity: Entity, item: object, { now, zone }: ViewTime): boolean {
  if (!hasDisplayPeriod(entity)) return true;
  const { from, until } = computeDisplaySpan(item, zone);
  return from <= now && now < until;
}

/** The times when an item changes automatically. */
export function findVisibilityChanges(entity: Entity, item: object, zone: string): number[] {
  const { from, until } = computeDisplaySpan(item, zone);
  return [from, until, ...(entity.findChangeTimes?.(item as StoredItem, zone) ?? [])].filter(
    Number.isFinite,
  );
}

/**
 * Display periods, cached since computing an instant takes microseconds, and pages have hundreds of items. They are
 * cached by item, since items are immutable.
 */
const spanCache = new WeakMap<object, DisplaySpan & { readonly zone: string }>();

function computeDisplaySpan(item: object, zone: string): DisplaySpan {
  const cached = spanCache.get(item);
  if (cached?.zone === zone) return cached;
  const { shownFrom, shownUntil }: { shownFrom?: string | null; shownUntil?: string | null } = item;
  const span = {
    zone,
    from: shownFrom ? localTimeToInstant(shownFrom, zone) : Number.NEGATIVE_INFINITY,
    until: shownUntil ? localTimeToInstant(shownUntil, zone) : Number.POSITIVE_INFINITY,
  };
  spanCache.set(item, span);
  return span;
}

/**
 * The instant of a local time, in milliseconds since 1970. A time skipped by a clock change counts as an hour later; of
 * a repeated time, the first counts.
 */
export const localTimeToInstant = (localTime: string, zone: string): number =>
  Temporal.PlainDateTime.from(localTime).toZonedDateTime(zone, { disambiguation: "compatible" })
    .epochMilliseconds;
