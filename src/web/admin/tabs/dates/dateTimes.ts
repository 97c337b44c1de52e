/** The times of events: whether one is over, and a copy a week later. */
import type { Item } from "../../../../schema/index.ts";
import { DAY } from "../../../../schema/core/time.ts";
import { formatZoneCity } from "../../../../schema/core/zoneCity.ts";
import { formatLocalNow } from "../../../shared/localTime.ts";

type DateEvent = Item<"events">;

/** By the event's own local time. An event without an end lasts three hours. */
export function isEventOver(
  {
    startsAt,
    endsAt,
    allDay,
    timeZone,
  }: Pick<DateEvent, "startsAt" | "endsAt" | "allDay" | "timeZone">,
  zone: string,
): boolean {
  const now = formatLocalNow(timeZone || zone);
  if (allDay) return (endsAt ?? startsAt).slice(0, 10) < now.slice(0, 10);
  return (endsAt ?? addDays(startsAt, 3 / 24)) <= now;
}

/** A copy without a display period. */
export function shiftByOneWeek(event: DateEvent): Partial<DateEvent> {
  const { startsAt, endsAt } = event;
  const copy: Partial<DateEvent> = {
    ...event,
    startsAt: addDays(startsAt, 7),
    endsAt: endsAt && addDays(endsAt, 7),
    status: "on",
    shownFrom: null,
    shownUntil: null,
  };
  delete copy.id;
  return copy;
}

const addDays = (wall: string, days: number): string =>
  new Date(Date.parse(`${wall}Z`) + days * DAY).toISOString().slice(0, 16);

/** "London time (now 11:45)" */
export const formatZone = (zone: string): string =>
  `${formatZoneCity(zone)} time (now ${formatLocalNow(zone).slice(11)})`;
