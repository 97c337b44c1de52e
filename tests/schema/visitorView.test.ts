import { describe, expect, test } from "bun:test";
import { entities } from "../../src/schema/index.ts";
import { initialValues } from "../../src/schema/entities/check.ts";
import { visitorView } from "../../src/schema/entities/visitorView.ts";

const NOW = { on: [], now: Date.now(), zone: "UTC" };

describe("what visitors see", () => {
  test("has no field that this release doesn't know: it may be the owner's own in the one that wrote it", () => {
    const hero = { ...initialValues(entities.hero.fields), whispered: "only the owner knows" };
    expect(visitorView(entities.hero, hero, NOW)).not.toHaveProperty("whispered");
    const feature = { ...initialValues(entities.pressFeatures.fields), id: "1", whispered: "so" };
    const [shown] = visitorView(entities.pressFeatures, [feature], NOW);
    expect(shown).not.toHaveProperty("whispered");
    expect(shown).toHaveProperty("id", "1");
  });

  test("has all that it knows, in its order", () => {
    const hero = initialValues(entities.hero.fields);
    expect(Object.entries(visitorView(entities.hero, hero, NOW))).toEqual(Object.entries(hero));
  });
});
