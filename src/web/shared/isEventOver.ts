/** Separate from localTime.ts, which is in the dashboard's first file, since that file doesn't need this function. */
import type { Item } from "../../schema/index.ts";
import { DEFAULT_EVENT_MS } from "../../schema/sections/eventTimes.ts";
import { formatLocalNow } from "./localTime.ts";

/**
 * Whether an event is over by its own local time. An event without an end lasts three hours. The server also accounts
 * for hours that a clock change skips (`computeEventEnd`); in the dashboard such an event may be over an hour earlier.
 */
export function isEventOver(event: Item<"events">, zone: string): boolean {
  const { startsAt, endsAt, allDay, timeZone } = event;
  const now = formatLocalNow(timeZone || zone);
  if (allDay) return (endsAt ?? startsAt).slice(0, 10) < now.slice(0, 10);
  if (endsAt) return endsAt <= now;
  return Date.parse(`${startsAt}Z`) + DEFAULT_EVENT_MS <= Date.parse(`${now}Z`);
}
