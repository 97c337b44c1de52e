/** Formats dates and time zones for people. */

/** Formats an ISO date in a language, such as 14 March 2027; an invalid date is returned unchanged. */
export function formatDay(day: string, locale = "en"): string {
  const date = new Date(`${day}T00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const formatLocale = locale === "en" ? "en-GB" : locale;
  return new Intl.DateTimeFormat(formatLocale, { dateStyle: "long", timeZone: "UTC" }).format(date);
}

/** The current names of cities whose old names are still in the time zones of many browsers (CLDR). */
const RENAMED_CITIES: Readonly<Record<string, string>> = {
  Asmera: "Asmara",
  Calcutta: "Kolkata",
  Coral_Harbour: "Atikokan",
  Enderbury: "Kanton",
  Faeroe: "Faroe",
  Godthab: "Nuuk",
  Ho_Chi_Minh: "Ho Chi Minh City",
  Katmandu: "Kathmandu",
  Kiev: "Kyiv",
  Ponape: "Pohnpei",
  Rangoon: "Yangon",
  Saigon: "Ho Chi Minh City",
  Truk: "Chuuk",
};

/** Returns the city of a time zone, such as New York for America/New_York. */
export function formatZoneCity(zone: string): string {
  const city = zone.replace(/^.*\//, "");
  return (RENAMED_CITIES[city] ?? city).replaceAll("_", " ");
}
