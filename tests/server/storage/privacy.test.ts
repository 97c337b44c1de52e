/** Only the owner can read the files, and erased data is in none of them. */
import { expect, test } from "bun:test";
import { chmod, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { takeSnapshot } from "../../../src/server/storage/files/folderSnapshot.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { findFilesContaining } from "../../support/storedTexts.ts";
import { waitForValue } from "../../support/waits.ts";
import { createDiskError, createFaultyDisk } from "./faultyDisk.ts";
import {
  fillAndStop,
  hero,
  insertMany,
  saveTitle,
  setUpSiteForEach,
  catchError,
  createSubscriber,
  subscribers,
} from "./samples.ts";

const site = setUpSiteForEach();

const getList = (store: Store) => store.of(subscribers);

async function listPaths(): Promise<string[]> {
  const names = await readdir(site.directory, { recursive: true });
  return [site.directory, ...names.map((name) => join(site.directory, name))];
}

const findFilesWith = (text: string) => findFilesContaining(site.directory, text);

test.each([0o000, 0o077, 0o277])(
  "whatever the umask, files are 0600 and folders 0700",
  async (mask) => {
    const before = process.umask(mask);
    try {
      const store = await site.open();
      await saveTitle(store, "Second");
      await getList(store).insert(createSubscriber(1));
      await getList(store).delete("id-1");
    } finally {
      process.umask(before);
    }
    const paths = await listPaths();
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const stats = await stat(path);
      expect(`${path} ${(stats.mode & 0o777).toString(8)}`).toBe(
        `${path} ${stats.isDirectory() ? "700" : "600"}`,
      );
    }
  },
);

test("deleted data is in no file after a purge, even if an earlier purge failed", async () => {
  let isStuck = false;
  const disk = createFaultyDisk((operation, path) => {
    if (isStuck && operation === "remove" && path.includes("journal-000001"))
      throw createDiskError("EIO");
  }, true);
  const store = await site.open({ disk });
  await getList(store).insert({ ...createSubscriber(1), email: "erased@example.com" });
  await getList(store).delete(createSubscriber(1).id);
  isStuck = true;
  expect(await catchError(store.purgeOldVersions())).toMatchObject({ code: "cannot_store" });
  expect(await findFilesWith("erased@example.com")).not.toEqual([]);
  isStuck = false;
  await store.purgeOldVersions();
  expect(await findFilesWith("erased@example.com")).toEqual([]);
});

test("a start makes a data folder private that other users could enter", async () => {
  await (await site.open()).close();
  await chmod(site.directory, 0o755);
  await site.open();
  expect((await stat(site.directory)).mode & 0o777).toBe(0o700);
});

/** Removes a word from a list's records. */
type Removal = (list: ReturnType<typeof getList>) => Promise<unknown>;

test.each<[string, Removal]>([
  ["a deletion", (list) => list.delete("id-2")],
  ["a deletion of many", (list) => list.deleteWhere({ active: true })],
  ["a change", (list) => list.update("id-2", (record) => ({ ...record, note: "" }))],
  ["a change of many", (list) => list.updateWhere({}, (record) => ({ ...record, note: "" }))],
  [
    "a change by the unique key",
    (list) => list.upsert("person2@example.org", (record) => ({ ...record!, note: "" })),
  ],
])("data removed by %s is in no file, .bak included", async (_, remove) => {
  const store = await site.open();
  const list = getList(store);
  await insertMany(list, 300);
  await list.update("id-2", (record) => ({ ...record, note: "192.0.2.77" }));
  await store.purgeOldVersions();
  expect((await findFilesWith("192.0.2.77")).length).toBeGreaterThan(1);
  await remove(list);
  await store.purgeOldVersions();
  expect(await findFilesWith("192.0.2.77")).toEqual([]);
  expect((await findFilesWith("person1@")).length).toBeGreaterThan(0);
});

test("a purge removes deleted data also from copies of migrated and of damaged files", async () => {
  await fillAndStop(site, 3);
  const segment = join(site.directory, "subscribers", "000001.json");
  await writeFile(segment, `${await readFile(segment, "utf8")} torn`);
  const upgraded = { ...subscribers, version: 2, migrations: { 1: (record: unknown) => record } };
  const again = await site.open({ entities: [hero, upgraded] });
  expect((await findFilesWith("person2@")).length).toBeGreaterThan(2);
  await again.of(upgraded).delete("id-2");
  await again.purgeOldVersions();
  expect(await findFilesWith("person2@")).toEqual([]);
});

test.each(["another number", "the number of the next process, as in a container"])(
  "a start removes the snapshot of a killed backup whose process had %s",
  async (pidKind) => {
    const store = await site.open();
    await getList(store).insert(createSubscriber(1));
    await store.purgeOldVersions();
    const snapshot = await takeSnapshot(site.directory);
    expect((await readdir(snapshot)).length).toBeGreaterThan(3);
    const ended = Bun.spawn(["true"]);
    await ended.exited;
    const pid = pidKind === "another number" ? ended.pid : process.pid;
    await rename(snapshot, join(dirname(snapshot), `snapshot-${pid}-left`));
    await getList(store).delete("id-1");
    await store.close();
    await site.open();
    expect(await findFilesWith("person1@")).toEqual([]);
  },
);

test("opening a store removes no snapshot that the same process is using", async () => {
  await (await site.open()).close();
  const snapshot = await takeSnapshot(site.directory);
  await (await site.open()).close();
  expect((await readdir(snapshot)).length).toBeGreaterThan(3);
});

test("a checkpoint is made automatically some seconds after a change, and at a stop", async () => {
  const store = await site.open();
  for (const number of [1, 2]) await getList(store).insert(createSubscriber(number));
  await getList(store).delete("id-2");
  await waitForValue(() => findFilesWith("person2@"), []);
  await getList(store).delete("id-1");
  await store.close();
  expect(await findFilesWith("person1@")).toEqual([]);
});
