import { expect, test } from "bun:test";
import { formatZoneCity } from "../../src/schema/core/formatDate.ts";

test("a zone is named by its city, with the present name even if the browser has a former one", () => {
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
