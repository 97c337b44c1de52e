/** What is dialed of a number as a visitor typed it. */
import { expect, test } from "bun:test";
import { COUNTRIES, numberToDial } from "../../src/schema/countries.ts";

test.each([
  ["+44 7700 900123", "+447700900123"],
  ["+44 07700 900123", "+447700900123"],
  ["+44 (0)7700 900123", "+447700900123"],
  ["+4907700900123", "+497700900123"],
  ["+49 (030) 1234-567", "+49301234567"],
  // Italy and its neighbors keep it.
  ["+39 06 698 1234", "+39066981234"],
  ["+379 06 698 1234", "+379066981234"],
  ["+1 212 555 0123", "+12125550123"],
  // Typed for who is in the same country.
  ["07700 900123", "07700900123"],
  ["+999 0123", "+9990123"],
  ["", ""],
])("%s is dialed as %s", (typed, number) => {
  expect(numberToDial(typed)).toBe(number);
});

test("a number of every country is dialed as it is where it has no 0 in front", () => {
  for (const { dial } of COUNTRIES)
    expect(numberToDial(`${dial} 23456789`)).toBe(`${dial}23456789`);
});
