import { expect, test } from "bun:test";
import { formatZoneCity } from "../../src/schema/core/formatDate.ts";

test("a time zone is shown by its city's present name, even if the browser uses a former name", () => {
  const cities = {
    "America/New_York": "New York",
    "America/Argentina/Buenos_Aires": "Buenos Aires",
    "Europe/Kiev": "Kyiv",
    "Europe/Kyiv": "Kyiv",
    "Asia/Calcutta": "Kolkata",
    "Asia/Saigon": "Ho Chi Minh City",
    "Asia/Ho_Chi_Minh": "Ho Chi Minh City",
    UTC: "UTC",
  };
  const zones = Object.keys(cities);
  expect(Object.fromEntries(zones.map((zone) => [zone, formatZoneCity(zone)]))).toEqual(cities);
});
