/** Clocks, stored timestamps and local times. */
import { SECOND } from "./time.ts";

/** Returns the current time in milliseconds since 1970, like `Date.now`. */
export type Clock = () => number;

/** The machine's clock, and the trusted clock for work that a wrong clock must not trigger too early. */
export interface Clocks {
  readonly clock: Clock;
  /** Returns the trusted time, which is never later than `clock` (upkeep/trustedClock.ts). Default: `clock`. */
  readonly trustedClock?: Clock;
}

/** Returns the current time in the stored form: ISO 8601 in UTC. */
export function getTimestamp(clock: Clock): string {
  return new Date(clock()).toISOString();
}

/** Returns a time at least a second after `earlier`, because calendars compare changes in whole seconds. */
export const createTimestampAfter = (earlier: string, clock: Clock): string =>
  getTimestamp(() => Math.max(clock(), Date.parse(earlier) + SECOND));

/** Returns the time of creation, in milliseconds since 1970, with which an item's id begins (UUIDv7, RFC 9562). */
export const getCreationTime = (id: string): number =>
  Number.parseInt(id.slice(0, 13).replace("-", ""), 16);

/** Formats a point in time as the local time of `zone`, to the minute: `2027-03-14T20:00`. */
export const formatLocalTime = (instant: number, zone: string): string =>
  toZonedTime(instant, zone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** Converts a point in time (milliseconds since 1970) to a time zone. */
export const toZonedTime = (instant: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** Returns the last time when the clock in `zone` showed this full hour, in milliseconds since 1970. */
export function findLastOccurrenceOfHour(now: number, hour: number, zone: string): number {
  const today = toZonedTime(now, zone).withPlainTime({ hour });
  // Subtracts a calendar day instead of 24 hours, because a day is shorter or longer when clocks change.
  const occurrence = today.epochMilliseconds > now ? today.subtract({ days: 1 }) : today;
  return occurrence.epochMilliseconds;
}
