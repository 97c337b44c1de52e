/** Dates and time zones for people. */

/** Formats an ISO date in a language, such as 14 March 2027; an invalid date is returned unchanged. */
export function formatDay(day: string, locale = "en"): string {
  const date = new Date(`${day}T00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const name = locale === "en" ? "en-GB" : locale;
  return new Intl.DateTimeFormat(name, { dateStyle: "long", timeZone: "UTC" }).format(date);
}

/** A time zone's city: New York, from America/New_York. */
export const formatZoneCity = (zone: string): string =>
  zone.replace(/^.*\//, "").replaceAll("_", " ");
