/** Formats a date for people. */

/** 14 March 2027, from an ISO date, or as the language has it; an invalid one is returned unchanged. */
export function formatDay(day: string, locale = "en"): string {
  const date = new Date(`${day}T00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const name = locale === "en" ? "en-GB" : locale;
  return new Intl.DateTimeFormat(name, { dateStyle: "long", timeZone: "UTC" }).format(date);
}
