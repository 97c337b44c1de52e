/** A new section is edited as soon as it is declared (design.md section 1, promise 5). */
import { expect, test } from "bun:test";
import { entitiesWithoutTab } from "../../../../src/web/admin/tabs/tabs.ts";

test("an entity that no tab edits gets a tab from its declaration", () => {
  expect(entitiesWithoutTab(["hero", "tourDates"], ["hero"])).toEqual([
    { key: "tourDates", label: "Tour dates", edits: ["tourDates"] },
  ]);
});

test("its settings stand in the same tab", () => {
  const keys = ["testimonials", "testimonialSettings", "hero"];
  expect(entitiesWithoutTab(keys, ["hero"])).toEqual([
    { key: "testimonials", label: "Testimonials", edits: ["testimonials", "testimonialSettings"] },
  ]);
});

test("settings without what they belong to stand alone", () => {
  expect(entitiesWithoutTab(["styleSettings"], [])).toEqual([
    { key: "styleSettings", label: "Style settings", edits: ["styleSettings"] },
  ]);
});

test("nothing is left over when every entity has its tab", () => {
  expect(entitiesWithoutTab(["hero", "about"], ["about", "hero"])).toEqual([]);
});
