/** Durations, and stored moments, in milliseconds. */
export { DAY, HOUR, MINUTE, SECOND } from "../../schema/core/time.ts";

/** A stored moment in milliseconds; NaN for null, which compares as neither before nor after. */
export const parseTimestamp = (moment: string | null): number =>
  moment === null ? Number.NaN : Date.parse(moment);
