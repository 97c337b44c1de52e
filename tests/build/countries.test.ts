import { expect, test } from "bun:test";
import { createCountryTableSource } from "../../src/build/countries.ts";
import { COUNTRIES, DEFAULT_DIAL_COUNTRY } from "../../src/schema/core/countries.ts";

test("the country list matches the phone metadata and the country names", async () => {
  const committed = Bun.file(new URL("../../src/schema/core/countryTable.ts", import.meta.url));
  expect(await committed.text()).toBe(createCountryTableSource());
});

test("the country list has about 240 entries, each with an ISO code, a name and a dial prefix", () => {
  expect(COUNTRIES.length).toBeWithin(235, 256);
  for (const { code, name, dial } of COUNTRIES) {
    expect(code).toMatch(/^[A-Z]{2}$/);
    expect(name.length).toBeGreaterThan(2);
    expect(dial).toMatch(/^\+\d{1,3}$/);
  }
  expect(new Set(COUNTRIES.map(({ name }) => name)).size).toBe(COUNTRIES.length);
});

test("the default phone prefix is the United Kingdom's", () => {
  const country = COUNTRIES.find(({ code }) => code === DEFAULT_DIAL_COUNTRY);
  expect(country).toEqual({ code: "GB", name: "United Kingdom", dial: "+44" });
});
