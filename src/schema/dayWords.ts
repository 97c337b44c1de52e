/** A day as people read it. */

/** 14 March 2027, of an ISO date; what is no day stays as it was sent. */
export function dayWords(day: string): string {
  const date = new Date(`${day}T00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(date);
}
