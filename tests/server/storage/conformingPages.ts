/** The promises of every storage engine about reading records page by page. */
import { expect, test } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import { insertMany, createSubscriber, subscribers, type Subscriber } from "./samples.ts";

const getNumbers = (items: Subscriber[]) => items.map(({ id }) => Number(id.slice(3)));

export function testPages(getStore: () => Store, reopen: () => Promise<Store>): void {
  const list = () => getStore().of(subscribers);

  test("pages come in the order of insertion, or the reverse, with the total", async () => {
    await insertMany(list(), 450);
    await reopen();
    const oldest = await list().readPage({ offset: 198, limit: 4 });
    expect(oldest.total).toBe(450);
    expect(getNumbers(oldest.items)).toEqual([198, 199, 200, 201]);
    const newest = await list().readPage({ newestFirst: true, offset: 0, limit: 3 });
    expect(getNumbers(newest.items)).toEqual([449, 448, 447]);
    const after = await list().readPage({ offset: 450, limit: 10 });
    expect(after).toEqual({ items: [], total: 450 });
  });

  test("a page of matches counts and skips matches only", async () => {
    await insertMany(list(), 450);
    const page = await list().readPage({
      where: { active: true },
      newestFirst: true,
      offset: 100,
      limit: 2,
    });
    expect(page.total).toBe(225);
    expect(getNumbers(page.items)).toEqual([248, 246]);
    expect(await list().count({ active: true })).toBe(225);
  });

  test("characters of a query language are plain text in a search, and change nothing", async () => {
    await insertMany(list(), 20, { note: "Plain" });
    const odd = `100% o'_x"\\ ; drop table list; --`;
    await list().update("id-7", (record) => ({ ...record, note: odd }));
    for (const search of ["100%", "o'_x", `x"\\`, "; drop table list; --", odd]) {
      const { items } = await list().readPage({ search, newestFirst: true, offset: 0, limit: 3 });
      expect([search, getNumbers(items)]).toEqual([search, [7]]);
    }
    for (const search of ["pl%n", "pl_in", "' or ''='"])
      expect(
        (await list().readPage({ search, newestFirst: true, offset: 0, limit: 3 })).total,
      ).toBe(0);
    expect(await list().count()).toBe(20);
  });

  test("a search finds records that contain the text, in any case, page by page", async () => {
    await insertMany(list(), 450, { note: "Ää of the choir" });
    await list().update("id-7", (record) => ({ ...record, note: "Alone ON STAGE, STRAẞE" }));
    await list().delete("id-17");
    const searchFor = (search: string, more = {}) =>
      list().readPage({ search, newestFirst: true, offset: 0, limit: 3, ...more });
    for (let again = 0; again < 2; again++) {
      const one = await searchFor("on stage");
      expect([getNumbers(one.items), one.total]).toEqual([[7], 1]);
      expect(await searchFor("straße")).toEqual(one);
      expect(await searchFor("Strasse")).toEqual(one);
      const many = await searchFor("ää of", { offset: 2 });
      expect([getNumbers(many.items), many.total]).toEqual([[447, 446, 445], 448]);
      // The index of three-letter sequences has none for shorter texts.
      expect(await searchFor("ää", { offset: 2 })).toEqual(many);
      expect((await searchFor("AA OF")).total).toBe(448);
      const some = await searchFor("person44", { where: { active: true }, newestFirst: false });
      expect([getNumbers(some.items), some.total]).toEqual([[44, 440, 442], 6]);
      expect(await searchFor("person17@")).toEqual({ items: [], total: 0 });
      expect(getNumbers((await searchFor("person44", { offset: 1 })).items)).toEqual([
        448, 447, 446,
      ]);
      // A search doesn't match beyond the end of a text.
      expect((await searchFor("orgää")).total).toBe(0);
      expect((await searchFor("org\0ää")).total).toBe(0);
      await reopen();
    }
  });

  test("successive pages are those of the current list, whatever changes in between", async () => {
    await insertMany(list(), 30);
    const where = { active: true };
    for (const newestFirst of [true, false]) {
      const changes = [
        () => list().insert(createSubscriber(newestFirst ? 100 : 101, { active: true })),
        () => list().delete(newestFirst ? "id-28" : "id-4"),
        () => list().update(newestFirst ? "id-26" : "id-6", (each) => ({ ...each, active: false })),
      ];
      for (const [at, change] of [undefined, ...changes, undefined].entries()) {
        await change?.();
        const request = { where, newestFirst, offset: at * 2, limit: 2 };
        const whole = await Array.fromAsync(list().scan({ where, newestFirst }));
        const expected = { items: whole.slice(at * 2, at * 2 + 2), total: whole.length };
        expect(await list().readPage(request)).toEqual(expected);
      }
    }
  });

  test("counts by facets follow every change, and groups return all of them", async () => {
    await insertMany(list(), 450);
    await list().update("id-2", (record) => ({ ...record, active: false }));
    await list().delete("id-4");
    await list().deleteWhere({ active: false });
    const counts = [undefined, { active: true }, { active: false }].map((where) =>
      list().count(where),
    );
    expect(await Promise.all(counts)).toEqual([223, 223, 0]);
    expect(await list().countByFacet()).toEqual([{ facets: { active: true }, count: 223 }]);
    await reopen();
    expect(await list().countByFacet()).toEqual([{ facets: { active: true }, count: 223 }]);
    await list().deleteWhere({});
    expect(await list().countByFacet()).toEqual([]);
  });

  test("a scan returns each match once, in either direction", async () => {
    await insertMany(list(), 450);
    const forward = getNumbers(await Array.fromAsync(list().scan()));
    expect(forward).toEqual(Array.from({ length: 450 }, (_, at) => at));
    const backward = getNumbers(
      await Array.fromAsync(list().scan({ where: { active: false }, newestFirst: true })),
    );
    expect(backward).toEqual(forward.filter((number) => number % 2 === 1).toReversed());
  });

  test("a scan yields to other work between segments", async () => {
    await insertMany(list(), 450);
    let turns = 0;
    let scanning = true;
    const countTurn = () => {
      turns++;
      if (scanning) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await Array.fromAsync(list().scan());
    scanning = false;
    // Without yielding there would be none.
    expect(turns).toBeGreaterThanOrEqual(1);
  });
}
