/** Clocks, stored timestamps and local times. */
import { SECOND } from "./time.ts";

/** The current time in milliseconds since 1970 (UTC), as from `Date.now`. A dependency, so tests needn't wait. */
export type Clock = () => number;

/** The clocks for work that sends mail or deletes permanently, where a wrong clock does lasting damage. */
export interface Clocks {
  readonly clock: Clock;
  /**
   * The time as far as it can be trusted, never later than `clock` (src/server/upkeep/trustedClock.ts). Default:
   * `clock`.
   */
  readonly trustedClock?: Clock;
}

/** Returns the current time in the stored form: ISO 8601 in UTC. */
export function getTimestamp(clock: Clock): string {
  return new Date(clock()).toISOString();
}

/**
 * Returns the current time in the stored form, at least a second after `earlier`, since calendars compare changes of an
 * entry by whole seconds.
 */
export const createTimestampAfter = (earlier: string, clock: Clock): string =>
  getTimestamp(() => Math.max(clock(), Date.parse(earlier) + SECOND));

/** Returns when an item was created (milliseconds since 1970): its id, a UUIDv7 (RFC 9562), begins with the time. */
export const getCreationTime = (id: string): number =>
  Number.parseInt(id.slice(0, 13).replace("-", ""), 16);

/** Formats the local time in a time zone, to the minute: `2027-03-14T20:00`. */
export const formatLocalTime = (instant: number, zone: string): string =>
  toZonedTime(instant, zone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** Converts a point in time (milliseconds since 1970) to a time zone. */
export const toZonedTime = (instant: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** Returns the latest time up to `now` at which it was this hour in a time zone, in milliseconds since 1970. */
export function findLastOccurrenceOfHour(now: number, hour: number, zone: string): number {
  const today = toZonedTime(now, zone).withPlainTime({ hour });
  // Not 24 hours earlier: days differ in length when clocks change.
  const occurrence = today.epochMilliseconds > now ? today.subtract({ days: 1 }) : today;
  return occurrence.epochMilliseconds;
}
