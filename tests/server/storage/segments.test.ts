/** A large list costs the same with a hundred records or twenty thousand. */
import { expect, test } from "bun:test";
import { readdir, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Store } from "../../../src/server/storage/store.ts";
import { faultyDisk } from "./faultyDisk.ts";
import {
  all,
  hero,
  insertMany,
  killedNow,
  siteForEach,
  subscriber,
  subscribers,
  type Subscriber,
} from "./samples.ts";

const site = siteForEach();

const list = (store: Store) => store.of(subscribers);
const fill = (store: Store, count: number, more: Partial<Subscriber> = {}) =>
  insertMany(list(store), count, more);
// For filling only, since the test doesn't depend on its fsyncs.
const hurried = faultyDisk(() => {}, true);
const segmentNames = async () =>
  (await readdir(join(site.directory, "subscribers")))
    .filter((name) => /^\d+\.json$/.test(name))
    .sort();

/** A disk that records which files are read and replaced. */
function watchedDisk() {
  const read: string[] = [];
  const written: string[] = [];
  const disk = faultyDisk((operation, path) => {
    if (operation === "read") read.push(basename(path));
    if (operation === "rename" && !path.endsWith(".bak")) written.push(basename(path));
  });
  return { disk, read, written };
}

test("with twenty thousand records a checkpoint writes only changed segments, and reads none", async () => {
  const filling = await site.open({ disk: hurried });
  await fill(filling, 20_000);
  await filling.close();
  expect(await segmentNames()).toHaveLength(100);

  const { disk, read, written } = watchedDisk();
  const store = await site.open({ disk });
  expect(await list(store).count()).toBe(20_000);
  read.length = written.length = 0;
  await list(store).readPage({ newestFirst: true, offset: 10_000, limit: 50 });
  await list(store).update("id-4321", (record) => ({ ...record, note: "changed" }));
  await list(store).delete("id-19999");
  await list(store).insert(subscriber(20_000));
  await list(store).insert(subscriber(20_001));
  expect([read, written]).toEqual([[], []]);
  await store.purgeOldVersions();
  // The last segment had one place left, for the first insert.
  expect(written).toEqual(["000022.json", "000100.json", "000101.json", "segments.json"]);
  expect(read).toEqual([]);
  expect((await all(list(store).scan())).length).toBe(20_001);
});

test("a segment is bounded in bytes too", async () => {
  const store = await site.open();
  await fill(store, 40, { note: "x".repeat(30_000) });
  await store.purgeOldVersions();
  const names = await segmentNames();
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) {
    const { size } = await stat(join(site.directory, "subscribers", name));
    expect(size).toBeLessThan(256 * 1024 + 31_000);
  }
});

test("a change during a checkpoint isn't considered written, and isn't lost", async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  let isHeld = false;
  const disk = faultyDisk((operation, path) => {
    if (!isHeld || operation !== "rename" || !path.endsWith("000001.json")) return undefined;
    reached.resolve();
    return held.promise;
  });
  const store = await site.open({ disk });
  await fill(store, 3);
  isHeld = true;
  const writing = store.purgeOldVersions();
  await reached.promise;
  await list(store).update("id-1", (record) => ({ ...record, note: "changed" }));
  await list(store).insert(subscriber(3));
  expect((await list(store).get("id-1"))?.note).toBe("changed");
  held.resolve();
  await writing;
  await killedNow(site, store);
  const again = await site.open();
  expect((await list(again).get("id-1"))?.note).toBe("changed");
  expect(await list(again).count()).toBe(4);
});

test("emptied segments at the beginning are removed by a checkpoint", async () => {
  const store = await site.open({ disk: hurried });
  await fill(store, 1_000);
  for (let number = 0; number < 500; number++) await list(store).delete(`id-${number}`);
  await store.close();
  const again = await site.open();
  expect(await segmentNames()).toEqual(["000003.json", "000004.json", "000005.json"]);
  expect(await list(again).count()).toBe(500);
  await again.close();
  await writeFile(join(site.directory, "subscribers", "segments.json"), "torn");
  expect(await list(await site.open()).count()).toBe(500);
});

test("changes that arrive during a write share the next one", async () => {
  const lines: number[] = [0];
  const disk = faultyDisk((operation, path) => {
    if (operation === "write" && path.endsWith(".jsonl")) lines[0]!++;
  });
  const store = await site.open({ disk });
  lines[0] = 0;
  const changes = Array.from({ length: 500 }, () =>
    store.of(hero).update((value) => ({ ...value, score: value.score + 1 })),
  );
  await Promise.all([...changes, fill(store, 500)]);
  expect(lines[0]).toBeLessThanOrEqual(4);
});
