/** Computes whether an item is shown at a given time, and when that changes. Used only by the server. */
import { hasDisplayPeriod } from "./displayPeriod.ts";
import type { Entity, StoredItem } from "./entity.ts";

export interface ViewTime {
  /** The time in milliseconds since 1970. */
  readonly now: number;
  readonly zone: string;
}

/** The period in which an item is shown, in milliseconds since 1970. An unlimited start or end is infinite. */
interface DisplaySpan {
  readonly from: number;
  readonly until: number;
}

/** Whether an item's display period includes the time `now`. */
export function isShown(entity: Entity, item: object, { now, zone }: ViewTime): boolean {
  if (!hasDisplayPeriod(entity)) return true;
  const { from, until } = computeDisplaySpan(item, zone);
  return from <= now && now < until;
}

/** Returns the times at which an item appears, disappears, or changes automatically, in milliseconds since 1970. */
export function findVisibilityChanges(entity: Entity, item: object, zone: string): number[] {
  const { from, until } = computeDisplaySpan(item, zone);
  return [from, until, ...(entity.findChangeTimes?.(item as StoredItem, zone) ?? [])].filter(
    Number.isFinite,
  );
}

/**
 * A cache of display periods by item, since a page has hundreds of items and converting a local time takes
 * microseconds. Stored items are immutable, so entries are never outdated.
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
 * Returns the instant of a local time in milliseconds since 1970. A time that a clock change skips is moved an hour
 * later. A time that occurs twice is taken as its first occurrence.
 */
export const localTimeToInstant = (localTime: string, zone: string): number =>
  Temporal.PlainDateTime.from(localTime).toZonedDateTime(zone, { disambiguation: "compatible" })
    .epochMilliseconds;
