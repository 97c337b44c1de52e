/** The page of a section that can be on the home page, the coaching page or both. */
import { expect, test } from "bun:test";
import {
  type SectionPage,
  createSectionPlaceField,
  isOnPage,
} from "../../src/schema/sections/sectionSettings.ts";

const PAGES: readonly SectionPage[] = ["home", "coaching"];
const findPages = (settings?: object) => PAGES.filter((page) => isOnPage(page, settings));

test("A section is on the coaching page, on the home page or on both, as its settings say.", () => {
  const { initial, choices = [] } = createSectionPlaceField();
  expect(initial).toBe("coaching");
  expect(choices.map(({ value, label }) => [label, findPages({ place: value })])).toEqual([
    ["Coaching page", ["coaching"]],
    ["Home page", ["home"]],
    ["Both pages", ["home", "coaching"]],
  ]);
});

test("A section is on neither page until its settings are loaded.", () => {
  expect([findPages({ heading: "DATES" }), findPages()]).toEqual([[], []]);
});
