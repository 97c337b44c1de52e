/** Durations in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A stored moment in milliseconds; NaN for null, which compares as neither before nor after. */
export const timeOf = (moment: string | null): number =>
  moment === null ? Number.NaN : Date.parse(moment);
