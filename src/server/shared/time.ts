/** Durations, and stored moments, in milliseconds. */
export { DAY, HOUR, MINUTE, SECOND } from "../../schema/core/time.ts";

/** A stored moment in milliseconds; NaN for null, which compares as neither before nor after. */
export const parseTimestamp = (timestamp: string | null): number =>
  timestamp === null ? Number.NaN : Date.parse(timestamp);
