/** Time as a dependency, so that tests of waits and expiries need not wait. */

/** The present moment in milliseconds since 1970 (UTC), as `Date.now` gives it. */
export type Clock = () => number;

/** What a part of the site needs that also does by itself what can't be undone. */
export interface Clocks {
  readonly clock: Clock;
  /** The time as far as it can be trusted, never later than the clock (src/server/upkeep/siteTime.ts). Default: the clock. */
  readonly trustedClock?: Clock;
}

/** A moment as it is stored: ISO 8601 in UTC. */
export function isoTime(clock: Clock): string {
  return new Date(clock()).toISOString();
}

/** As clocks on the walls of a time zone show a moment, to the minute: `2027-03-14T20:00`. */
export const wallIn = (moment: number, zone: string): string =>
  inZone(moment, zone).toPlainDateTime().toString({ smallestUnit: "minute" });

/** What a moment (milliseconds since 1970) is in a time zone. */
export const inZone = (moment: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
