/** On which page a section stands that may be on either. */
import { expect, test } from "bun:test";
import {
  type SectionPage,
  sectionPlace,
  isOnPage,
} from "../../src/schema/sections/sectionPlace.ts";

const PAGES: readonly SectionPage[] = ["home", "coaching"];
const pagesOf = (settings?: object) => PAGES.filter((page) => isOnPage(page, settings));

test("A section stands on the coaching page, on the home page or on both, as its settings say.", () => {
  const { initial, choices = [] } = sectionPlace();
  expect(initial).toBe("coaching");
  expect(choices.map(({ value, label }) => [label, pagesOf({ place: value })])).toEqual([
    ["Coaching page", ["coaching"]],
    ["Home page", ["home"]],
    ["Both pages", ["home", "coaching"]],
  ]);
});

test("As long as its settings aren't known it stands on none.", () => {
  expect([pagesOf({ heading: "DATES" }), pagesOf()]).toEqual([[], []]);
});
