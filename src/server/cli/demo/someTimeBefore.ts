// Dates for sample data: so many days (fractions allowed) before a given moment.

const dayInMilliseconds = 24 * 60 * 60 * 1000;

/** The moment `days` before `now`. */
export function someTimeBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - Math.round(days * dayInMilliseconds));
}
