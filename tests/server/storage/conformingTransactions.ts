/** The promises of every storage engine about transactions over several entities. */
import { expect, test } from "bun:test";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import type { Store, Transaction } from "../../../src/server/storage/store.ts";
import {
  appendItem,
  hero,
  insertMany,
  type Letter,
  letters,
  catchError,
  createSubscriber,
  subscribers,
  readTitle,
  createVisit,
  visits,
} from "./samples.ts";

/** The values that concurrent transactions change. */
export const incrementScore = (transaction: Pick<Transaction, "of"> | Store) =>
  transaction.of(hero).update((value) => ({ ...value, score: value.score + 1 }));
export const appendToNote = (transaction: Pick<Transaction, "of">, id = "id-1") =>
  transaction.of(subscribers).update(id, (record) => ({ ...record, note: `${record.note}+` }));

const createLetter = (id: string): Letter => ({
  ...(getInitialValues(letters.fields) as Letter),
  id,
});

/** Changes an entity of each shape. */
async function changeAll(transaction: Transaction, title = "Together"): Promise<void> {
  await transaction.of(hero).update((value) => ({ ...value, title }));
  await transaction.of(visits).update(appendItem(createVisit(1)));
  await transaction.of(subscribers).insert(createSubscriber(1));
  await transaction.of(letters).insert(createLetter("a"));
}

