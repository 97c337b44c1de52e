/** A new section can be edited as soon as it is declared. */
import { expect, test } from "bun:test";
import {
  DEFAULT_ARRANGEMENT,
  collection,
  singleton,
} from "../../../../src/schema/entities/entity.ts";
import { order, text } from "../../../../src/schema/kinds/fields.ts";
import { EXTRAS } from "../../../../src/schema/sections/extras.ts";
import { EXTRA_TABS } from "../../../../src/web/admin/tabs/extraTabs.ts";
import {
  groupBySection,
  type Tab,
  tabs,
  findTabsForRole,
} from "../../../../src/web/admin/tabs/tabs.ts";

const fields = { name: text("Name"), order: order() };
const hero = singleton("hero", "Hero", { fields });
const tourDates = collection("tourDates", "Tour date", {
  arrangement: DEFAULT_ARRANGEMENT,
  fields,
});
const stories = collection("stories", "Story", {
  plural: "Stories",
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "storySettings",
  fields,
});
const storySettings = singleton("storySettings", "Story settings", { fields });

test("entities are grouped into tabs by their declared section, in the order of declaration", () => {
  expect(groupBySection([hero, tourDates])).toEqual([
    { key: "hero", label: "Hero", entityKeys: ["hero"] },
    { key: "tour-dates", label: "Tour dates", entityKeys: ["tourDates"] },
  ]);
});

test("settings that a list declares are in the list's tab", () => {
  expect(groupBySection([storySettings, stories])).toEqual([
    { key: "stories", label: "Stories", entityKeys: ["storySettings", "stories"] },
  ]);
});

test("settings that no list declares have a tab of their own", () => {
  expect(groupBySection([storySettings])).toEqual([
    { key: "story-settings", label: "Story settings", entityKeys: ["storySettings"] },
  ]);
});

test("the dashboard's tabs are in the order of the pages' sections, followed by the other tabs", () => {
  expect(tabs.map(({ key }) => key).join()).toBe(
    "hero,about,statistics,highlights,connect,press,coaching,email,forms,styles,files",
  );
});

test("the tabs of added extra sections follow the tabs of the built-in sections", () => {
  const at = (added: readonly Tab[]) =>
    findTabsForRole("editor", added)
      .map(({ key }) => key)
      .slice(7, -2);
  expect(at([])).toEqual(["forms", "styles"]);
  expect(at(EXTRA_TABS)).toEqual([...EXTRAS.map(({ key }) => key), "forms", "styles"]);
  expect(findTabsForRole("reader", []).map(({ key }) => key)).not.toContain("add");
});
