/** Durations, and stored timestamps, in milliseconds. */
export { DAY, HOUR, MINUTE, SECOND } from "../../schema/core/time.ts";

/** Converts a stored timestamp to milliseconds. Null becomes NaN, which is neither before nor after any time. */
export const parseTimestamp = (timestamp: string | null): number =>
  timestamp === null ? Number.NaN : Date.parse(timestamp);
