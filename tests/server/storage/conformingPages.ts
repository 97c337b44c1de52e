/** What every storage engine promises about reading records page by page. */
import { expect, test } from "bun:test";
import type { Store } from "../../../src/server/storage/store.ts";
import { all, insertMany, subscribers, type Subscriber } from "./samples.ts";

const numbers = (items: Subscriber[]) => items.map(({ id }) => Number(id.slice(3)));
const isActive = ({ active }: { active: boolean }) => active;

export function conformingPages(current: () => Store, reopened: () => Promise<Store>): void {
  const list = () => current().of(subscribers);

  test("pages come in the order of insertion, or the reverse, with the total", async () => {
    await insertMany(list(), 450);
    await reopened();
    const oldest = await list().page({ offset: 198, limit: 4 });
    expect(oldest.total).toBe(450);
    expect(numbers(oldest.items)).toEqual([198, 199, 200, 201]);
    const newest = await list().page({ newestFirst: true, offset: 0, limit: 3 });
    expect(numbers(newest.items)).toEqual([449, 448, 447]);
    const after = await list().page({ offset: 450, limit: 10 });
    expect(after).toEqual({ items: [], total: 450 });
  });

  test("a page of matches counts and skips matches only", async () => {
    await insertMany(list(), 450);
    const page = await list().page({ where: isActive, newestFirst: true, offset: 100, limit: 2 });
    expect(page.total).toBe(225);
    expect(numbers(page.items)).toEqual([248, 246]);
    expect(list().count(isActive)).toBe(225);
  });

  test("a scan gives all matches once, in either direction", async () => {
    await insertMany(list(), 450);
    const forward = numbers(await all(list().scan()));
    expect(forward).toEqual(Array.from({ length: 450 }, (_, at) => at));
    const backward = numbers(
      await all(list().scan({ where: ({ active }) => !active, newestFirst: true })),
    );
    expect(backward).toEqual(forward.filter((number) => number % 2 === 1).toReversed());
  });

  test("a scan gives way to other work between segments", async () => {
    await insertMany(list(), 450);
    let turns = 0;
    let scanning = true;
    const takeTurn = () => {
      turns++;
      if (scanning) setImmediate(takeTurn);
    };
    setImmediate(takeTurn);
    await all(list().scan());
    scanning = false;
    expect(turns).toBeGreaterThanOrEqual(2);
  });
}
