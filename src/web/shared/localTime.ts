/** Local times in a time zone, without Temporal, which not all browsers have. */
import { DAY, HOUR } from "../../schema/core/time.ts";

const formatCache = new Map<string, Intl.DateTimeFormat>();

function getFormat(zone: string): Intl.DateTimeFormat {
  const cached = formatCache.get(zone);
  if (cached) return cached;
  const parts = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  const format = new Intl.DateTimeFormat("en-GB", { ...parts, hourCycle: "h23", timeZone: zone });
  formatCache.set(zone, format);
  return format;
}

/** Returns the local time of an instant (milliseconds since 1970), in its stored form: `2027-03-14T20:00`. */
export function formatLocalTime(instant: number, zone: string): string {
  const parts = Object.fromEntries(
    getFormat(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts["year"]}-${parts["month"]}-${parts["day"]}T${parts["hour"]}:${parts["minute"]}`;
}

/** Returns the current local time in a zone. If the zone is unknown, the browser's zone is used. */
export function formatLocalNow(zone: string): string {
  const now = Date.now();
  try {
    return formatLocalTime(now, zone);
  } catch {
    return formatLocalTime(now, getBrowserTimeZone());
  }
}

export const getBrowserTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Returns the instant of a local time, in milliseconds since 1970. A time that a clock change skips is moved an hour
 * later, as on the server. For a repeated time, returns the first instant.
 */
export function parseLocalTime(localTime: string, zone: string): number {
  const asUtc = Date.parse(`${localTime}Z`);
  const applyOffsetAt = (instant: number) =>
    asUtc - (Date.parse(`${formatLocalTime(instant, zone)}Z`) - instant);
  const [before, after] = [applyOffsetAt(asUtc - DAY), applyOffsetAt(asUtc + DAY)];
  return formatLocalTime(before, zone) !== localTime && formatLocalTime(after, zone) === localTime
    ? after
    : before;
}

/** Returns the local time that replaces a time skipped by a clock change; undefined if the time isn't skipped. */
export function resolveSkippedTime(localTime: string, zone: string): string | undefined {
  const resolved = formatLocalTime(parseLocalTime(localTime, zone), zone);
  return resolved === localTime ? undefined : resolved;
}

/** Returns the local time that replaces a skipped time; other times, and times in unsupported zones, unchanged. */
export function replaceSkippedTime(localTime: string, zone: string): string {
  try {
    return resolveSkippedTime(localTime, zone) ?? localTime;
  } catch {
    return localTime;
  }
}

/** Returns the next full hour that clocks show after a time; after the current UTC time if the text isn't a time. */
export function findNextFullHour(localTime: string, zone: string): string {
  const asUtc = Date.parse(`${replaceSkippedTime(localTime, zone)}Z`);
  const start = Number.isNaN(asUtc) ? Date.now() : asUtc;
  const next = (Math.floor(start / HOUR) + 1) * HOUR;
  return replaceSkippedTime(new Date(next).toISOString().slice(0, 16), zone);
}
