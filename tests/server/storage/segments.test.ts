/** A large list costs the same with a hundred records or twenty thousand. */
import { expect, test } from "bun:test";
import { readdir, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Store } from "../../../src/server/storage/store.ts";
import { createFaultyDisk } from "./faultyDisk.ts";
import {
  hero,
  insertMany,
  simulateKill,
  setUpSiteForEach,
  createSubscriber,
  subscribers,
  type Subscriber,
} from "./samples.ts";

const site = setUpSiteForEach();

const getList = (store: Store) => store.of(subscribers);
const insertSubscribers = (store: Store, count: number, more: Partial<Subscriber> = {}) =>
  insertMany(getList(store), count, more);
// For filling only, since the test doesn't depend on its fsyncs.
const unsyncedDisk = createFaultyDisk(() => {}, true);
const listSegmentNames = async () =>
  (await readdir(join(site.directory, "subscribers")))
    .filter((name) => /^\d+\.json$/.test(name))
    .sort();

/** A disk that records which files are read and replaced. */
function createWatchedDisk() {
  const read: string[] = [];
  const written: string[] = [];
  const disk = createFaultyDisk((operation, path) => {
    if (operation === "read") read.push(basename(path));
    if (operation === "rename" && !path.endsWith(".bak")) written.push(basename(path));
  });
  return { disk, read, written };
}

test("with twenty thousand records a checkpoint writes only changed segments, and reads none", async () => {
  const filling = await site.open({ disk: unsyncedDisk });
  await insertSubscribers(filling, 20_000);
  await filling.close();
  expect(await listSegmentNames()).toHaveLength(100);

  const { disk, read, written } = createWatchedDisk();
  const store = await site.open({ disk });
  expect(await getList(store).count()).toBe(20_000);
  read.length = written.length = 0;
  await getList(store).readPage({ newestFirst: true, offset: 10_000, limit: 50 });
  await getList(store).update("id-4321", (record) => ({ ...record, note: "changed" }));
  await getList(store).delete("id-19999");
  await getList(store).insert(createSubscriber(20_000));
  await getList(store).insert(createSubscriber(20_001));
  expect([read, written]).toEqual([[], []]);
  await store.purgeOldVersions();
  // The last segment had one place left, for the first insert.
  expect(written).toEqual(["000022.json", "000100.json", "000101.json", "segments.json"]);
  expect(read).toEqual([]);
  expect((await Array.fromAsync(getList(store).scan())).length).toBe(20_001);
});

test("a list of large records is split into segments of limited size", async () => {
  const store = await site.open();
  await insertSubscribers(store, 40, { note: "x".repeat(30_000) });
  await store.purgeOldVersions();
  const names = await listSegmentNames();
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const { size } = await stat(join(site.directory, "subscribers", name));
    expect(size).toBeLessThan(256 * 1024 + 31_000);
  }
});

test("a change made during a checkpoint isn't lost if the process is killed afterwards", async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let isHeld = false;
  const disk = createFaultyDisk((operation, path) => {
    if (!isHeld || operation !== "rename" || !path.endsWith("000001.json")) return undefined;
    reached.resolve();
    return held.promise;
  });
  const store = await site.open({ disk });
  await insertSubscribers(store, 3);
  isHeld = true;
  const writing = store.purgeOldVersions();
  await reached.promise;
  await getList(store).update("id-1", (record) => ({ ...record, note: "changed" }));
  await getList(store).insert(createSubscriber(3));
  expect((await getList(store).get("id-1"))?.note).toBe("changed");
  held.resolve();
  await writing;
  await simulateKill(site, store);
  const again = await site.open();
  expect((await getList(again).get("id-1"))?.note).toBe("changed");
  expect(await getList(again).count()).toBe(4);
});

test("a checkpoint removes emptied segments from the beginning of a list", async () => {
  const store = await site.open({ disk: unsyncedDisk });
  await insertSubscribers(store, 1_000);
  for (let number = 0; number < 500; number++) await getList(store).delete(`id-${number}`);
  await store.close();
  const again = await site.open();
  expect(await listSegmentNames()).toEqual(["000003.json", "000004.json", "000005.json"]);
  expect(await getList(again).count()).toBe(500);
  await again.close();
  await writeFile(join(site.directory, "subscribers", "segments.json"), "torn");
  expect(await getList(await site.open()).count()).toBe(500);
});

test("changes that arrive during a write to the journal share the next write", async () => {
  const lines: number[] = [0];
  const disk = createFaultyDisk((operation, path) => {
    if (operation === "write" && path.endsWith(".jsonl")) lines[0]!++;
  });
  const store = await site.open({ disk });
  lines[0] = 0;
  const changes = Array.from({ length: 500 }, () =>
    store.of(hero).update((value) => ({ ...value, score: value.score + 1 })),
  );
  await Promise.all([...changes, insertSubscribers(store, 500)]);
  expect(lines[0]).toBeLessThanOrEqual(4);
});
