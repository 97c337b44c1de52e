/** The promises of every storage engine about documents. */
import { expect, test } from "bun:test";
import { type Store } from "../../../src/server/storage/store.ts";
import { appendItem, hero, catchError, type Hero, createVisit, visits } from "./samples.ts";

const setTitle = (title: string) => (value: Hero) => ({ ...value, title });

export function testDocuments(getStore: () => Store, reopen: () => Promise<Store>): void {
  const heroOf = () => getStore().of(hero);

  test("a fresh document holds its initial value", () => {
    expect(heroOf().read().value).toEqual({ title: "First", tags: ["new"], score: 0 });
  });

  test("acknowledged changes are there after reopening", async () => {
    const saved = await heroOf().update(setTitle("Second"));
    expect(saved.value.title).toBe("Second");
    await reopen();
    expect(heroOf().read()).toEqual(saved);
  });

  const scored = () => heroOf().update((value) => ({ ...value, score: value.score + 1 }));
  const listen = () => {
    const notified: string[] = [];
    getStore().onChange((name) => notified.push(name));
    return notified;
  };

  test("a change gets the latest value and its snapshot, and the revision grows", async () => {
    const before = heroOf().read();
    const after = await heroOf().update((value, snapshot) => {
      expect(snapshot).toEqual(before);
      return { ...value, score: value.score + 1 };
    });
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(heroOf().read()).toBe(after);
  });

  test("returning the same reference writes nothing", async () => {
    const before = heroOf().read();
    const notified = listen();
    expect(await heroOf().update((value) => value)).toBe(before);
    expect(notified).toEqual([]);
    expect(heroOf().read()).toBe(before);
  });

  test("a change that throws rejects its own caller only", async () => {
    const refused = new Error("not today");
    const outcomes = await Promise.allSettled([
      scored(),
      heroOf().update(() => {
        throw refused;
      }),
      scored(),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toBe(refused);
    expect(heroOf().read().value.score).toBe(2);
  });

  test("a value that doesn't match its schema is refused without being repeated", async () => {
    const before = heroOf().read();
    const wrong = { ...before.value, title: 12345 } as unknown as Hero;
    const error = await catchError(heroOf().update(() => wrong));
    expect(error).toMatchObject({ code: "invalid_value" });
    expect(error.message).toContain("title");
    expect(error.message).not.toContain("12345");
    expect(heroOf().read()).toBe(before);
  });

  test("a number that JSON can't represent is refused, because it could not be read back", async () => {
    const infinite = heroOf().update((value) => ({ ...value, score: Infinity }));
    expect(await catchError(infinite)).toMatchObject({ code: "invalid_value" });
  });

  test("no caller can change memory without a write", async () => {
    const { value } = heroOf().read();
    expect(() => value.tags.push("sneaked in")).toThrow();
    expect(() => Object.assign(value, { title: "sneaked in" })).toThrow();
    const mine = { title: "Mine", tags: ["a"], score: 1 };
    await heroOf().update(() => mine);
    mine.tags.push("later");
    expect(heroOf().read().value.tags).toEqual(["a"]);
  });

  test("many simultaneous changes each build on the one before", async () => {
    const numbers = Array.from({ length: 100 }, (_, at) => at + 1);
    const snapshots = await Promise.all(numbers.map(scored));
    expect(snapshots.map(({ value }) => value.score)).toEqual(numbers);
    expect(new Set(snapshots.map(({ revision }) => revision)).size).toBe(100);
    await reopen();
    expect(heroOf().read().value.score).toBe(100);
  });

  test("each earlier revision can be listed, newest first, and read", async () => {
    for (const title of ["Second", "Third"]) await heroOf().update(setTitle(title));
    await reopen();
    const history = await heroOf().listRevisions();
    expect(history.map(({ revision }) => revision)).toEqual([2, 1]);
    expect((await heroOf().readRevision(1))?.value.title).toBe("First");
    expect((await heroOf().readRevision(2))?.savedAt).toBe(history[0]?.savedAt);
    expect((await heroOf().readRevision(3))?.value.title).toBe("Third");
    expect(await heroOf().readRevision(99)).toBeUndefined();
  });

  test("the last 50 earlier revisions are kept", async () => {
    for (let round = 0; round < 55; round++) await heroOf().update(setTitle(`Round ${round}`));
    const history = await heroOf().listRevisions();
    expect(history).toHaveLength(50);
    expect(history[0]?.revision).toBe(55);
    expect(history.at(-1)?.revision).toBe(6);
    expect(await heroOf().readRevision(5)).toBeUndefined();
  });

  const visitsOf = () => getStore().of(visits);
  const pages = () => visitsOf().read().value;

  test("an item appended to a list is there after reopening, with its revision", async () => {
    const first = await visitsOf().update(appendItem(createVisit(1)));
    const second = await visitsOf().update(appendItem(createVisit(2)));
    expect(second.revision).toBe(first.revision + 1);
    expect(second.value).toEqual([createVisit(1), createVisit(2)]);
    await reopen();
    expect(visitsOf().read()).toEqual(second);
  });

  test("many simultaneous appends, between other changes, keep their order", async () => {
    const notified = listen();
    const snapshots = await Promise.all([
      visitsOf().update(appendItem(createVisit(1))),
      visitsOf().update(appendItem(createVisit(2))),
      visitsOf().update((list) => list.slice(1)),
      visitsOf().update(appendItem(createVisit(3))),
    ]);
    const seen = snapshots.map(({ value }) => value.map(({ id }) => id.at(-1)).join(""));
    expect(seen).toEqual(["1", "12", "2", "23"]);
    expect(new Set(notified)).toEqual(new Set(["visits"]));
    await reopen();
    expect(pages()).toEqual([createVisit(2), createVisit(3)]);
  });

  test("an invalid item is refused, and its neighbors are stored", async () => {
    const wrong = { id: "visit-2", page: 5 } as unknown as ReturnType<typeof createVisit>;
    const outcomes = await Promise.allSettled([
      visitsOf().update(appendItem(createVisit(1))),
      visitsOf().update(appendItem(wrong)),
      visitsOf().update(appendItem(createVisit(3))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({ code: "invalid_value" });
    await reopen();
    expect(pages()).toEqual([createVisit(1), createVisit(3)]);
  });

  test("no caller can change an appended item in memory", async () => {
    const mine = createVisit(1);
    await visitsOf().update(appendItem(mine));
    mine.page = "/later";
    expect(pages()).toEqual([createVisit(1)]);
    expect(() => Object.assign(pages()[0]!, { page: "/sneaked-in" })).toThrow();
  });

  test("one item of a list is changed in place, from its current value", async () => {
    for (const number of [1, 2, 3]) await visitsOf().update(appendItem(createVisit(number)));
    const longer = (more: string) =>
      visitsOf().update((list) =>
        list.map((each) =>
          each.id === "visit-2" ? { ...each, page: `${each.page}${more}` } : each,
        ),
      );
    const snapshots = await Promise.all([longer("a"), longer("b"), longer("c")]);
    expect(snapshots.map(({ value }) => value[1]?.page)).toEqual(["/2a", "/2ab", "/2abc"]);
    await reopen();
    expect(pages()).toEqual([createVisit(1), { id: "visit-2", page: "/2abc" }, createVisit(3)]);
  });
}
