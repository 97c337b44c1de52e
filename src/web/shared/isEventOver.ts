/**
 * Tells whether an event is over. It isn't in localTime.ts, since this would enlarge the file that the dashboard loads
 * first.
 */
import type { Item } from "../../schema/index.ts";
import { DEFAULT_EVENT_MS } from "../../schema/sections/eventTimes.ts";
import { formatLocalNow } from "./localTime.ts";

/**
 * Whether an event is over by its own local time. An event without an end lasts three hours. The server also accounts
 * for an hour that a clock change skips (`computeEventEnd`); here, an event at such a time may be over an hour earlier.
 */
export function isEventOver(event: Item<"events">, zone: string): boolean {
  const { startsAt, endsAt, allDay, timeZone } = event;
  const now = formatLocalNow(timeZone || zone);
  if (allDay) return (endsAt ?? startsAt).slice(0, 10) < now.slice(0, 10);
  if (endsAt) return endsAt <= now;
  return Date.parse(`${startsAt}Z`) + DEFAULT_EVENT_MS <= Date.parse(`${now}Z`);
}
