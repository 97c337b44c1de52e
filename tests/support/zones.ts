/** A time zone for what goes by the day: in it none ends while a test runs, whenever that is. */

const ahead = 12 - new Date().getUTCHours();

/** Where it is about noon. */
export const NOON = `Etc/GMT${ahead < 0 ? "+" : "-"}${Math.abs(ahead)}`;
