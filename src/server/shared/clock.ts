/** Time as a dependency, so that tests of waits and expiries need not wait. */

/** The present moment in milliseconds since 1970 (UTC), as `Date.now` gives it. */
export type Clock = () => number;

/** A moment as it is stored: ISO 8601 in UTC. */
export function isoTime(clock: Clock): string {
  return new Date(clock()).toISOString();
}
