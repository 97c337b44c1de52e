/** A file of its own, since the dashboard's first file contains localTime.ts and doesn't need this. */
import type { Item } from "../../schema/index.ts";
import { DEFAULT_EVENT_MS } from "../../schema/sections/eventTimes.ts";
import { formatLocalNow } from "./localTime.ts";

/**
 * Whether an event is over by its own local time. Without an end, it lasts three hours. The server also counts with
 * hours that a clock change skips (`computeEventEnd`); in the dashboard such an event may be over an hour earlier.
 */
export function isEventOver(event: Item<"events">, zone: string): boolean {
  const { startsAt, endsAt, allDay, timeZone } = event;
  const now = formatLocalNow(timeZone || zone);
  if (allDay) return (endsAt ?? startsAt).slice(0, 10) < now.slice(0, 10);
  if (endsAt) return endsAt <= now;
  return Date.parse(`${startsAt}Z`) + DEFAULT_EVENT_MS <= Date.parse(`${now}Z`);
}