export function testTransactions(getStore: () => Store, reopen: () => Promise<Store>): void {
  const readStored = async () => ({
    title: getStore().of(hero).read().value.title,
    visits: getStore().of(visits).read().value.length,
    subscribers: await getList().count(),
    letters: await getStore().of(letters).count(),
  });
  const getList = () => getStore().of(subscribers);
  const TWIN = createSubscriber(9, { email: "person1@example.org" });
  const CONFLICT = { code: "conflict" };
  const NOTHING = { title: "First", visits: 0, subscribers: 0, letters: 0 };
  const ALL = { title: "Together", visits: 1, subscribers: 1, letters: 1 };

  test("all changes of a transaction are there, also after reopening", async () => {
    expect(
      await getStore().transaction((transaction) => changeAll(transaction).then(() => "done")),
    ).toBe("done");
    expect(await readStored()).toEqual(ALL);
    await reopen();
    expect(await readStored()).toEqual(ALL);
    expect((await getStore().of(hero).listRevisions()).map(({ revision }) => revision)).toEqual([
      1,
    ]);
  });

  test("an error at the end of a transaction reverts documents and lists, and notifies nobody", async () => {
    const notified: string[] = [];
    getStore().onChange((name) => notified.push(name));
    const before = getStore().of(hero).read();
    const refused = new Error("not today");
    const outcome = getStore().transaction(async (transaction) => {
      await changeAll(transaction);
      throw refused;
    });
    expect(await catchError(outcome)).toBe(refused);
    expect(getStore().of(hero).read()).toBe(before);
    expect(notified).toEqual([]);
    expect(await readStored()).toEqual(NOTHING);
    await reopen();
    expect(await readStored()).toEqual(NOTHING);
    expect(await getStore().of(hero).listRevisions()).toEqual([]);
    // The failed transaction doesn't block the next one.
    await getStore().transaction(changeAll);
    expect(await readStored()).toEqual(ALL);
  });

  test("a transaction sees its own changes", async () => {
    await insertMany(getStore().of(subscribers), 4);
    await getStore().transaction(async (transaction) => {
      const [title, list] = [transaction.of(hero), transaction.of(subscribers)];
      const first = await title.update((value) => ({ ...value, title: "One" }));
      expect(await title.read()).toEqual(first);
      const second = await title.update((value, snapshot) => {
        expect(snapshot).toEqual(first);
        return { ...value, title: `${value.title}, two` };
      });
      expect([second.value.title, second.revision]).toEqual(["One, two", first.revision + 1]);
      await transaction.of(visits).update(appendItem(createVisit(1)));
      await transaction
        .of(visits)
        .update((list) => list.map((item) => ({ ...item, page: "/later" })));
      expect((await transaction.of(visits).read()).value).toEqual([
        { id: "visit-1", page: "/later" },
      ]);
      await list.insert(createSubscriber(9));
      await list.update("id-9", (record) => ({ ...record, email: "moved@example.org" }));
      expect((await list.findUnique("moved@example.org"))?.id).toBe("id-9");
      expect(await list.findUnique("person9@example.org")).toBeUndefined();
      await list.delete("id-0");
      expect(await list.get("id-0")).toBeUndefined();
      expect(await list.readKeys({ active: true })).toHaveLength(1);
      expect(await list.readKeys()).toHaveLength(4);
      // A deletion frees its key at once.
      await list.insert(createSubscriber(0, { note: "again" }));
    });
    await reopen();
    expect((await getList().get("id-0"))?.note).toBe("again");
    expect(getStore().of(hero).read().value.title).toBe("One, two");
  });

  test("nobody else can read changes of a transaction before its end", async () => {
    const [changed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done = getStore().transaction(async (transaction) => {
      await changeAll(transaction);
      changed.resolve();
      await goOn.promise;
    });
    await changed.promise;
    expect(await readStored()).toEqual(NOTHING);
    expect(await getList().get("id-1")).toBeUndefined();
    expect(await getList().findUnique("person1@example.org")).toBeUndefined();
    goOn.resolve();
    await done;
    expect(await readStored()).toEqual(ALL);
  });

  test("listeners are notified once for each entity, after everything is stored and before the caller continues", async () => {
    const notified: { name: string; title: string; visits: number }[] = [];
    let isAnswered = false;
    getStore().onChange((name) => {
      expect(isAnswered).toBe(false);
      const { length } = getStore().of(visits).read().value;
      notified.push({ name, title: readTitle(getStore()), visits: length });
    });
    await getStore()
      .transaction(async (transaction) => {
        await changeAll(transaction, "Earlier");
        await transaction.of(hero).update((value) => ({ ...value, title: "Together" }));
        await transaction.of(subscribers).insert(createSubscriber(2));
      })
      .then(() => (isAnswered = true));
    expect(notified.map(({ name }) => name).toSorted()).toEqual(
      [hero, visits, subscribers, letters].map(({ name }) => name).toSorted(),
    );
    for (const each of notified) expect(each).toMatchObject({ title: "Together", visits: 1 });
  });

  test("unchanged values write nothing and notify nobody", async () => {
    await getList().insert(createSubscriber(1));
    const before = getStore().of(hero).read();
    const notified: string[] = [];
    getStore().onChange((name) => notified.push(name));
    await getStore().transaction(async (transaction) => {
      expect(await transaction.of(hero).update((value) => value)).toEqual(before);
      await transaction.of(subscribers).update("id-1", (record) => record);
      await transaction.of(subscribers).delete("nobody");
      expect(await transaction.of(letters).get("nobody")).toBeUndefined();
    });
    expect(notified).toEqual([]);
    expect(getStore().of(hero).read()).toBe(before);
  });

  test("of many simultaneous transactions the failing ones revert only their own changes", async () => {
    const store = getStore();
    await insertMany(store.of(subscribers), 2);
    const notified: string[] = [];
    const scores: number[] = [];
    store.onChange((name) => notified.push(name));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) =>
        store.transaction(async (transaction) => {
          const list = transaction.of(subscribers);
          const saved = await incrementScore(transaction);
          if (at % 4 === 1) await list.insert(createSubscriber(100 + at, { id: "id-1" }));
          await transaction.of(letters).insert(createLetter(`letter-${at}`));
          if (at % 4 === 2)
            await list.update("id-0", (record) => ({ ...record, email: "person1@example.org" }));
          await list.insert(createSubscriber(100 + at));
          if (at % 4 === 3) throw new Error("not this one");
          await appendToNote(transaction, "id-0");
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
    await reopen();
    const expected = Array.from({ length: 10 }, (_, at) => `letter-${at * 4}`);
    const ids = (await getStore().of(letters).readKeys()).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(expected.toSorted());
    const { value, revision } = getStore().of(hero).read();
    expect([value.score, revision]).toEqual([10, 11]);
    expect(await getList().count()).toBe(12);
    expect((await getList().get("id-0"))?.note).toBe("+".repeat(10));
  });

  test("ensuring a record inserts it if it is missing, and otherwise leaves it unchanged", async () => {
    await getList().insert(createSubscriber(1));
    await Promise.all(
      [1, 2, 2, 3].map((at) =>
        getStore().transaction(async (transaction) => {
          await incrementScore(transaction);
          await transaction.of(subscribers).insertMissing(createSubscriber(at, { note: "new" }));
        }),
      ),
    );
    await reopen();
    const records = await Promise.all([1, 2, 3].map((at) => getList().get(`id-${at}`)));
    expect(records.map((each) => each?.note)).toEqual([createSubscriber(1).note, "new", "new"]);
    expect(getStore().of(hero).read().value.score).toBe(4);
    const outcome = getStore().transaction((transaction) =>
      transaction.of(subscribers).insertMissing(TWIN),
    );
    expect(await catchError(outcome)).toMatchObject(CONFLICT);
  });

  test("an insert waits for a transaction that has read its list", async () => {
    const [listRead, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done = getStore().transaction(async (transaction) => {
      const { length } = await transaction.of(subscribers).readKeys();
      listRead.resolve();
      await goOn.promise;
      expect(await transaction.of(subscribers).readKeys()).toHaveLength(length);
      await transaction.of(subscribers).insert(createSubscriber(1));
    });
    await listRead.promise;
    const late = getList().insert(TWIN);
    goOn.resolve();
    await done;
    expect(await catchError(late)).toMatchObject(CONFLICT);
  });

  test.each<[string, (transaction: Transaction) => Promise<unknown>, object]>([
    [
      "an id that is taken",
      (transaction) => transaction.of(subscribers).insert(createSubscriber(9, { id: "id-1" })),
      CONFLICT,
    ],
    [
      "a unique key that is taken",
      (transaction) => transaction.of(subscribers).insert(TWIN),
      CONFLICT,
    ],
    [
      "a key that a change would take from another, also where that is passed over",
      (transaction) =>
        transaction
          .of(subscribers)
          .update("id-0", (record) => ({ ...record, email: TWIN.email }))
          .catch(() => undefined),
      CONFLICT,
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
    await insertMany(getList(), 2);
    const outcome = getStore().transaction(async (transaction) => {
      await incrementScore(transaction);
      await transaction.of(letters).insert(createLetter("a"));
      await fail(transaction);
    });
    expect(await catchError(outcome)).toMatchObject(refusal);
    expect(getStore().of(hero).read().value.score).toBe(0);
    expect(await readStored()).toEqual({ ...NOTHING, subscribers: 2 });
  });

  test("many records are changed and deleted in a transaction, and all are restored if it throws", async () => {
    await insertMany(getStore().of(subscribers), 1200);
    const work = async (transaction: Transaction) => {
      const within = transaction.of(subscribers);
      const mark = (record: { note: string }) => record.note === "marked";
      const marked = (where: { active?: boolean }) =>
        within.updateWhere(where, (each) => (mark(each) ? each : { ...each, note: "marked" }));
      const email = "new@example.org";
      const join = () =>
        within.upsert(email, (existing) =>
          existing ? { ...existing, note: "twice" } : createSubscriber(5000, { email }),
        );
      const counts = [
        await marked({ active: true }),
        await within.deleteWhere({ active: false }),
        await marked({}),
      ];
      for (const name of ["person0", "nobody"])
        await within.updateUnique(`${name}@example.org`, (each) => ({ ...each, note: "zero" }));
      return [...counts, (await join()).note, (await join()).note];
    };
    const undone = getStore().transaction(async (transaction) => {
      await work(transaction);
      throw new Error("undone");
    });
    expect((await catchError(undone)).message).toBe("undone");
    expect(await getList().count()).toBe(1200);
    expect(await getList().get("id-2")).toEqual(createSubscriber(2));
    expect(await getStore().transaction(work)).toEqual([600, 600, 0, "", "twice"]);
    await reopen();
    expect(await getList().count()).toBe(601);
    expect((await getList().get("id-2"))?.note).toBe("marked");
    expect((await getList().get("id-0"))?.note).toBe("zero");
    expect(await getList().get("id-3")).toBeUndefined();
  });

  test("changes that weren't awaited are part of the transaction, and later ones are refused", async () => {
    const late = await getStore().transaction(async (transaction) => transaction.of(subscribers));
    expect((await catchError(late.insert(createSubscriber(1)))).message).toContain("already ended");
    expect((await catchError(late.get("id-1"))).message).toContain("already ended");
    expect(await getList().count()).toBe(0);
    await getStore().transaction(async (transaction) => {
      void transaction.of(subscribers).insert(createSubscriber(1));
      void transaction.of(visits).update(appendItem(createVisit(1)));
    });
    expect(await readStored()).toEqual({ ...NOTHING, subscribers: 1, visits: 1 });
  });

  test("a checkpoint can be made at any time, also without changes", async () => {
    await getStore().purgeOldVersions();
    await insertMany(getStore().of(subscribers), 3);
    await getList().delete("id-1");
    await getStore().transaction((transaction) => transaction.of(subscribers).delete("id-2"));
    await Promise.all([getStore().purgeOldVersions(), getStore().purgeOldVersions()]);
    await reopen();
    expect(await getList().count()).toBe(1);
  });

  test("closing finishes a transaction under way and refuses later ones", async () => {
    const store = getStore();
    const accepted = store.transaction(changeAll);
    const closed = store.close();
    expect(await catchError(store.transaction(changeAll))).toMatchObject({ code: "cannot_store" });
    await closed;
    await accepted;
    await reopen();
    expect(await readStored()).toEqual(ALL);
  });
}
