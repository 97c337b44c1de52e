/** Descriptions of a save's changes. */
import { expect, test } from "bun:test";
import { describeChanges } from "../../src/schema/entities/changes.ts";
import { getInitialValues } from "../../src/schema/entities/check.ts";
import { entities } from "../../src/schema/index.ts";

const { hero, about, highlights, connectLinks, forms } = entities;
const createInitial = (entity: { fields: object }) =>
  getInitialValues(entity.fields as never) as object;
const describeHeroChanges = (before: object, after: object) =>
  describeChanges(
    hero,
    { ...createInitial(hero), ...before },
    { ...createInitial(hero), ...after },
  );

test("a change of a short text is described by its old and new text", () => {
  expect(describeHeroChanges({ mainTitle: "Old" }, { mainTitle: "New" })).toEqual([
    'Main Title: "Old" → "New"',
  ]);
  expect(describeHeroChanges({}, {})).toEqual([]);
  expect(describeHeroChanges({ subtitle: "a" }, { subtitle: "b", tagline: "c" })).toEqual([
    'Subtitle: "a" → "b"',
    'Tagline: "Performer • Reality TV Personality • Dreamboy" → "c"',
  ]);
});

test("a change of a picture is described as added, replaced or removed", () => {
  const picture = (backgroundImage: string | null) => ({ backgroundImage });
  expect(describeHeroChanges(picture(null), picture("/uploads/a.png"))).toEqual([
    "Background Image added",
  ]);
  expect(describeHeroChanges(picture("/uploads/a.png"), picture("/uploads/b.png"))).toEqual([
    "Background Image replaced",
  ]);
  expect(describeHeroChanges(picture("/uploads/a.png"), picture(null))).toEqual([
    "Background Image removed",
  ]);
});

test.each([
  ["<p>one two three</p>", "<p>one 2 three</p>", "Content: 1 word changed"],
  ["<p>one two three</p>", "<p>one three</p>", "Content: 1 word changed"],
  ["<p>one two</p>", "<p>one two three four</p>", "Content: 2 words changed"],
  ["<p>one two</p>", "<p><b>one</b> two</p>", "Content: formatting changed"],
  ["<p>one two</p>", "<p>two one</p>", "Content: 1 word changed"],
  ["", "<p>one</p>", "Content added"],
])("a change of rich text from %s to %s is described as: %s", (before, after, words) => {
  const at = (content: string) => ({ ...createInitial(about), content });
  expect(describeChanges(about, at(before), at(after))).toEqual([words]);
});

test("a change of a list is described by its added, deleted, changed or reordered items", () => {
  const item = (id: string, title: string, order: number) => ({
    ...createInitial(highlights),
    id,
    title,
    imageUrl: "/uploads/a.png",
    order,
  });
  const before = [item("a", "Radio hour", 0), item("b", "Full house", 1)];
  expect(
    describeChanges(highlights, before, [item("a", "Radio hours", 0), item("c", "Encore", 1)]),
  ).toEqual([
    '"Radio hours": Title: "Radio hour" → "Radio hours"',
    'Added "Encore"',
    'Deleted "Full house"',
  ]);
  expect(
    describeChanges(highlights, before, [item("a", "Radio hour", 1), item("b", "Full house", 0)]),
  ).toEqual(["Reordered"]);
  const many = Array.from({ length: 9 }, (_, at) => item(String(at), `T${at}`, at));
  const descriptions = describeChanges(highlights, [], many);
  expect([descriptions.length, descriptions.at(-1)]).toEqual([6, "and 4 more"]);
});

test("a change of a switch, of a choice or to an empty value has a description of its own", () => {
  const link = { ...createInitial(connectLinks), id: "a", displayText: "Ann" };
  const to = (after: object) => describeChanges(connectLinks, [link], [{ ...link, ...after }]);
  expect(to({ isActive: false })).toEqual(['"Ann": Active turned off']);
  expect(to({ platform: "twitter" })).toEqual(['"Ann": Platform: "Instagram" → "X"']);
  const form = { ...createInitial(forms), id: "a", title: "F", subtitle: "s" };
  expect(describeChanges(forms, [form], [{ ...form, subtitle: "" }])).toEqual([
    '"F": Subtitle removed',
  ]);
});
