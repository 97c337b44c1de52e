/** What every storage engine promises about several entities that are changed at once. */
import { expect, test } from "bun:test";
import { initialValues } from "../../../src/schema/entities/check.ts";
import type { Store, Transaction } from "../../../src/server/storage/store.ts";
import {
  hero,
  insertMany,
  type Letter,
  letters,
  rejection,
  subscriber,
  subscribers,
  titleOf,
  visit,
  visits,
} from "./samples.ts";

/** What is changed by each of many at the same moment. */
export const scored = (transaction: Pick<Transaction, "of"> | Store) =>
  transaction.of(hero).update((value) => ({ ...value, score: value.score + 1 }));
export const noted = (transaction: Pick<Transaction, "of">, id = "id-1") =>
  transaction.of(subscribers).update(id, (record) => ({ ...record, note: `${record.note}+` }));

const letter = (id: string): Letter => ({ ...(initialValues(letters.fields) as Letter), id });

/** One of each kind. */
async function changeAll(transaction: Transaction, title = "Together"): Promise<void> {
  await transaction.of(hero).update((value) => ({ ...value, title }));
  await transaction.of(visits).put("visit-1", () => visit(1));
  await transaction.of(subscribers).insert(subscriber(1));
  await transaction.of(letters).insert(letter("a"));
}

