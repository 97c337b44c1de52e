/** A deleted item is in the bin or in its list, whatever interrupts it, and is deleted permanently when due. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { StoredItem } from "../../../src/schema/entities/entity.ts";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store, Transaction } from "../../../src/server/storage/store.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import { findFilesContaining } from "../../support/storedTexts.ts";
import { createDiskError, createFaultyDisk } from "../storage/faultyDisk.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const { statistics } = entities;

const getPath = setUpFolderForEach();
let store: Store;
let bin: Bin;
let now = 0;
/** Whether writing the file at a path fails. */
let shouldFail: (path: string) => boolean = () => false;

beforeEach(async () => {
  now = Date.now();
  shouldFail = () => false;
  await openBin();
});
afterEach(() => store.close());

async function openBin(): Promise<void> {
  store = await openStore({
    directory: getPath(),
    entities: allEntities,
    log: () => {},
    disk: createFaultyDisk((operation, path) => {
      if ((operation === "rename" || operation === "write") && shouldFail(path))
        throw createDiskError("EIO");
    }, true),
  });
  bin = new Bin(store, () => now);
}

const readList = () => store.of(statistics).read().value;
const readIds = async (page = bin.readPage({ offset: 0, limit: 100 })) =>
  (await page).items.map(({ item }) => item.id);

