/** Time as a dependency, so that tests of waits and expiries don't have to wait. */

/** The present moment in milliseconds since 1970 (UTC), as `Date.now` gives it. */
export type Clock = () => number;

/** The clocks for work that runs unattended and can't be undone. */
export interface Clocks {
  readonly clock: Clock;
  /** The time as far as it can be trusted, never later than the clock (src/server/upkeep/siteTime.ts). Default: the clock. */
  readonly trustedClock?: Clock;
}

/** The current time as it is stored: ISO 8601 in UTC. */
export function isoTime(clock: Clock): string {
  return new Date(clock()).toISOString();
}

/** The local time in a zone, to the minute: `2027-03-14T20:00`. */
export const wallIn = (moment: number, zone: string): string =>
  inZone(moment, zone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** A moment (milliseconds since 1970) in a time zone. */
export const inZone = (moment: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
