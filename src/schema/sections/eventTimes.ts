/** Computes the start and end of an event. Used only by the server; browsers get computed values. */
import { localTimeToInstant } from "../entities/visibility.ts";
import { HOUR } from "../core/time.ts";

interface EventTimes {
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly allDay: boolean;
  /** The IANA name of the event's time zone; empty for the site's time zone. */
  readonly timeZone: string;
}

/** The assumed duration of an event without an end, in milliseconds. */
export const DEFAULT_EVENT_MS = 3 * HOUR;

/** Returns the start in milliseconds since 1970: midnight for an all-day event. `zone` is the site's time zone. */
export function computeEventStart(
  { startsAt, allDay, timeZone }: EventTimes,
  zone: string,
): number {
  const localTime = allDay ? `${startsAt.slice(0, 10)}T00:00` : startsAt;
  return localTimeToInstant(localTime, timeZone || zone);
}

/** Returns the end in milliseconds since 1970: for an all-day event, the midnight after its last day. */
export function computeEventEnd(times: EventTimes, zone: string): number {
  const { startsAt, endsAt, allDay, timeZone } = times;
  if (allDay)
    return localTimeToInstant(`${computeNextDay(endsAt ?? startsAt)}T00:00`, timeZone || zone);
  const start = computeEventStart(times, zone);
  if (endsAt === null) return start + DEFAULT_EVENT_MS;
  const end = localTimeToInstant(endsAt, timeZone || zone);
  // A start in the hour that a clock change skips is moved an hour later, perhaps to after the end. The event then
  // keeps its duration in local time.
  return end > start ? end : start + Date.parse(`${endsAt}Z`) - Date.parse(`${startsAt}Z`);
}

/** Returns the day after a local time, as an ISO date. */
export const computeNextDay = (localTime: string): string =>
  Temporal.PlainDate.from(localTime.slice(0, 10)).add({ days: 1 }).toString();

/** Returns a local time with its offset, for search engines and browsers, such as `2027-03-14T20:00:00+00:00`. */
export const formatWithOffset = (localTime: string, zone: string): string =>
  formatInstantWithOffset(localTimeToInstant(localTime, zone), zone);

export const formatInstantWithOffset = (instant: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never" });
