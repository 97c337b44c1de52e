/** What was deleted is in the bin or in its list, whatever comes in between, and goes when it has to. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initialValues } from "../../../src/schema/check.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { type Bin, openBin } from "../../../src/server/storage/bin.ts";
import { openStore } from "../../../src/server/storage/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { storedSubmission } from "../content/storedSubmission.ts";
import { filesHolding } from "../../support/keptTexts.ts";
import { diskError, faultyDisk } from "./faultyDisk.ts";

const DAY = 24 * 60 * 60 * 1000;
const { statistics, formSubmissions } = entities;

let directory = "";
let store: Store;
let bin: Bin;
let now = 0;
/** Which files can't be written from now on. */
let fails: (path: string) => boolean = () => false;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "limelight-bin-"));
  now = Date.now();
  fails = () => false;
  await open();
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

async function open(): Promise<void> {
  store = await openStore({
    directory,
    entities: allEntities,
    log: () => {},
    disk: faultyDisk((operation, path) => {
      if ((operation === "rename" || operation === "write") && fails(path)) throw diskError("EIO");
    }, true),
  });
  bin = openBin(store, () => now);
}

const list = () => store.of(statistics).read().value;
const idsIn = async (page = bin.page({ offset: 0, limit: 100 })) =>
  (await page).items.map(({ item }) => item.id);

async function add(id: string, value = "1"): Promise<Item<"statistics">> {
  const item = { ...initialValues(statistics.fields), id, value, label: "Shows" };
  await store.of(statistics).update((all) => [...all, item]);
  return item;
}

async function takeOut(id: string) {
  const item = list().find((each) => each.id === id)!;
  await store.of(statistics).update((all) => all.filter((each) => each.id !== id));
  return item;
}

const discard = (id: string) => bin.discard(statistics, id, () => takeOut(id));

async function putBack(id: string) {
  return bin.putBack(id, async ({ item }) => {
    await store.of(statistics).update((all) => [...all, item as Item<"statistics">]);
    return item;
  });
}

/** The files that hold a text, histories aside. */
const holding = async (text: string) =>
  (await filesHolding(directory, text)).filter((path) => !path.includes("history"));

test("what is deleted is in the bin, after a restart too, and comes back once, with its id", async () => {
  const item = await add("a");
  await discard("a");
  expect([list(), await idsIn()]).toEqual([[], ["a"]]);
  await store.close();
  await open();
  expect(await idsIn()).toEqual(["a"]);
  const back = await Promise.all([putBack("a"), putBack("a"), putBack("a")]);
  expect(back.filter((each) => each !== undefined)).toEqual([item]);
  expect([list(), await idsIn()]).toEqual([[item], []]);
});

test("what was deleted last is first", async () => {
  for (const id of ["a", "b", "c"]) await add(id);
  for (const id of ["b", "a", "c"]) await discard(id);
  expect(await idsIn()).toEqual(["c", "a", "b"]);
  await putBack("b");
  await discard("b");
  expect(await idsIn()).toEqual(["b", "c", "a"]);
  expect(await bin.counts()).toEqual({ statistics: 3 });
  expect((await bin.page({ offset: 1, limit: 1 })).total).toBe(3);
});

test("a deletion that the bin can't take deletes nothing", async () => {
  await add("a");
  fails = (path) => path.includes("/bin/");
  await expect(discard("a")).rejects.toMatchObject({ code: "cannot_store" });
  fails = () => false;
  expect([list().length, await idsIn()]).toEqual([1, []]);
});

test("a deletion that the list can't take leaves nothing in the bin", async () => {
  await add("a");
  fails = (path) => path.includes("statistics.json");
  await expect(discard("a")).rejects.toMatchObject({ code: "cannot_store" });
  fails = () => false;
  expect([list().length, await idsIn(), store.of(entities.bin).count()]).toEqual([1, [], 0]);
});

