/** Time zones for what goes by the day: in these none ends while a test runs, whenever that is. */

const hour = new Date().getUTCHours();
const zone = (ahead: number) => `Etc/GMT${ahead < 0 ? "+" : "-"}${Math.abs(ahead)}`;

/** Where it is about noon. */
export const NOON = zone(12 - hour);

/** Where it is the next day by then, or the one before. */
export const ANOTHER_DAY = zone(hour < 12 ? -12 : 14);
