/** Tells whether an event is over. In localTime.ts, it would enlarge the file that the dashboard loads first. */
import type { Item } from "../../schema/index.ts";
import { DEFAULT_EVENT_MS } from "../../schema/sections/eventTimes.ts";
import { formatLocalNow } from "./localTime.ts";

/** Whether an event is over in its own time zone. Unlike the server (`computeEventEnd`), it ignores clock changes. */
export function isEventOver(event: Item<"events">, zone: string): boolean {
  const { startsAt, endsAt, allDay, timeZone } = event;
  const now = formatLocalNow(timeZone || zone);
  if (allDay) return (endsAt ?? startsAt).slice(0, 10) < now.slice(0, 10);
  if (endsAt) return endsAt <= now;
  return Date.parse(`${startsAt}Z`) + DEFAULT_EVENT_MS <= Date.parse(`${now}Z`);
}
