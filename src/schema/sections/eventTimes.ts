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

/**
 * Returns when an event begins, in milliseconds since 1970; an all-day event begins with its day. `zone` is the site's
 * time zone.
 */
export function computeEventStart(
  { startsAt, allDay, timeZone }: EventTimes,
  zone: string,
): number {
  const localTime = allDay ? `${startsAt.slice(0, 10)}T00:00` : startsAt;
  return localTimeToInstant(localTime, timeZone || zone);
}

/**
 * Returns when an event is over, in milliseconds since 1970: at its end, after its last day, or three hours after its
 * start.
 */
export function computeEventEnd(times: EventTimes, zone: string): number {
  const { startsAt, endsAt, allDay, timeZone } = times;
  if (allDay)
    return localTimeToInstant(`${computeNextDay(endsAt ?? startsAt)}T00:00`, timeZone || zone);
  const start = computeEventStart(times, zone);
  if (endsAt === null) return start + DEFAULT_EVENT_MS;
  const end = localTimeToInstant(endsAt, timeZone || zone);
  // A start that a clock change skips counts as an hour later, and may then be after the end.
  return end > start ? end : start + Date.parse(`${endsAt}Z`) - Date.parse(`${startsAt}Z`);
}

/** The day after a local time, as an ISO date. */
export const computeNextDay = (localTime: string): string =>
  Temporal.PlainDate.from(localTime.slice(0, 10)).add({ days: 1 }).toString();

/** A local time with its offset, for search engines and browsers: `2027-03-14T20:00:00+00:00`. */
export const formatWithOffset = (localTime: string, zone: string): string =>
  formatInstantWithOffset(localTimeToInstant(localTime, zone), zone);

export const formatInstantWithOffset = (instant: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instant)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never" });
