/** A new section is edited as soon as it is declared. */
import { expect, test } from "bun:test";
import { BY_ORDER, collection, singleton } from "../../../../src/schema/entity.ts";
import { order, text } from "../../../../src/schema/fields.ts";
import { entitiesWithoutTab } from "../../../../src/web/admin/tabs/tabs.ts";

const fields = { name: text("Name"), order: order() };
const hero = singleton("hero", "Hero", { fields });
const tourDates = collection("tourDates", "Tour date", { arrangement: BY_ORDER, fields });
const stories = collection("stories", "Story", {
  plural: "Stories",
  arrangement: BY_ORDER,
  settings: "storySettings",
  fields,
});
const storySettings = singleton("storySettings", "Story settings", { fields });

test("an entity that no tab edits gets a tab from its declaration", () => {
  expect(entitiesWithoutTab([hero, tourDates], ["hero"])).toEqual([
    { key: "tourDates", label: "Tour dates", edits: ["tourDates"] },
  ]);
});

test("the settings that a list declares stand in the same tab", () => {
  expect(entitiesWithoutTab([stories, storySettings, hero], ["hero"])).toEqual([
    { key: "stories", label: "Stories", edits: ["stories", "storySettings"] },
  ]);
});

test("settings that no list declares stand alone", () => {
  expect(entitiesWithoutTab([storySettings], [])).toEqual([
    { key: "storySettings", label: "Story settings", edits: ["storySettings"] },
  ]);
});

test("nothing is left over when every entity has its tab", () => {
  expect(entitiesWithoutTab([hero, tourDates], ["tourDates", "hero"])).toEqual([]);
});
