/** A time zone's city for people: New York, from America/New_York. */
export const formatZoneCity = (zone: string): string =>
  zone.replace(/^.*\//, "").replaceAll("_", " ");
