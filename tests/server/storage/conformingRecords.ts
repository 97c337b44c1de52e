/** The promises of every storage engine about records. */
import { expect, test } from "bun:test";
import { type Store } from "../../../src/server/storage/store.ts";
import {
  insertMany,
  catchError,
  createSubscriber,
  subscribers,
  type Subscriber,
} from "./samples.ts";

const markRecord = (record: Subscriber) =>
  record.note === "marked" ? record : { ...record, note: "marked" };

const spoilRecord = (record: Subscriber) =>
  record.id === "id-2" ? { ...record, id: "other" } : { ...record, note: "half" };

export function testRecords(getStore: () => Store, reopen: () => Promise<Store>): void {
  const list = () => getStore().of(subscribers);

  test("an inserted record is found by id and by unique key, also after reopening", async () => {
    await list().insert(createSubscriber(1));
    await reopen();
    expect(await list().get("id-1")).toEqual(createSubscriber(1));
    expect(await list().findUnique("person1@example.org")).toEqual(createSubscriber(1));
    expect(await list().get("id-2")).toBeUndefined();
    expect(await list().findUnique("nobody@example.org")).toBeUndefined();
  });

  test("the total size grows and shrinks with the records, also after reopening", async () => {
    const empty = await list().measureBytes();
    await insertMany(list(), 20);
    const filled = await list().measureBytes();
    expect(filled - empty).toBeGreaterThan(20 * "person1@example.org".length);
    await reopen();
    expect(await list().measureBytes()).toBe(filled);
    await list().deleteWhere({});
    expect(await list().measureBytes()).toBeLessThan(filled / 2);
  });

  test("a taken id or unique key is a conflict and changes nothing", async () => {
    await list().insert(createSubscriber(1));
    const sameId = list().insert(createSubscriber(2, { id: "id-1" }));
    const sameKey = list().insert(createSubscriber(2, { email: "person1@example.org" }));
    expect(await catchError(sameId)).toMatchObject({ code: "conflict" });
    expect(await catchError(sameKey)).toMatchObject({ code: "conflict" });
    expect(await list().count()).toBe(1);
  });

  test("of simultaneous inserts with the same id or key the first is stored, the others are refused", async () => {
    await list().insert(createSubscriber(1));
    const duplicates = [
      createSubscriber(2, { id: "id-1" }),
      createSubscriber(3, { email: "person1@example.org" }),
      createSubscriber(4),
      createSubscriber(4, { email: "again@example.org" }),
      createSubscriber(5),
      createSubscriber(6, { email: "person5@example.org" }),
    ];
    const outcomes = await Promise.allSettled(duplicates.map((each) => list().insert(each)));
    const done = outcomes.flatMap(({ status }, at) => (status === "fulfilled" ? at : []));
    expect(done).toEqual([2, 4]);
    await reopen();
    expect(await list().readKeys()).toHaveLength(3);
    expect((await list().get("id-4"))?.email).toBe("person4@example.org");
  });

  test("simultaneous subscriptions with one address make one record", async () => {
    let made = 0;
    const email = "a@example.org";
    const subscribe = () =>
      list().upsert(email, (existing) =>
        existing ? { ...existing, note: `${existing.note}+` } : createSubscriber(++made, { email }),
      );
    await Promise.all([subscribe(), subscribe(), subscribe()]);
    expect(await list().count()).toBe(1);
    expect(made).toBe(1);
    expect((await list().findUnique(email))?.note).toBe("++");
  });

  test("an upsert that returns its input writes nothing", async () => {
    const stored = await list().insert(createSubscriber(1));
    const notified: string[] = [];
    getStore().onChange((name) => notified.push(name));
    expect(await list().upsert("person1@example.org", (existing) => existing!)).toEqual(stored);
    expect(notified).toEqual([]);
  });

  test("a change by a unique key changes the record that has it, and none if no record has it", async () => {
    await list().insert(createSubscriber(1));
    const stored = await list().insert(createSubscriber(2));
    await list().updateUnique("person1@example.org", (record) => ({ ...record, note: "left" }));
    await list().updateUnique("nobody@example.org", (record) => ({ ...record, note: "left" }));
    expect((await list().get("id-1"))?.note).toBe("left");
    expect(await list().get("id-2")).toEqual(stored);
    expect(await list().count()).toBe(2);
  });

  test("an upsert can't change the key or an update the id, and an error in one rejects it", async () => {
    const upsert = list().upsert("a@example.org", () => createSubscriber(1));
    expect((await catchError(upsert)).message).toContain("unique key");
    const mine = new Error("mine");
    const thrown = list().upsert("a@example.org", () => {
      throw mine;
    });
    expect(await catchError(thrown)).toBe(mine);
    await list().insert(createSubscriber(1));
    const update = list().update("id-1", (record) => ({ ...record, id: "id-2" }));
    expect((await catchError(update)).message).toContain("id");
    expect(await list().get("id-1")).toEqual(createSubscriber(1));
  });

  test("an update changes the record, its filter key and its unique key", async () => {
    await list().insert(createSubscriber(1));
    const moved = { active: true, email: "moved@example.org" };
    const changed = await list().update("id-1", (record) => ({ ...record, ...moved }));
    expect(changed?.active).toBe(true);
    expect(await list().count({ active: true })).toBe(1);
    expect(await list().findUnique("person1@example.org")).toBeUndefined();
    expect((await list().findUnique("moved@example.org"))?.id).toBe("id-1");
  });

  test("an update of an unknown id returns undefined, and so does a deletion", async () => {
    expect(await list().update("nobody", (record) => record)).toBeUndefined();
    expect(await list().delete("nobody")).toBeUndefined();
  });

  test("an update to a key that another record has is a conflict", async () => {
    await list().insert(createSubscriber(1));
    await list().insert(createSubscriber(2));
    const conflicting = list().update("id-2", (record) => ({
      ...record,
      email: "person1@example.org",
    }));
    expect(await catchError(conflicting)).toMatchObject({ code: "conflict" });
  });

  test("a deletion returns the record, which no longer exists after reopening, and frees its keys", async () => {
    await list().insert(createSubscriber(1));
    expect(await list().delete("id-1")).toEqual(createSubscriber(1));
    await reopen();
    expect(await list().count()).toBe(0);
    expect(await list().insert(createSubscriber(1))).toEqual(createSubscriber(1));
  });

  test("deleteWhere deletes matching records and returns how many", async () => {
    await insertMany(list(), 450);
    expect(await list().deleteWhere({ active: true })).toBe(225);
    expect(await list().deleteWhere({ active: true })).toBe(0);
    await reopen();
    expect(await list().count()).toBe(225);
    expect(await list().get("id-2")).toBeUndefined();
    expect(await list().get("id-3")).toEqual(createSubscriber(3));
  });

  test("deleteWhere reaches a record whose insert is still under way", async () => {
    const inserted = list().insert(createSubscriber(2));
    expect(await list().deleteWhere({ active: true })).toBe(1);
    await inserted;
    expect(await list().count()).toBe(0);
  });

  test("updateWhere changes matching records, returns how many and leaves the rest", async () => {
    await insertMany(list(), 450);
    expect(await list().updateWhere({ active: true }, markRecord)).toBe(225);
    expect(await list().updateWhere({ active: true }, markRecord)).toBe(0);
    await reopen();
    expect(await list().get("id-2")).toEqual(createSubscriber(2, { note: "marked" }));
    expect(await list().get("id-3")).toEqual(createSubscriber(3));
  });

  test("updateWhere changes nothing in a segment if one change is impossible", async () => {
    await insertMany(list(), 3);
    const { message } = await catchError(list().updateWhere({}, spoilRecord));
    expect(message).toBe("A change must keep the record's id.");
    expect(await list().get("id-1")).toEqual(createSubscriber(1));
    expect(await list().insert(createSubscriber(9))).toEqual(createSubscriber(9));
    expect(await list().get("id-1")).toEqual(createSubscriber(1));
  });

  test("mixed simultaneous changes happen in the order they were requested", async () => {
    const results = await Promise.all([
      list().insert(createSubscriber(1)),
      list().update("id-1", (record) => ({ ...record, note: "seen" })),
      list().delete("id-1"),
      list().insert(createSubscriber(1, { note: "again" })),
    ]);
    expect(results.map((record) => record?.note)).toEqual(["", "seen", "seen", "again"]);
    expect(await list().count()).toBe(1);
  });

  test("a key freed by a deletion or change is available to the next change in the queue", async () => {
    await list().insert(createSubscriber(1));
    const results = await Promise.all([
      list().delete("id-1"),
      list().insert(createSubscriber(1, { note: "again" })),
      list().update("id-1", (record) => ({ ...record, email: "moved@example.org" })),
      list().insert(createSubscriber(2, { email: "person1@example.org" })),
    ]);
    expect(results.map((record) => record?.note)).toEqual(["", "again", "again", ""]);
    expect((await list().findUnique("person1@example.org"))?.id).toBe("id-2");
    expect((await list().findUnique("moved@example.org"))?.id).toBe("id-1");
  });

  test("returned records are frozen", async () => {
    const record = await list().insert(createSubscriber(1));
    expect(() => Object.assign(record, { note: "sneaked in" })).toThrow();
  });
}
