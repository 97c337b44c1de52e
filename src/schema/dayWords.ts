/** Formats a date for people. */

/** 14 March 2027, from an ISO date; an invalid one is returned unchanged. */
export function dayWords(day: string): string {
  const date = new Date(`${day}T00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(date);
}