async function addItem(id: string, value = "1"): Promise<Item<"statistics">> {
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

const addToList = (transaction: Transaction, item: StoredItem) =>
  transaction.of(statistics).update((all) => [...all, item as Item<"statistics">]);

const deleteItem = (id: string) =>
  bin.moveToBin(statistics, (transaction) => removeItem(transaction, id));

/** Adds items and deletes them in the same order. */
async function addAndDelete(...ids: string[]): Promise<Item<"statistics">[]> {
  const items = [];
  for (const id of ids) items.push(await addItem(id));
  for (const id of ids) await deleteItem(id);
  return items;
}

async function restoreItem(id: string) {
  return bin.restoreItem(id, async ({ item }, transaction) => {
    await addToList(transaction, item);
    return item;
  });
}

/** The files that contain a text, except histories. */
const findFilesWith = async (text: string) =>
  (await findFilesContaining(getPath(), text)).filter((path) => !path.includes("history"));

test("a deleted item stays in the trash after a restart, and can be restored once with its id", async () => {
  const [item] = await addAndDelete("a");
  expect([readList(), await readIds()]).toEqual([[], ["a"]]);
  await store.close();
  await openBin();
  expect(await readIds()).toEqual(["a"]);
  const back = await Promise.all([restoreItem("a"), restoreItem("a"), restoreItem("a")]);
  expect(back.filter((each) => each !== undefined)).toEqual([item!]);
  expect([readList(), await readIds()]).toEqual([[item!], []]);
});

test("the trash lists the latest deletion first", async () => {
  for (const id of ["a", "b", "c"]) await addItem(id);
  for (const id of ["b", "a", "c"]) await deleteItem(id);
  expect(await readIds()).toEqual(["c", "a", "b"]);
  await restoreItem("b");
  await deleteItem("b");
  expect(await readIds()).toEqual(["b", "c", "a"]);
  expect(await bin.countByEntity()).toEqual({ statistics: 3 });
  expect((await bin.readPage({ offset: 1, limit: 1 })).total).toBe(3);
});

test("a deletion that can't be stored deletes nothing, and the rest of its transaction is reverted", async () => {
  await addItem("a");
  const done: string[] = [];
  shouldFail = (path) => path.includes("journal");
  const refused = bin.moveToBin(
    statistics,
    (transaction) => removeItem(transaction, "a"),
    async () => {
      done.push("hidden");
      return async () => done.push("shown");
    },
  );
  await expect(refused).rejects.toMatchObject({ code: "cannot_store" });
  shouldFail = () => false;
  expect([readList().length, await readIds(), done]).toEqual([1, [], ["hidden", "shown"]]);
});

test("of two simultaneous deletions of an item one is refused, and the trash has the item once", async () => {
  await addItem("a");
  const outcomes = await Promise.allSettled([deleteItem("a"), deleteItem("a")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await readIds()).toEqual(["a"]);
});

test("an item that couldn't be restored stays in the trash", async () => {
  await addAndDelete("a");
  shouldFail = (path) => path.includes("journal");
  await expect(restoreItem("a")).rejects.toMatchObject({ code: "cannot_store" });
  shouldFail = () => false;
  expect([readList(), await readIds()]).toEqual([[], ["a"]]);
  const shown = bin.restoreItem(
    "a",
    ({ item }, transaction) => addToList(transaction, item),
    () => Promise.reject(new Error("full")),
  );
  await expect(shown).rejects.toThrow("full");
  expect([readList(), await readIds()]).toEqual([[], ["a"]]);
  expect(await restoreItem("a")).toBeDefined();
});

test("after 30 days the trash no longer lists an item, and then removes it from every file", async () => {
  await addItem("a", "a-secret-number");
  await deleteItem("a");
  now += 30 * DAY_MS - 1000;
  expect(await readIds()).toEqual(["a"]);
  await bin.deleteExpired(() => expect.unreachable());
  now += 1000;
  expect(await readIds()).toEqual([]);
  expect([await bin.getItem("a"), await restoreItem("a")]).toEqual([undefined, undefined]);
  expect(await findFilesWith("a-secret-number")).not.toEqual([]);
  const removed: string[] = [];
  await bin.deleteExpired(async ({ item }) => {
    removed.push(item.id);
    return async () => {};
  });
  expect(removed).toEqual(["a"]);
  expect(await findFilesWith("a-secret-number")).toEqual([]);
});

test("an item purged from the trash is hidden at once, and its removal is repeated if it fails", async () => {
  await addAndDelete("a", "b");
  expect(await bin.expireItems(["a", "nothing"])).toBe(1);
  expect([await readIds(), await restoreItem("a")]).toEqual([["b"], undefined]);
  await expect(bin.deleteExpired(() => Promise.reject(new Error("full")))).rejects.toThrow("full");
  expect(await readIds()).toEqual(["b"]);
  expect(await bin.expireItems()).toBe(1);
  await bin.deleteExpired(async () => async () => {});
  expect(await store.of(entities.bin).count()).toBe(0);
});

test("a purged or expired item of the trash stays hidden if the clock is set back", async () => {
  await addAndDelete("a", "b");
  await bin.expireItems(["a"]);
  const before = now;
  now += 30 * DAY_MS;
  await expect(bin.deleteExpired(() => Promise.reject(new Error("full")))).rejects.toThrow("full");
  now = before;
  expect(await readIds()).toEqual([]);
  expect([await restoreItem("a"), await restoreItem("b")]).toEqual([undefined, undefined]);
});

test("an item that is restored while the trash is purged isn't lost", async () => {
  const items = await addAndDelete("a", "b");
  await bin.expireItems();
  const removed: string[] = [];
  let comesBack: Promise<unknown> | undefined;
  await bin.deleteExpired(async ({ item }) => {
    removed.push(item.id);
    const other = items.find(({ id }) => id !== item.id)!;
    comesBack = bin.runWithSweepPaused((again) =>
      again([statistics], (transaction) => addToList(transaction, other)),
    );
    // Deletions take this long in a bucket with many pictures.
    now += DAY_MS;
    return async () => {};
  });
  await comesBack;
  expect(removed).toHaveLength(1);
  expect(readList().map(({ id }) => id)).not.toContain(removed[0]);
  expect([readList().length, await store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("restoring an earlier version of a list pauses purges, and removes the restored items from the trash", async () => {
  const [item] = await addAndDelete("a");
  await bin.expireItems();
  const listing = Promise.withResolvers<void>();
  const back = bin.runWithSweepPaused(async (again) => {
    await listing.promise;
    await again([statistics], (transaction) => addToList(transaction, item!));
  });
  const swept = bin.deleteExpired(() => expect.unreachable());
  listing.resolve();
  await Promise.all([back, swept]);
  expect([readList().length, await store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("an item of an unknown entity stays in the trash until it expires, and can't be restored", async () => {
  const until = new Date(now + DAY_MS).toISOString();
  const row = { version: 1, item: { id: "x" }, deletedAt: until, until };
  await store.of(entities.bin).insert({ ...row, id: "x", entity: "poems" });
  await store.of(entities.bin).insert({ ...row, id: "y", entity: "statistics", version: 99 });
  await expect(restoreItem("x")).rejects.toMatchObject({ code: "conflict" });
  expect(await readIds()).toEqual([]);
  now += DAY_MS;
  await bin.deleteExpired(() => expect.unreachable());
  expect(await store.of(entities.bin).count()).toBe(0);
});
