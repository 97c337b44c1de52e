/** A time zone for tests that depend on the day: no day ends there while a test runs. */

const ahead = 12 - new Date().getUTCHours();

/** A zone where it is about noon. */
export const NOON = `Etc/GMT${ahead < 0 ? "+" : "-"}${Math.abs(ahead)}`;
