/** Local times in a time zone, for browsers, not all of which have Temporal. */

/** Far enough from a time to be past any clock change around it. */
const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const parts = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  const format = new Intl.DateTimeFormat("en-GB", { ...parts, hourCycle: "h23", timeZone: zone });
  formats.set(zone, format);
  return format;
}

/** The local time of an instant (milliseconds since 1970), in its stored form: `2027-03-14T20:00`. */
export function wallAt(instant: number, zone: string): string {
  const said = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  return `${said["year"]}-${said["month"]}-${said["day"]}T${said["hour"]}:${said["minute"]}`;
}

/** The current local time; in an unknown zone, the browser's. */
export function nowIn(zone: string): string {
  const now = Date.now();
  try {
    return wallAt(now, zone);
  } catch {
    return wallAt(now, new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }
}

/** The time that a local time skipped by a clock change counts as; undefined for any other time. */
export function countsAs(wall: string, zone: string): string | undefined {
  const asUtc = Date.parse(`${wall}Z`);
  const readings = [-DAY, DAY].map((by) => {
    const near = asUtc + by;
    const offset = Date.parse(`${wallAt(near, zone)}Z`) - near;
    return wallAt(asUtc - offset, zone);
  });
  return readings.includes(wall) ? undefined : readings[0];
}
