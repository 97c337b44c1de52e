/** Durations in milliseconds, and the parser of stored timestamps. */
export { DAY, HOUR, MINUTE, SECOND } from "../../schema/core/time.ts";

/** Converts a stored timestamp to milliseconds since 1970. Returns NaN for null; any comparison with NaN is false. */
export const parseTimestamp = (timestamp: string | null): number =>
  timestamp === null ? Number.NaN : Date.parse(timestamp);
