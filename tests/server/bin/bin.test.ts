/** A deleted item is in the bin or in its list, whatever interrupts it, and is permanently deleted when due. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { StoredItem } from "../../../src/schema/entities/entity.ts";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store, Transaction } from "../../../src/server/storage/store.ts";
import { folderForEach } from "../../support/folderForEach.ts";
import { filesHolding } from "../../support/keptTexts.ts";
import { diskError, faultyDisk } from "../storage/faultyDisk.ts";

const DAY = 24 * 60 * 60 * 1000;
const { statistics } = entities;

const at = folderForEach();
let store: Store;
let bin: Bin;
let now = 0;
/** Files that can't be written from now on. */
let fails: (path: string) => boolean = () => false;

beforeEach(async () => {
  now = Date.now();
  fails = () => false;
  await open();
});
afterEach(() => store.close());

async function open(): Promise<void> {
  store = await openStore({
    directory: at(),
    entities: allEntities,
    log: () => {},
    disk: faultyDisk((operation, path) => {
      if ((operation === "rename" || operation === "write") && fails(path)) throw diskError("EIO");
    }, true),
  });
  bin = new Bin(store, () => now);
}

const list = () => store.of(statistics).read().value;
const idsIn = async (page = bin.readPage({ offset: 0, limit: 100 })) =>
  (await page).items.map(({ item }) => item.id);

async function add(id: string, value = "1"): Promise<Item<"statistics">> {
  const item = { ...getInitialValues(statistics.fields), id, value, label: "Shows" };
  await store.of(statistics).update((all) => [...all, item]);
  return item;
}

async function removeItem(transaction: Transaction, id: string) {
  const all = transaction.of(statistics);
  const item = (await all.read()).value.find((each) => each.id === id);
  if (!item) throw new Error("It isn't there.");
  await all.update((items) => items.filter((each) => each.id !== id));
  return item;
}

const listAgain = (transaction: Transaction, item: StoredItem) =>
  transaction.of(statistics).update((all) => [...all, item as Item<"statistics">]);

const discard = (id: string) =>
  bin.moveToBin(statistics, (transaction) => removeItem(transaction, id));

/** Adds items and deletes them in the same order. */
async function discarded(...ids: string[]): Promise<Item<"statistics">[]> {
  const items = [];
  for (const id of ids) items.push(await add(id));
  for (const id of ids) await discard(id);
  return items;
}

async function putBack(id: string) {
  return bin.restoreItem(id, async ({ item }, transaction) => {
    await listAgain(transaction, item);
    return item;
  });
}

/** The files that hold a text, without histories. */
const holding = async (text: string) =>
  (await filesHolding(at(), text)).filter((path) => !path.includes("history"));

test("a deleted item is in the trash, after a restart too, and is restored once, with its id", async () => {
  const [item] = await discarded("a");
  expect([list(), await idsIn()]).toEqual([[], ["a"]]);
  await store.close();
  await open();
  expect(await idsIn()).toEqual(["a"]);
  const back = await Promise.all([putBack("a"), putBack("a"), putBack("a")]);
  expect(back.filter((each) => each !== undefined)).toEqual([item!]);
  expect([list(), await idsIn()]).toEqual([[item!], []]);
});

test("the latest deletion is listed first", async () => {
  for (const id of ["a", "b", "c"]) await add(id);
  for (const id of ["b", "a", "c"]) await discard(id);
  expect(await idsIn()).toEqual(["c", "a", "b"]);
  await putBack("b");
  await discard("b");
  expect(await idsIn()).toEqual(["b", "c", "a"]);
  expect(await bin.countByEntity()).toEqual({ statistics: 3 });
  expect((await bin.readPage({ offset: 1, limit: 1 })).total).toBe(3);
});

test("a deletion that can't be stored deletes nothing, and the rest of its transaction is reverted", async () => {
  await add("a");
  const done: string[] = [];
  fails = (path) => path.includes("journal");
  const refused = bin.moveToBin(
    statistics,
    (transaction) => removeItem(transaction, "a"),
    async () => {
      done.push("hidden");
      return async () => done.push("shown");
    },
  );
  await expect(refused).rejects.toMatchObject({ code: "cannot_store" });
  fails = () => false;
  expect([list().length, await idsIn(), done]).toEqual([1, [], ["hidden", "shown"]]);
});

