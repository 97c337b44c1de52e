/** Everything that a declaration refers to exists. */
import { expect, test } from "bun:test";
import { DEFAULT_ARRANGEMENT, computePositionAfterLast } from "../../src/schema/entities/entity.ts";
import { type Fields, MAX_ORDER } from "../../src/schema/kinds/fields.ts";
import * as declared from "../../src/schema/kinds/fields.ts";
import { FRESHNESS_MS } from "../../src/schema/api/freshness.ts";
import { allEntities, entities, findEntityByKey } from "../../src/schema/index.ts";
import { toEntityName } from "../../src/schema/entities/entity.ts";
import { createPreviewHint } from "../../src/schema/entities/sectionTab.ts";

test("each entity is registered under its key, and has a name made from the key", () => {
  for (const [key, entity] of Object.entries(entities)) {
    expect([entity.key, entity.name]).toEqual([key, toEntityName(key)]);
  }
  expect(entities.pressFeatures.name).toBe("press-features");
});

test("every field has a declared kind, and no two kinds have the same name", () => {
  const kinds = allEntities.flatMap(({ fields }) =>
    Object.values(fields as Fields).map(({ kind }) => kind),
  );
  const exported: readonly unknown[] = Object.values(declared);
  for (const kind of kinds) expect(exported).toContain(kind);
  expect(new Set(kinds.map(({ name }) => name)).size).toBe(new Set(kinds).size);
});

test("a list's parent is a collection, and its settings are a singleton", () => {
  for (const entity of allEntities) {
    if (entity.shape === "singleton") continue;
    if (entity.parent) expect(findEntityByKey(entity.parent.entity)?.shape).toBe("collection");
    if (entity.shape === "collection" && entity.settingsKey)
      expect(findEntityByKey(entity.settingsKey)?.shape).toBe("singleton");
  }
});

test("a section's tab names only fields of the section", () => {
  for (const { fields, tab } of allEntities) {
    const { formRows, fold, fieldsSentIfSet, fieldsRequiredToSave, rowFields } = tab ?? {};
    const inRow = [rowFields?.picture, rowFields?.title || undefined, rowFields?.line];
    const lists = [...(formRows ?? []), fold?.fields, fieldsSentIfSet, fieldsRequiredToSave];
    const inForm = lists.flatMap((names) => names ?? []);
    for (const name of [...inRow, ...inForm])
      if (name !== undefined) expect(Object.keys(fields)).toContain(name);
  }
});

test("a new item is placed after the last item, also after deletions", () => {
  const positionAfter = (...positions: number[]) =>
    computePositionAfterLast(
      DEFAULT_ARRANGEMENT,
      positions.map((order) => ({ order })),
    );
  expect([
    positionAfter(),
    positionAfter(0, 1),
    positionAfter(2, 3),
    positionAfter(0, 0, 0),
    positionAfter(MAX_ORDER),
  ]).toEqual([0, 2, 4, 3, MAX_ORDER]);
  const steps = [{ stepOrder: 3 }, { stepOrder: 4 }];
  const { arrangement } = entities.formSteps;
  expect([
    computePositionAfterLast(arrangement!, []),
    computePositionAfterLast(arrangement!, steps),
  ]).toEqual([1, 5]);
});

test("entities that store a visitor's IP address and browser declare when the retention starts", () => {
  const traced = allEntities.filter(({ fields }) =>
    Object.values(fields as Fields).some(({ personal }) => personal === "trace"),
  );
  expect(traced.map(({ key }) => key)).toEqual([
    "formSubmissions",
    "emailSubscriptions",
    "auditLog",
  ]);
  for (const entity of traced) {
    const { collectedAtField: collectedAt = "", keys = [] } =
      entity.shape === "records" ? entity : {};
    expect(keys as readonly string[]).toContain(collectedAt);
    const names = Object.keys(entity.fields).filter(
      (name) => (entity.fields as Fields)[name]!.personal === "trace",
    );
    expect(names.some((name) => (keys as readonly string[]).includes(name))).toBe(true);
  }
});

test("the entity for forms is the only one that has a field with its own permission", () => {
  const guarded = allEntities.filter(({ fields }) =>
    Object.values(fields as Fields).some(({ permission }) => permission !== undefined),
  );
  expect(guarded.map(({ key, shape }) => [key, shape])).toEqual([["forms", "collection"]]);
});

test("exactly the cache times of the specification are declared", () => {
  const minutes = 60_000;
  expect(FRESHNESS_MS).toEqual({
    about: 5 * minutes,
    statistics: 5 * minutes,
    transformations: 0,
    transformationSettings: 5 * minutes,
  });
});

test("the hint in an empty preview names the item to add", () => {
  const { connectLinks, events } = entities;
  expect(createPreviewHint(events)).toBe("Add your first event to preview it here.");
  expect(createPreviewHint(connectLinks)).toBe("Add your first link to preview it here.");
});
