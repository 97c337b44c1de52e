/** Countries as visitors type their names (specification, section 5.3). */
import { expect, test } from "bun:test";
import { COUNTRIES } from "../../../src/schema/core/countries.ts";
import { searchCountries } from "../../../src/web/site/enquiry/countrySearch.tsx";

const LISTED = COUNTRIES.map((country) => ({ ...country, localName: country.name }));

test.each([
  ["Bosnia and Herzegovina", "Bosnia & Herzegovina"],
  ["trinidad and tobago", "Trinidad & Tobago"],
  ["Bosnia and", "Bosnia & Herzegovina"],
  ["U.S.A.", "United States"],
  ["St. Lucia", "St. Lucia"],
  ["cote divoire", "Côte d’Ivoire"],
  ["Andorra", "Andorra"],
])("a search for the country %s finds %s first", (typed, name) => {
  expect(searchCountries(typed, LISTED)[0]?.name).toBe(name);
});
