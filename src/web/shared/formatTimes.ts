/** Formats dates and times for the dashboard: instants in the site's time zone, local times unchanged. */
import { DAY } from "../../schema/core/time.ts";
import { getBrowserTimeZone, formatLocalTime } from "./localTime.ts";

/** The site's time zone. Until it is loaded, or if this browser doesn't support it, the browser's time zone. */
let currentZone = getBrowserTimeZone();

export function setTimeZone(siteZone: string): void {
  try {
    formatLocalTime(0, siteZone);
    currentZone = siteZone;
  } catch {
    currentZone = getBrowserTimeZone();
  }
}

const createDateFormatter = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const formatIn = (timeZone: string) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  let [formatter, formatterZone] = [formatIn(currentZone), currentZone];
  return (iso: string) => {
    if (formatterZone !== currentZone)
      [formatter, formatterZone] = [formatIn(currentZone), currentZone];
    return formatter.format(new Date(iso));
  };
};

/** Returns a time such as "09:14". */
export const formatTime = createDateFormatter("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Returns a date such as "18 Nov 2024". */
export const formatDate = createDateFormatter("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** Returns a date such as "18 November". */
export const formatDayAndLongMonth = createDateFormatter("en-GB", {
  day: "numeric",
  month: "long",
});

/** Returns a date such as "Monday 18 Nov". */
export const formatWeekday = createDateFormatter("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "short",
});

/** Returns a date such as "Nov 18, 2024", for lists (specification, section 6.8). */
export const formatListDate = createDateFormatter("en-US", { dateStyle: "medium" });

const formatDateThisYear = createDateFormatter("en-GB", { day: "numeric", month: "short" });

/** Returns a time such as "Today, 09:14", "18 Nov, 11:02" or "18 Nov 2024, 11:02". */
export const formatRelativeDateTime = (iso: string) =>
  `${formatRelativeDay(iso)}, ${formatTime(iso)}`;

/** Like `formatRelativeDateTime`, but for the middle of a sentence: "today, 09:14". */
export function formatRelativeDateTimeInSentence(iso: string): string {
  const formatted = formatRelativeDateTime(iso);
  return formatted.charAt(0).toLowerCase() + formatted.slice(1);
}

/** Returns a day such as "Today", "Yesterday", "18 Nov" or "18 Nov 2024". */
export function formatRelativeDay(iso: string): string {
  const day = toIsoDay(new Date(iso));
  if (day === formatIsoDayAfter(0)) return "Today";
  if (day === formatIsoDayAfter(-1)) return "Yesterday";
  return day.slice(0, 4) === formatIsoDayAfter(0).slice(0, 4)
    ? formatDateThisYear(iso)
    : formatDate(iso);
}

/** Returns the date this many days after today, such as "2027-03-14". */
export function formatIsoDayAfter(days: number): string {
  const today = Date.parse(toIsoDay(new Date()));
  return new Date(today + days * DAY).toISOString().slice(0, 10);
}

/** Returns a date such as "2027-03-14", in the time zone of the dashboard. */
export const toIsoDay = (date: Date) => formatIsoDateTime(date).slice(0, 10);

/** Returns a time such as "2027-03-14 20:00:00". */
export const formatIsoDateTime = (date: Date): string =>
  `${formatLocalTime(date.getTime(), currentZone).replace("T", " ")}:${String(date.getSeconds()).padStart(2, "0")}`;

/** Returns "Sun 14 Mar" for 2027-03-14T20:00 or 2027-03-14, with the year if it isn't the year of `now`. */
export function formatLocalDay(localTime: string, now = localTime): string {
  const { weekday, day, month } = formatLocalDateParts(localTime, now);
  return `${weekday} ${day} ${month}`;
}

/** Returns a local time such as "Sun 14 Mar, 20:00". */
export const formatLocalDateTime = (localTime: string, now = localTime) =>
  `${formatLocalDay(localTime, now)}, ${localTime.slice(11)}`;

/** Returns the parts of a local date separately, since browsers differ in the separators. */
export function formatLocalDateParts(localTime: string, now = localTime) {
  const formatPart = (options: Intl.DateTimeFormatOptions) =>
    createDateFormatter("en-GB", { ...options, timeZone: "UTC" })(localTime.slice(0, 10));
  const year = localTime.slice(0, 4) === now.slice(0, 4) ? "" : ` ${localTime.slice(0, 4)}`;
  return {
    weekday: formatPart({ weekday: "short" }),
    day: formatPart({ day: "numeric" }),
    month: formatPart({ month: "short" }) + year,
  };
}
