/** The start and end of an event. Used only by the server; browsers get computed values. */
import { localTimeToInstant } from "../entities/visibility.ts";
import { HOUR } from "../core/time.ts";

/** The fields with an event's times. */
interface EventTimes {
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly allDay: boolean;
  /** An IANA name; if empty, the site's time zone applies. */
  readonly timeZone: string;
}

/** The assumed length of an event without an end. */
export const DEFAULT_EVENT_MS = 3 * HOUR;

/** When an event begins, in milliseconds since 1970; an all-day event begins with its day. `zone` is the site's. */
export function computeEventStart(
  { startsAt, allDay, timeZone }: EventTimes,
  zone: string,
): number {
  const wall = allDay ? `${startsAt.slice(0, 10)}T00:00` : startsAt;
  return localTimeToInstant(wall, timeZone || zone);
}

/**
 * When an event is over, in milliseconds since 1970: at its end, after its last day, or three hours after its start.
 */
export function computeEventEnd(times: EventTimes, zone: string): number {
  const { startsAt, endsAt, allDay, timeZone } = times;
  if (allDay)
    return localTimeToInstant(`${computeNextDay(endsAt ?? startsAt)}T00:00`, timeZone || zone);
  return endsAt === null
    ? computeEventStart(times, zone) + DEFAULT_EVENT_MS
    : localTimeToInstant(endsAt, timeZone || zone);
}

/** The day after a local time, as an ISO date. */
export const computeNextDay = (localTime: string): string =>
  Temporal.PlainDate.from(localTime.slice(0, 10)).add({ days: 1 }).toString();

/** A local time with its offset, for search engines and browsers: `2027-03-14T20:00:00+00:00`. */
export const formatWithOffset = (localTime: string, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(localTimeToInstant(localTime, zone))
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never" });
