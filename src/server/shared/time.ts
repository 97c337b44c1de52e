/** Durations, and stored timestamps, in milliseconds. */
export { DAY, HOUR, MINUTE, SECOND } from "../../schema/core/time.ts";

/** A stored timestamp in milliseconds; NaN for null, which compares as neither before nor after. */
export const parseTimestamp = (timestamp: string | null): number =>
  timestamp === null ? Number.NaN : Date.parse(timestamp);
