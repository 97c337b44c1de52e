/** What people call a time zone: the city that it is named after, such as New York of America/New_York. */
export const cityOf = (zone: string): string => zone.replace(/^.*\//, "").replaceAll("_", " ");
