/** Dates and times as the dashboard writes them: points in time in the site's zone, local times unchanged. */
import { DAY } from "../../schema/core/time.ts";
import { wallAt } from "./wallClock.ts";

/** The site's, once it is loaded; before, and if this browser doesn't support it, the browser's. */
let zone = browsersZone();

function browsersZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** From now on times are written in this zone: everybody who runs a site speaks of the same hours. */
export function writeTimesIn(sites: string): void {
  try {
    wallAt(0, sites);
    zone = sites;
  } catch {
    zone = browsersZone();
  }
}

const written = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const formatIn = (timeZone: string) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  let [format, madeFor] = [formatIn(zone), zone];
  return (iso: string) => {
    if (madeFor !== zone) [format, madeFor] = [formatIn(zone), zone];
    return format.format(new Date(iso));
  };
};

/** "09:14" */
export const timeOf = written("en-GB", { hour: "2-digit", minute: "2-digit" });

/** "18 Nov 2024" */
export const dateOf = written("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** "18 November" */
export const dayAndMonthOf = written("en-GB", { day: "numeric", month: "long" });

/** "Monday 18 Nov" */
export const weekdayOf = written("en-GB", { weekday: "long", day: "numeric", month: "short" });

/** "Nov 18, 2024", as lists have it (specification, section 6.8). */
export const listedDateOf = written("en-US", { dateStyle: "medium" });

const thisYear = written("en-GB", { day: "numeric", month: "short" });

/** "Today, 09:14", "18 Nov, 11:02", "18 Nov 2024, 11:02" */
export const when = (iso: string) => `${dayOf(iso)}, ${timeOf(iso)}`;

/** Like `when`, within a sentence: "today, 09:14". */
export function whenInside(iso: string): string {
  const formatted = when(iso);
  return formatted.charAt(0).toLowerCase() + formatted.slice(1);
}

/** "Today", "Yesterday", "18 Nov", "18 Nov 2024" */
export function dayOf(iso: string): string {
  const day = isoDay(new Date(iso));
  if (day === dayIn(0)) return "Today";
  if (day === dayIn(-1)) return "Yesterday";
  return day.slice(0, 4) === dayIn(0).slice(0, 4) ? thisYear(iso) : dateOf(iso);
}

/** "2027-03-14": this many days from today. */
export function dayIn(days: number): string {
  const today = Date.parse(isoDay(new Date()));
  return new Date(today + days * DAY).toISOString().slice(0, 10);
}

/** "2027-03-14" */
export const isoDay = (date: Date) => isoDateTime(date).slice(0, 10);

/** "2027-03-14 20:00:00" */
export const isoDateTime = (date: Date): string =>
  `${wallAt(date.getTime(), zone).replace("T", " ")}:${String(date.getSeconds()).padStart(2, "0")}`;

/** "Sun 14 Mar": a local day (2027-03-14) or time (2027-03-14T20:00), with the year if it isn't that of `now`. */
export function wallDay(wall: string, now = wall): string {
  const { weekday, day, month } = wallParts(wall, now);
  return `${weekday} ${day} ${month}`;
}

/** "Sun 14 Mar, 20:00" */
export const wallDateTime = (wall: string, now = wall) =>
  `${wallDay(wall, now)}, ${wall.slice(11)}`;

/** Each part separately: browsers differ in separators. */
export function wallParts(wall: string, now = wall) {
  const part = (options: Intl.DateTimeFormatOptions) =>
    written("en-GB", { ...options, timeZone: "UTC" })(wall.slice(0, 10));
  const year = wall.slice(0, 4) === now.slice(0, 4) ? "" : ` ${wall.slice(0, 4)}`;
  return {
    weekday: part({ weekday: "short" }),
    day: part({ day: "numeric" }),
    month: part({ month: "short" }) + year,
  };
}
