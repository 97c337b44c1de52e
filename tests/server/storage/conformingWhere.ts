/** The promises of every storage engine about finding records by conditions on their keys. */
import { expect, test } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import type { Where } from "../../../src/server/storage/where.ts";
import { type Letter, letters, catchError } from "./samples.ts";

const createLetter = (
  id: string,
  state: Letter["state"],
  sentAt: string | null,
  tries: number,
  from: string | null,
): Letter => ({ id, state, sentAt, tries, from, isRead: id === "b" || id === "d" });

const LETTERS: readonly Letter[] = [
  createLetter("a", "new", null, 0, null),
  createLetter("b", "waiting", "2026-01-05T00:00:00.000Z", 9, "Ann"),
  createLetter("c", "waiting", "2026-01-05T00:00:00.001Z", 10, "ann"),
  createLetter("d", "sent", "2025-12-31T23:59:59.999Z", -1.5, "O'Neil \\ %_"),
  createLetter("e", "sent", "2026-03-01T00:00:00.000Z", 100, "\u0000😀"),
];

type Query = Where<Letter>;

/** Each query with the ids that it matches. */
const CASES: readonly (readonly [said: string, where: Query, ids: string])[] = [
  ["nothing", {}, "abcde"],
  ["no alternative", [], ""],
  ["a choice", { state: "waiting" }, "bc"],
  ["what it is not", { state: { not: "waiting" } }, "ade"],
  ["one of several", { state: { oneOf: new Set(["new", "sent"] as const) } }, "ade"],
  ["one of none", { state: { oneOf: new Set<"new">() } }, ""],
  ["yes or no", { isRead: true }, "bd"],
  ["two keys", { isRead: true, state: "sent" }, "d"],
  ["two things of one key", { tries: { from: 0, before: 10 } }, "ab"],
  ["either of two", [{ id: "a" }, { tries: { from: 100 } }], "ae"],
  ["no value", { from: null }, "a"],
  ["a value", { from: { not: null } }, "bcde"],
  ["a text, in its own case", { from: "Ann" }, "b"],
  ["a text with signs that mean something elsewhere", { from: "O'Neil \\ %_" }, "d"],
  ["a text with signs that few take", { from: "\u0000😀" }, "e"],
  ["another text than that, or none", { from: { not: "Ann" } }, "acde"],
  ["an earlier moment, or none", { sentAt: { before: "2026-01-05T00:00:00.000Z" } }, "ad"],
  ["up to a moment", { sentAt: { upTo: "2026-01-05T00:00:00.000Z" } }, "abd"],
  ["from a moment", { sentAt: { from: "2026-01-05T00:00:00.001Z" } }, "ce"],
  ["after a moment", { sentAt: { after: "2026-01-05T00:00:00.001Z" } }, "e"],
  ["an earlier moment", { sentAt: { before: "2026-01-05T00:00:00.000Z", not: null } }, "d"],
  ["a smaller number", { tries: { before: 9 } }, "ad"],
  ["a number up to one", { tries: { upTo: 9 } }, "abd"],
  ["a greater number", { tries: { after: 9 } }, "ce"],
  ["this number", { tries: -1.5 }, "d"],
];

export function testConditions(getStore: () => Store, reopen: () => Promise<Store>): void {
  const list = () => getStore().of(letters);
  const fill = async () => {
    for (const letter of LETTERS) await list().insert(letter);
  };
  const offeredToChange = async (where: Query) => {
    const offered: Letter[] = [];
    await list().updateWhere(where, (letter) => {
      offered.push(letter);
      return letter;
    });
    return offered;
  };
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id).join("");

  test.each(["as it was filled", "opened again"])(
    "each kind of condition finds the matching records, %s",
    async (state) => {
      await fill();
      if (state === "opened again") await reopen();
      for (const [title, where, ids] of CASES) {
        const range = { offset: 0, limit: 10 };
        const backwards = await list().readPage({ where, newestFirst: true, ...range });
        const results = {
          page: idsOf((await list().readPage({ where, ...range })).items),
          total: backwards.total,
          count: await list().count(where),
          backwards: idsOf(backwards.items),
          keys: idsOf(await list().readKeys(where)),
          scan: idsOf(await Array.fromAsync(list().scan({ where }))),
          offered: idsOf(await offeredToChange(where)),
        };
        const total = ids.length;
        const expected = { page: ids, keys: ids, scan: ids, total, count: total, offered: ids };
        expect({ said: title, ...results }).toEqual({
          said: title,
          ...expected,
          backwards: [...ids].toReversed().join(""),
        });
      }
    },
  );

  test("facets are counted for every kind of condition", async () => {
    await fill();
    const counts = () =>
      Promise.all([
        list().count(),
        list().count({ state: { not: "sent" } }),
        list().count([{ state: "new" }, { isRead: true, state: "sent" }]),
        list().count({ state: { oneOf: new Set(["waiting", "sent"] as const) }, isRead: false }),
      ]);
    expect(await counts()).toEqual([5, 3, 2, 2]);
    await reopen();
    expect(await counts()).toEqual([5, 3, 2, 2]);
  });

  test("a page of a range has only matching records, and the total of all matches", async () => {
    await fill();
    const where = { tries: { from: 0 } };
    const page = await list().readPage({ where, newestFirst: true, offset: 1, limit: 2 });
    expect([idsOf(page.items), page.total]).toEqual(["cb", 4]);
    const after = await list().readPage({ where, offset: 4, limit: 2 });
    expect(after).toEqual({ items: [], total: 4 });
  });

  test("a search with conditions finds records that match both", async () => {
    await fill();
    const range = { offset: 0, limit: 5 };
    const where = { tries: { from: 10 } };
    const page = await list().readPage({ where, search: "ann", ...range });
    expect([idsOf(page.items), page.total]).toEqual(["c", 1]);
    expect(idsOf((await list().readPage({ search: "%_", ...range })).items)).toBe("d");
  });

  test("conditions after a change apply to the current records", async () => {
    await fill();
    expect(
      await list().updateWhere({ state: "waiting" }, (each) => ({ ...each, state: "sent" })),
    ).toBe(2);
    expect(idsOf(await list().readKeys({ state: "sent" }))).toBe("bcde");
    expect(await list().deleteWhere([{ from: null }, { tries: { from: 10 } }])).toBe(3);
    expect(idsOf(await list().readKeys())).toBe("bd");
    expect(await list().count({ state: "sent" })).toBe(2);
  });

  test("a condition without a value throws an error", async () => {
    await fill();
    const nobody = { state: undefined } as unknown as Query;
    expect((await catchError(list().deleteWhere(nobody))).message).toContain("state");
    expect(await list().count()).toBe(5);
  });
}
