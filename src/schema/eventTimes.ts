/** When a date begins and is over: the server's alone, as browsers are given what is finished. */
import { instantOf } from "./shownAt.ts";

/** What of a date says when it takes place. */
interface EventTimes {
  readonly startsAt: string;
  readonly endsAt: string | null;
  readonly allDay: boolean;
  /** Empty: that of the site. */
  readonly timeZone: string;
}

const HOUR = 3_600_000;

/** How long a date without an end is taken to last. */
const LASTS = 3 * HOUR;

/** When it begins, in milliseconds since 1970; one of all day with its day. `zone` is the site's. */
export function startOf({ startsAt, allDay, timeZone }: EventTimes, zone: string): number {
  const wall = allDay ? `${startsAt.slice(0, 10)}T00:00` : startsAt;
  return instantOf(wall, timeZone || zone);
}

/** When it is over: at its end, with its last day, or three hours after its start. */
export function endOf(times: EventTimes, zone: string): number {
  const { startsAt, endsAt, allDay, timeZone } = times;
  if (allDay) return instantOf(`${dayAfter(endsAt ?? startsAt)}T00:00`, timeZone || zone);
  return endsAt === null ? startOf(times, zone) + LASTS : instantOf(endsAt, timeZone || zone);
}

/** The day after that of a time, as an ISO date. */
export const dayAfter = (wall: string): string =>
  Temporal.PlainDate.from(wall.slice(0, 10)).add({ days: 1 }).toString();

/** A time of day with its offset, as search engines and browsers read it: `2027-03-14T20:00:00+00:00`. */
export const withOffset = (wall: string, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instantOf(wall, zone))
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never" });