test("of two simultaneous deletions one finds nothing, and the item is in the trash", async () => {
  await add("a");
  const outcomes = await Promise.allSettled([discard("a"), discard("a")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await idsIn()).toEqual(["a"]);
});

test("an item that couldn't be restored stays in the trash", async () => {
  await discarded("a");
  fails = (path) => path.includes("journal");
  await expect(putBack("a")).rejects.toMatchObject({ code: "cannot_store" });
  fails = () => false;
  expect([list(), await idsIn()]).toEqual([[], ["a"]]);
  const shown = bin.restoreItem(
    "a",
    ({ item }, transaction) => listAgain(transaction, item),
    () => Promise.reject(new Error("full")),
  );
  await expect(shown).rejects.toThrow("full");
  expect([list(), await idsIn()]).toEqual([[], ["a"]]);
  expect(await putBack("a")).toBeDefined();
});

test("after 30 days an item is hidden at once, and then removed from every file", async () => {
  await add("a", "a-secret-number");
  await discard("a");
  now += 30 * DAY - 1000;
  expect(await idsIn()).toEqual(["a"]);
  await bin.deleteExpired(() => expect.unreachable());
  now += 1000;
  expect(await idsIn()).toEqual([]);
  expect([await bin.getItem("a"), await putBack("a")]).toEqual([undefined, undefined]);
  expect(await holding("a-secret-number")).not.toEqual([]);
  const removed: string[] = [];
  await bin.deleteExpired(async ({ item }) => {
    removed.push(item.id);
    return async () => {};
  });
  expect(removed).toEqual(["a"]);
  expect(await holding("a-secret-number")).toEqual([]);
});

test("a purged item is hidden at once, and removed later if that fails", async () => {
  await discarded("a", "b");
  expect(await bin.expireItems(["a", "nothing"])).toBe(1);
  expect([await idsIn(), await putBack("a")]).toEqual([["b"], undefined]);
  await expect(bin.deleteExpired(() => Promise.reject(new Error("full")))).rejects.toThrow("full");
  expect(await idsIn()).toEqual(["b"]);
  expect(await bin.expireItems()).toBe(1);
  await bin.deleteExpired(async () => async () => {});
  expect(await store.of(entities.bin).count()).toBe(0);
});

test("a purged or expired item stays so when the clock is set back", async () => {
  await discarded("a", "b");
  await bin.expireItems(["a"]);
  const before = now;
  now += 30 * DAY;
  await expect(bin.deleteExpired(() => Promise.reject(new Error("full")))).rejects.toThrow("full");
  now = before;
  expect(await idsIn()).toEqual([]);
  expect([await putBack("a"), await putBack("b")]).toEqual([undefined, undefined]);
});

test("an item that is restored while others are purged stays complete", async () => {
  const items = await discarded("a", "b");
  await bin.expireItems();
  const removed: string[] = [];
  let comesBack: Promise<unknown> | undefined;
  await bin.deleteExpired(async ({ item }) => {
    removed.push(item.id);
    const other = items.find(({ id }) => id !== item.id)!;
    comesBack = bin.whileSweepPaused((again) =>
      again([statistics], (transaction) => listAgain(transaction, other)),
    );
    // Deletions take this long in a bucket with many pictures.
    now += DAY;
    return async () => {};
  });
  await comesBack;
  expect(removed).toHaveLength(1);
  expect(list().map(({ id }) => id)).not.toContain(removed[0]);
  expect([list().length, await store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("restoring an earlier version of a list waits for purges, and takes its items out of the trash", async () => {
  const [item] = await discarded("a");
  await bin.expireItems();
  const listing = Promise.withResolvers<void>();
  const back = bin.whileSweepPaused(async (again) => {
    await listing.promise;
    await again([statistics], (transaction) => listAgain(transaction, item!));
  });
  const swept = bin.deleteExpired(() => expect.unreachable());
  listing.resolve();
  await Promise.all([back, swept]);
  expect([list().length, await store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("an item of an unknown entity stays until it expires, and can't be restored", async () => {
  const until = new Date(now + DAY).toISOString();
  const row = { version: 1, item: { id: "x" }, deletedAt: until, until };
  await store.of(entities.bin).insert({ ...row, id: "x", entity: "poems" });
  await store.of(entities.bin).insert({ ...row, id: "y", entity: "statistics", version: 99 });
  await expect(putBack("x")).rejects.toMatchObject({ code: "conflict" });
  expect(await idsIn()).toEqual([]);
  now += DAY;
  await bin.deleteExpired(() => expect.unreachable());
  expect(await store.of(entities.bin).count()).toBe(0);
});
