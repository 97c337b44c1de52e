/** What clocks on the wall show in a time zone, for browsers, of which not all have Temporal. */

/** Longer than from one change of the clocks to the hours that it is about. */
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

/** What is shown at an instant (milliseconds since 1970), as it is stored: `2027-03-14T20:00`. */
export function wallAt(instant: number, zone: string): string {
  const said = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  return `${said["year"]}-${said["month"]}-${said["day"]}T${said["hour"]}:${said["minute"]}`;
}

/** What is shown now; in a zone that this browser doesn't know, the time where it is. */
export function nowIn(zone: string): string {
  const now = Date.now();
  try {
    return wallAt(now, zone);
  } catch {
    return wallAt(now, new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }
}

/** What a time counts as that clocks don't show, since they are put forward over it; undefined for any other. */
export function countsAs(wall: string, zone: string): string | undefined {
  const asUtc = Date.parse(`${wall}Z`);
  const readings = [-DAY, DAY].map((by) => {
    const near = asUtc + by;
    const offset = Date.parse(`${wallAt(near, zone)}Z`) - near;
    return wallAt(asUtc - offset, zone);
  });
  return readings.includes(wall) ? undefined : readings[0];
}
