/** Time as a dependency, so that tests of waits and expiries don't have to wait. */
import { SECOND } from "./time.ts";

/** The present time in milliseconds since 1970 (UTC), as from `Date.now`. */
export type Clock = () => number;

/** The clocks for work that deletes permanently or sends. */
export interface Clocks {
  readonly clock: Clock;
  /** The time as far as it can be trusted, never later than the clock (src/server/upkeep/trustedClock.ts). Default: the clock. */
  readonly trustedClock?: Clock;
}

/** The current time as it is stored: ISO 8601 in UTC. */
export function isoTime(clock: Clock): string {
  return new Date(clock()).toISOString();
}

/**
 * The current time as it is stored, at least a second after an earlier one: calendars compare changes of an entry by
 * whole seconds.
 */
export const timestampAfter = (earlier: string, clock: Clock): string =>
  isoTime(() => Math.max(clock(), Date.parse(earlier) + SECOND));

/** When an item was created: its id is a UUIDv7 (RFC 9562), which begins with the time. */
export const creationTime = (id: string): number =>
  Number.parseInt(id.slice(0, 13).replace("-", ""), 16);

/** The local time in a zone, to the minute: `2027-03-14T20:00`. */
export const formatLocalTime = (instant: number, zone: string): string =>
  inZone(instant, zone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** A point in time (milliseconds since 1970) in a time zone. */
export const inZone = (instant: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** The most recent time with this hour in a time zone. */
export function lastOccurrenceOfHour(now: number, oclock: number, zone: string): number {
  const today = inZone(now, zone).withPlainTime({ hour: oclock });
  // Days differ in length when clocks change.
  const last = today.epochMilliseconds > now ? today.subtract({ days: 1 }) : today;
  return last.epochMilliseconds;
}
