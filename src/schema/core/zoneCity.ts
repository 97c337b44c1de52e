/** Cities by the former names that browsers and this program's runtime still list: their zones' first names (CLDR). */
const RENAMED_CITIES: Readonly<Record<string, string>> = {
  Asmera: "Asmara",
  Calcutta: "Kolkata",
  Coral_Harbour: "Atikokan",
  Enderbury: "Kanton",
  Faeroe: "Faroe",
  Godthab: "Nuuk",
  Katmandu: "Kathmandu",
  Kiev: "Kyiv",
  Ponape: "Pohnpei",
  Rangoon: "Yangon",
  Saigon: "Ho Chi Minh City",
  Truk: "Chuuk",
};

/** A time zone's city for people: New York, from America/New_York. */
export function formatZoneCity(zone: string): string {
  const city = zone.replace(/^.*\//, "");
  return (RENAMED_CITIES[city] ?? city).replaceAll("_", " ");
}
