import { describe, expect, test } from "bun:test";
import { entities } from "../../src/schema/index.ts";
import { getInitialValues } from "../../src/schema/entities/check.ts";
import { createVisitorView } from "../../src/schema/entities/visitorView.ts";

const NOW = { enabledExtras: [], now: Date.now(), zone: "UTC" };

describe("the data that visitors get", () => {
  test("has no unknown field, since a field of another release may be owner-only", () => {
    const hero = { ...getInitialValues(entities.hero.fields), whispered: "only the owner knows" };
    expect(createVisitorView(entities.hero, hero, NOW)).not.toHaveProperty("whispered");
    const feature = {
      ...getInitialValues(entities.pressFeatures.fields),
      id: "1",
      whispered: "so",
    };
    const [shown] = createVisitorView(entities.pressFeatures, [feature], NOW);
    expect(shown).not.toHaveProperty("whispered");
    expect(shown).toHaveProperty("id", "1");
  });

  test("has all known public fields, in their declared order", () => {
    const hero = getInitialValues(entities.hero.fields);
    expect(Object.entries(createVisitorView(entities.hero, hero, NOW))).toEqual(
      Object.entries(hero),
    );
  });
});
