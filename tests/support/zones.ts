/** A time zone for tests that depend on the day: no day ends there while a test runs. */

const hoursUntilNoon = 12 - new Date().getUTCHours();

/** A zone where it is about noon. */
export const NOON_ZONE = `Etc/GMT${hoursUntilNoon < 0 ? "+" : "-"}${Math.abs(hoursUntilNoon)}`;
