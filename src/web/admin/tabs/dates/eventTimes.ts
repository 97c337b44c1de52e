/** The times of events: their zone, and a copy a week later. */
import type { Item } from "../../../../schema/index.ts";
import { DAY } from "../../../../schema/core/time.ts";
import { formatZoneCity } from "../../../../schema/core/formatDate.ts";
import { formatLocalNow } from "../../../shared/localTime.ts";

type DateEvent = Item<"events">;

/** Returns a copy of an event one week later, without its status and display period. */
export function copyToNextWeek(event: DateEvent): Partial<DateEvent> {
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

const addDays = (localTime: string, days: number): string =>
  new Date(Date.parse(`${localTime}Z`) + days * DAY).toISOString().slice(0, 16);

/** Returns the zone's city and current time, such as "London time (now 11:45)". */
export const formatZoneWithTime = (zone: string): string =>
  `${formatZoneCity(zone)} time (now ${formatLocalNow(zone).slice(11)})`;