test("what a kill between the two steps left in both is in its list", async () => {
  await add("a");
  await expect(
    bin.discard(statistics, "a", async () => {
      fails = () => true;
      throw new Error("killed");
    }),
  ).rejects.toThrow("killed");
  fails = () => false;
  expect(store.of(entities.bin).count()).toBe(1);
  // Out of sight even before it is settled, and nothing that could be put back a second time.
  expect([await idsIn(), await bin.counts(), await putBack("a")]).toEqual([[], {}, undefined]);
  await store.close();
  await open();
  await bin.settle();
  expect([list().length, store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("of two deletions at once one finds nothing, and the item is in the bin", async () => {
  await add("a");
  const outcomes = await Promise.allSettled([discard("a"), discard("a")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await idsIn()).toEqual(["a"]);
});

test("one that is changed at the moment of its deletion is kept as it was in the end", async () => {
  await add("a", "1");
  await bin.discard(statistics, "a", async () => {
    await store.of(statistics).update((all) => all.map((each) => ({ ...each, value: "2" })));
    return takeOut("a");
  });
  expect((await bin.get("a"))!.item["value"]).toBe("2");
});

test("one that could not be put back stays in the bin", async () => {
  await add("a");
  await discard("a");
  fails = (path) => path.includes("statistics.json");
  await expect(putBack("a")).rejects.toMatchObject({ code: "cannot_store" });
  fails = () => false;
  expect(await idsIn()).toEqual(["a"]);
  expect(await putBack("a")).toBeDefined();
});

test("one that was put back and could not leave the bin is there once", async () => {
  await add("a");
  await discard("a");
  fails = (path) => path.includes("/bin/");
  expect(await putBack("a")).toBeDefined();
  fails = () => false;
  expect([list().length, await idsIn(), await putBack("a")]).toEqual([1, [], undefined]);
  await bin.settle();
  expect(store.of(entities.bin).count()).toBe(0);
});

test("after 30 days it is out of sight at once, and then in no file", async () => {
  await add("a", "a-secret-number");
  await discard("a");
  now += 30 * DAY - 1000;
  expect(await idsIn()).toEqual(["a"]);
  await bin.sweep(() => expect.unreachable());
  now += 1000;
  expect([await idsIn(), await bin.get("a"), await putBack("a")]).toEqual([
    [],
    undefined,
    undefined,
  ]);
  expect(await holding("a-secret-number")).not.toEqual([]);
  const gone: string[] = [];
  await bin.sweep(async ({ item }) => void gone.push(item.id));
  expect(gone).toEqual(["a"]);
  expect(await holding("a-secret-number")).toEqual([]);
});

test("what is let go is out of sight at once, and goes later where that fails", async () => {
  for (const id of ["a", "b"]) await add(id);
  for (const id of ["a", "b"]) await discard(id);
  expect(await bin.letGo(["a", "nothing"])).toBe(1);
  expect([await idsIn(), await putBack("a")]).toEqual([["b"], undefined]);
  await expect(bin.sweep(() => Promise.reject(new Error("full")))).rejects.toThrow("full");
  expect(await idsIn()).toEqual(["b"]);
  expect(await bin.letGo()).toBe(1);
  await bin.sweep(async () => {});
  expect(store.of(entities.bin).count()).toBe(0);
});

test("one that came back into its list by another way takes nothing along when it is due", async () => {
  const item = await add("a");
  await discard("a");
  await bin.letGo();
  await store.of(statistics).update((all) => [...all, item]);
  await bin.sweep(() => expect.unreachable());
  await bin.settle();
  expect([list().length, store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("one that is listed again while others go for good stays whole", async () => {
  const items = [await add("a"), await add("b")];
  for (const { id } of items) await discard(id);
  await bin.letGo();
  const gone: string[] = [];
  let comesBack: Promise<unknown> | undefined;
  await bin.sweep(async ({ item }) => {
    gone.push(item.id);
    const other = items.find(({ id }) => id !== item.id)!;
    comesBack = bin.whileListing(() => store.of(statistics).update((all) => [...all, other]));
    // As long as it takes in a bucket with many pictures.
    now += DAY;
  });
  await comesBack;
  expect(gone).toHaveLength(1);
  expect(list().map(({ id }) => id)).not.toContain(gone[0]);
  expect([list().length, store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("an earlier version of a list waits for what goes for good, and takes what it lists out of the bin", async () => {
  const item = await add("a");
  await discard("a");
  await bin.letGo();
  const listing = Promise.withResolvers<void>();
  const back = bin.whileListing(async () => {
    await listing.promise;
    await store.of(statistics).update((all) => [...all, item]);
  });
  const swept = bin.sweep(() => expect.unreachable());
  listing.resolve();
  await Promise.all([back, swept]);
  expect([list().length, store.of(entities.bin).count()]).toEqual([1, 0]);
});

test("nothing comes back while a person is erased, and what is theirs is in no file afterwards", async () => {
  const theirs = { ...storedSubmission("f"), userAgent: "the-browser-of-eve" };
  const other = storedSubmission("f");
  const records = store.of(formSubmissions);
  for (const record of [theirs, other]) {
    await records.insert(record);
    await bin.discard(formSubmissions, record.id, async () => (await records.delete(record.id))!);
  }
  const comesBack = Promise.withResolvers<unknown>();
  const erased = await bin.erase(
    (entity, item) => entity === formSubmissions && item.id === theirs.id,
    async () => {
      comesBack.resolve(
        bin.putBack(theirs.id, ({ item }) => records.insert(item as typeof theirs)),
      );
      await Bun.sleep(1);
    },
  );
  expect(erased).toEqual({ formSubmissions: 1 });
  expect(await comesBack.promise).toBeUndefined();
  expect(await idsIn()).toEqual([other.id]);
  expect(await holding("the-browser-of-eve")).toEqual([]);
});

test("what an earlier release deleted comes back as this one stores it", async () => {
  const { questions: _, ...rest } = storedSubmission("f");
  await store.of(entities.bin).insert({
    id: rest.id,
    entity: "formSubmissions",
    version: 1,
    item: { ...rest, submissionData: '{"name":"Ann"}' },
    deletedAt: new Date(now).toISOString(),
    until: new Date(now + DAY).toISOString(),
  });
  expect((await bin.get(rest.id))!.item).toEqual({
    ...rest,
    questions: [{ id: "name", label: "name", type: "text", answer: "Ann" }],
  });
});

test("what this release does not know stays until it is due, and can't be put back", async () => {
  const until = new Date(now + DAY).toISOString();
  const row = { version: 1, item: { id: "x" }, deletedAt: until, until };
  await store.of(entities.bin).insert({ ...row, id: "x", entity: "poems" });
  await store.of(entities.bin).insert({ ...row, id: "y", entity: "statistics", version: 99 });
  await expect(putBack("x")).rejects.toMatchObject({ code: "conflict" });
  expect(await idsIn()).toEqual([]);
  now += DAY;
  await bin.sweep(() => expect.unreachable());
  expect(store.of(entities.bin).count()).toBe(0);
});