export function conformingTransactions(current: () => Store, reopened: () => Promise<Store>): void {
  const stored = async () => ({
    title: current().of(hero).read().value.title,
    visits: current().of(visits).read().value.length,
    subscribers: await list().count(),
    letters: await current().of(letters).count(),
  });
  const list = () => current().of(subscribers);
  const TWIN = subscriber(9, { email: "person1@example.org" });
  const TAKEN = { code: "conflict" };
  const NOTHING = { title: "First", visits: 0, subscribers: 0, letters: 0 };
  const ALL = { title: "Together", visits: 1, subscribers: 1, letters: 1 };

  test("all that was changed at once is there, also after opening again", async () => {
    expect(
      await current().transaction((transaction) => changeAll(transaction).then(() => "done")),
    ).toBe("done");
    expect(await stored()).toEqual(ALL);
    await reopened();
    expect(await stored()).toEqual(ALL);
    expect((await current().of(hero).history()).map(({ revision }) => revision)).toEqual([1]);
  });

  test("a throw at the end leaves nothing, of documents and of lists, and nobody hears of it", async () => {
    const notified: string[] = [];
    current().onChange((name) => notified.push(name));
    const before = current().of(hero).read();
    const refused = new Error("not today");
    const outcome = current().transaction(async (transaction) => {
      await changeAll(transaction);
      throw refused;
    });
    expect(await rejection(outcome)).toBe(refused);
    expect(current().of(hero).read()).toBe(before);
    expect(notified).toEqual([]);
    expect(await stored()).toEqual(NOTHING);
    await reopened();
    expect(await stored()).toEqual(NOTHING);
    expect(await current().of(hero).history()).toEqual([]);
    // What it would have taken is free.
    await current().transaction(changeAll);
    expect(await stored()).toEqual(ALL);
  });

  test("it sees what it has changed itself", async () => {
    await insertMany(current().of(subscribers), 4);
    await current().transaction(async (transaction) => {
      const [title, list] = [transaction.of(hero), transaction.of(subscribers)];
      const first = await title.update((value) => ({ ...value, title: "One" }));
      expect(await title.read()).toEqual(first);
      const second = await title.update((value, snapshot) => {
        expect(snapshot).toEqual(first);
        return { ...value, title: `${value.title}, two` };
      });
      expect([second.value.title, second.revision]).toEqual(["One, two", first.revision + 1]);
      await transaction.of(visits).put("visit-1", () => visit(1));
      await transaction.of(visits).put("visit-1", (item) => item && { ...item, page: "/later" });
      expect((await transaction.of(visits).read()).value).toEqual([
        { id: "visit-1", page: "/later" },
      ]);
      await list.insert(subscriber(9));
      await list.update("id-9", (record) => ({ ...record, email: "moved@example.org" }));
      expect((await list.findUnique("moved@example.org"))?.id).toBe("id-9");
      expect(await list.findUnique("person9@example.org")).toBeUndefined();
      await list.delete("id-0");
      expect(await list.get("id-0")).toBeUndefined();
      expect(await list.keys({ active: true })).toHaveLength(1);
      expect(await list.keys()).toHaveLength(4);
      // What a deletion gives free is free at once.
      await list.insert(subscriber(0, { note: "again" }));
    });
    await reopened();
    expect((await list().get("id-0"))?.note).toBe("again");
    expect(current().of(hero).read().value.title).toBe("One, two");
  });

  test("others see nothing of it before it is over", async () => {
    const [changed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done = current().transaction(async (transaction) => {
      await changeAll(transaction);
      changed.resolve();
      await goOn.promise;
    });
    await changed.promise;
    expect(await stored()).toEqual(NOTHING);
    expect(await list().get("id-1")).toBeUndefined();
    expect(await list().findUnique("person1@example.org")).toBeUndefined();
    expect(await current().existingIds([subscribers, letters], ["id-1", "a"])).toEqual(new Set());
    goOn.resolve();
    await done;
    expect(await stored()).toEqual(ALL);
  });

  test("those who listen hear of each entity once, when all is stored and before it is answered", async () => {
    const notified: { name: string; title: string; visits: number }[] = [];
    let isAnswered = false;
    current().onChange((name) => {
      expect(isAnswered).toBe(false);
      const { length } = current().of(visits).read().value;
      notified.push({ name, title: titleOf(current()), visits: length });
    });
    await current()
      .transaction(async (transaction) => {
        await changeAll(transaction, "Earlier");
        await transaction.of(hero).update((value) => ({ ...value, title: "Together" }));
        await transaction.of(subscribers).insert(subscriber(2));
      })
      .then(() => (isAnswered = true));
    expect(notified.map(({ name }) => name).toSorted()).toEqual(
      [hero, visits, subscribers, letters].map(({ name }) => name).toSorted(),
    );
    for (const each of notified) expect(each).toMatchObject({ title: "Together", visits: 1 });
  });

  test("what is left as it is writes nothing, and nobody hears of it", async () => {
    await list().insert(subscriber(1));
    const before = current().of(hero).read();
    const notified: string[] = [];
    current().onChange((name) => notified.push(name));
    await current().transaction(async (transaction) => {
      expect(await transaction.of(hero).update((value) => value)).toEqual(before);
      await transaction.of(subscribers).update("id-1", (record) => record);
      await transaction.of(subscribers).delete("nobody");
      expect(await transaction.of(letters).get("nobody")).toBeUndefined();
    });
    expect(notified).toEqual([]);
    expect(current().of(hero).read()).toBe(before);
  });

  test("changes of single entities at the same moment are lost to none", async () => {
    const store = current();
    await store.of(subscribers).insert(subscriber(1));
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => [
        store.of(hero).update((value) => ({ ...value, score: value.score + 1 })),
        store.transaction(async (transaction) => {
          await noted(transaction);
          await scored(transaction);
          await transaction.of(subscribers).insert(subscriber(100 + at));
        }),
        store.of(subscribers).update("id-1", (record) => ({ ...record, note: `${record.note}+` })),
        store.of(subscribers).insert(subscriber(200 + at)),
      ]).flat(),
    );
    await reopened();
    expect(current().of(hero).read().value.score).toBe(40);
    expect((await list().get("id-1"))?.note).toBe("+".repeat(40));
    expect(await list().count()).toBe(41);
  });

  test("of many at the same moment those that fail take back what is theirs, and none of the others' is lost", async () => {
    const store = current();
    await insertMany(store.of(subscribers), 2);
    const notified: string[] = [];
    const scores: number[] = [];
    store.onChange((name) => notified.push(name));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) =>
        store.transaction(async (transaction) => {
          const list = transaction.of(subscribers);
          const saved = await scored(transaction);
          if (at % 4 === 1) await list.insert(subscriber(100 + at, { id: "id-1" }));
          await transaction.of(letters).insert(letter(`letter-${at}`));
          if (at % 4 === 2)
            await list.update("id-0", (record) => ({ ...record, email: "person1@example.org" }));
          await list.insert(subscriber(100 + at));
          if (at % 4 === 3) throw new Error("not this one");
          await noted(transaction, "id-0");
          return saved;
        }),
      ),
    );
    for (const [at, outcome] of outcomes.entries())
      if (at % 4 > 0) expect(outcome.status).toBe("rejected");
      else if (outcome.status === "fulfilled") scores.push(outcome.value.value.score);
    expect(scores.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 10 }, (_, at) => at + 1),
    );
    expect(notified).toContain(hero.name);
    await reopened();
    const kept = Array.from({ length: 10 }, (_, at) => `letter-${at * 4}`);
    const there = (await current().of(letters).keys()).map(({ id }) => id);
    expect(there.toSorted()).toEqual(kept.toSorted());
    const { value, revision } = current().of(hero).read();
    expect([value.score, revision]).toEqual([10, 11]);
    expect(await list().count()).toBe(12);
    expect((await list().get("id-0"))?.note).toBe("+".repeat(10));
  });

  test("a record that is to be there is inserted where it is missing, and left as it is where it isn't", async () => {
    await list().insert(subscriber(1));
    await Promise.all(
      [1, 2, 2, 3].map((at) =>
        current().transaction(async (transaction) => {
          await scored(transaction);
          await transaction.of(subscribers).insertMissing(subscriber(at, { note: "new" }));
        }),
      ),
    );
    await reopened();
    const there = await Promise.all([1, 2, 3].map((at) => list().get(`id-${at}`)));
    expect(there.map((each) => each?.note)).toEqual([subscriber(1).note, "new", "new"]);
    expect(current().of(hero).read().value.score).toBe(4);
    const outcome = current().transaction((transaction) =>
      transaction.of(subscribers).insertMissing(TWIN),
    );
    expect(await rejection(outcome)).toMatchObject(TAKEN);
  });

  test("an insert waits for a transaction that has looked at its list", async () => {
    const [looked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done = current().transaction(async (transaction) => {
      const { length } = await transaction.of(subscribers).keys();
      looked.resolve();
      await goOn.promise;
      expect(await transaction.of(subscribers).keys()).toHaveLength(length);
      await transaction.of(subscribers).insert(subscriber(1));
    });
    await looked.promise;
    const late = list().insert(TWIN);
    goOn.resolve();
    await done;
    expect(await rejection(late)).toMatchObject(TAKEN);
  });

  test.each<[string, (transaction: Transaction) => Promise<unknown>, object]>([
    [
      "an id that is taken",
      (transaction) => transaction.of(subscribers).insert(subscriber(9, { id: "id-1" })),
      TAKEN,
    ],
    [
      "a unique key that is taken",
      (transaction) => transaction.of(subscribers).insert(TWIN),
      TAKEN,
    ],
    [
      "a key that a change would take from another, also where that is passed over",
      (transaction) =>
        transaction
          .of(subscribers)
          .update("id-0", (record) => ({ ...record, email: TWIN.email }))
          .catch(() => undefined),
      TAKEN,
    ],
    [
      "a value that doesn't fit",
      (transaction) => transaction.of(hero).update((value) => ({ ...value, title: 5 as never })),
      { code: "invalid_value" },
    ],
    [
      "an entity that the store was not opened with, which is a mistake and says so,",
      async (transaction) => transaction.of({ ...hero, name: "nothing" }),
      { message: expect.stringContaining("nothing") },
    ],
  ])("%s rejects the whole", async (_, fail, refusal) => {
    await insertMany(list(), 2);
    const outcome = current().transaction(async (transaction) => {
      await scored(transaction);
      await transaction.of(letters).insert(letter("a"));
      await fail(transaction);
    });
    expect(await rejection(outcome)).toMatchObject(refusal);
    expect(current().of(hero).read().value.score).toBe(0);
    expect(await stored()).toEqual({ ...NOTHING, subscribers: 2 });
  });

  test("many records are changed and deleted within it, and all come back where it throws", async () => {
    await insertMany(current().of(subscribers), 1200);
    const work = async (transaction: Transaction) => {
      const within = transaction.of(subscribers);
      const mark = (record: { note: string }) => record.note === "marked";
      const marked = (where: { active?: boolean }) =>
        within.updateWhere(where, (each) => (mark(each) ? each : { ...each, note: "marked" }));
      const email = "new@example.org";
      const join = () =>
        within.upsert(email, (existing) =>
          existing ? { ...existing, note: "twice" } : subscriber(5000, { email }),
        );
      const counts = [
        await marked({ active: true }),
        await within.deleteWhere({ active: false }),
        await marked({}),
      ];
      for (const who of ["person0", "nobody"])
        await within.updateUnique(`${who}@example.org`, (each) => ({ ...each, note: "zero" }));
      return [...counts, (await join()).note, (await join()).note];
    };
    const undone = current().transaction(async (transaction) => {
      await work(transaction);
      throw new Error("undone");
    });
    expect((await rejection(undone)).message).toBe("undone");
    expect(await list().count()).toBe(1200);
    expect(await list().get("id-2")).toEqual(subscriber(2));
    expect(await current().transaction(work)).toEqual([600, 600, 0, "", "twice"]);
    await reopened();
    expect(await list().count()).toBe(601);
    expect((await list().get("id-2"))?.note).toBe("marked");
    expect((await list().get("id-0"))?.note).toBe("zero");
    expect(await list().get("id-3")).toBeUndefined();
  });

  test("what was asked for together and not awaited is part of it, and what comes later is refused", async () => {
    const late = await current().transaction(async (transaction) => transaction.of(subscribers));
    expect((await rejection(late.insert(subscriber(1)))).message).toContain("over");
    expect((await rejection(late.get("id-1"))).message).toContain("over");
    expect(await list().count()).toBe(0);
    await current().transaction(async (transaction) => {
      void transaction.of(subscribers).insert(subscriber(1));
      void transaction.of(visits).put("visit-1", () => visit(1));
    });
    expect(await stored()).toEqual({ ...NOTHING, subscribers: 1, visits: 1 });
  });

  test("what was deleted can be written down at any time, also when nothing was", async () => {
    await current().purgeOldVersions();
    await insertMany(current().of(subscribers), 3);
    await list().delete("id-1");
    await current().transaction((transaction) => transaction.of(subscribers).delete("id-2"));
    await Promise.all([current().purgeOldVersions(), current().purgeOldVersions()]);
    await reopened();
    expect(await list().count()).toBe(1);
  });

  test("closing finishes a transaction under way and refuses later ones", async () => {
    const store = current();
    const taken = store.transaction(changeAll);
    const closed = store.close();
    expect(await rejection(store.transaction(changeAll))).toMatchObject({ code: "cannot_store" });
    await closed;
    await taken;
    await reopened();
    expect(await stored()).toEqual(ALL);
  });
}
