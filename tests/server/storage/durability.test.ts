/** Writes when the disk fails or the process dies at any step. */
import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { disk } from "../../../src/server/storage/disk/realDisk.ts";
import { DiskReserve } from "../../../src/server/storage/disk/diskReserve.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { createSaveProbe } from "../../../src/server/storage/disk/saveProbe.ts";
import { waitForValue } from "../../support/waits.ts";
import { createDiskError, createFaultyDisk, type Operation } from "./faultyDisk.ts";
import {
  appendItem,
  hero,
  insertMany,
  simulateKill,
  saveTitle,
  setUpSiteForEach,
  catchError,
  createSubscriber,
  createVisit,
  subscribers,
  readTitle,
  visits,
} from "./samples.ts";

const site = setUpSiteForEach();

const getHero = (store: Store) => store.of(hero);
const getList = (store: Store) => store.of(subscribers);

/** A disk whose behavior a test can change before the next operation. */
function createTamperableDisk(shouldSkipSync = false) {
  const control = { gate: (_operation: Operation, _path: string): void | Promise<void> => {} };
  const disk = createFaultyDisk((operation, path) => control.gate(operation, path), shouldSkipSync);
  return { control, disk };
}

/** Opens the site on such a disk. */
async function openWithTamperableDisk() {
  const { control, disk } = createTamperableDisk();
  return { control, store: await site.open({ disk }) };
}

/** A gate at which some operations fail. */
const createFailingGate =
  (code: string, fails: (operation: Operation, path: string) => boolean) =>
  (operation: Operation, path: string): void => {
    if (fails(operation, path)) throw createDiskError(code);
  };

test("each change or transaction writes only one line to the journal, however much is stored", async () => {
  const { control, store } = await openWithTamperableDisk();
  await insertMany(getList(store), 300);
  await store.purgeOldVersions();
  const steps: string[] = [];
  control.gate = (operation, path) => void steps.push(`${operation} ${basename(path)}`);
  for (const change of [
    () => saveTitle(store, "Second"),
    () => getList(store).insert(createSubscriber(1000)),
    () => getList(store).update("id-7", (record) => ({ ...record, note: "changed" })),
    () => getList(store).delete("id-8"),
    () =>
      store.transaction(async (transaction) => {
        await transaction.of(hero).update((value) => ({ ...value, title: "Third" }));
        await transaction.of(subscribers).insert(createSubscriber(1001));
        await transaction.of(subscribers).delete("id-9");
      }),
  ]) {
    steps.length = 0;
    await change();
    expect(steps).toEqual([expect.stringMatching(/^write journal-\d+\.jsonl$/)]);
  }
});

describe.each(["ENOSPC", "EIO"])("when the disk fails with %s", (code) => {
  const steps: Operation[] = ["open", "create", "write", "rename", "remove"];
  test.each(steps)(
    "a checkpoint that fails at %s loses nothing, and can be repeated",
    async (step) => {
      const { control, store } = await openWithTamperableDisk();
      await getList(store).insert(createSubscriber(1));
      await saveTitle(store, "Second");
      control.gate = createFailingGate(
        code,
        (operation, path) => operation === step && !path.includes("journal-"),
      );
      if (step !== "remove")
        expect(await catchError(store.purgeOldVersions())).toMatchObject({ code: "cannot_store" });
      await saveTitle(store, "Third");
      await getList(store).insert(createSubscriber(2));
      await simulateKill(site, store, () => (control.gate = () => {}));
      const again = await site.open();
      expect(readTitle(again)).toBe("Third");
      expect(await getList(again).count()).toBe(2);
      await again.purgeOldVersions();
      await again.close();
      expect(await listTemporaryFiles()).toEqual([]);
      const third = await site.open();
      expect((await getHero(third).listRevisions()).map(({ revision }) => revision)).toEqual([
        2, 1,
      ]);
      expect(await getList(third).count()).toBe(2);
    },
  );
});

async function listTemporaryFiles(): Promise<string[]> {
  const names = await readdir(site.directory, { recursive: true });
  return names.filter((name) => name.endsWith(".tmp"));
}

test("all changes that shared a failed write are refused, and a change that threw rejects with its own error", async () => {
  const { control, store } = await openWithTamperableDisk();
  control.gate = createFailingGate("ENOSPC", (operation) => operation === "write");
  const mistake = new Error("mine");
  const outcomes = await Promise.allSettled([
    getHero(store).update(() => {
      throw mistake;
    }),
    getHero(store).update((value) => value),
    saveTitle(store, "Lost"),
    getHero(store).update((value) => value),
  ]);
  const done = outcomes.flatMap(({ status }, at) => (status === "fulfilled" ? at : []));
  expect(done).toEqual([1]);
  expect((outcomes[0] as PromiseRejectedResult).reason).toBe(mistake);
  expect((outcomes[3] as PromiseRejectedResult).reason).toMatchObject({ code: "cannot_store" });
});

test("a change based on a refused write is refused too, on a disk without reserved space", async () => {
  const { control, disk } = createTamperableDisk();
  const store = await site.open({ disk, entities: [visits] });
  control.gate = createFailingGate("ENOSPC", (operation) => operation === "write");
  const outcomes = await Promise.allSettled([
    store.of(visits).update(appendItem(createVisit(1))),
    store.of(visits).update((value) => value),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(store.of(visits).read().value).toEqual([]);
});

test.each(["file", "folder"])("a failed fsync of the %s ends the process", async (kind) => {
  const { control, disk } = createTamperableDisk();
  const ends: Error[] = [];
  const onFatal = (error: Error): never => {
    ends.push(error);
    throw error;
  };
  const store = await site.open({ disk, onFatal });
  await saveTitle(store, "Second");
  control.gate = createFailingGate(
    "EIO",
    (operation, path) => operation === "sync" && path.endsWith(".tmp") === (kind === "file"),
  );
  expect(await catchError(store.purgeOldVersions())).toMatchObject({ code: "cannot_store" });
  expect(ends).toHaveLength(1);
  expect(site.readLog()).toContain("fsync failed");
  control.gate = () => {};
  expect(await catchError(saveTitle(store, "Later"))).toMatchObject({ code: "cannot_store" });
  expect(await catchError(store.checkHealth())).toMatchObject({ code: "cannot_store" });
  await store.close();
  expect(readTitle(await site.open())).toBe("Second");
});

test("the process ends if a refused change can't be removed from the journal", async () => {
  const { control, store } = await openWithTamperableDisk();
  control.gate = createFailingGate(
    "EIO",
    (operation, path) =>
      operation === "truncate" || (operation === "write" && path.endsWith(".jsonl")),
  );
  await catchError(saveTitle(store, "Unknown"));
  expect(site.readLog()).toContain("exiting");
});

test.each([
  ["create", "ENOSPC", "The disk is full"],
  ["write", "ENOSPC", "The disk is full"],
  ["write", "EDQUOT", "quota is used up"],
  ["create", "EROFS", "read-only"],
  ["create", "EACCES", "aren't writable"],
  ["open", "EMFILE", "Too many files"],
  ["sync", "EIO", "at the moment (EIO)"],
  ["rename", "EIO", "at the moment (EIO)"],
] as const)(
  "the health check fails with the reason if a save would fail at %s with %s",
  async (step, code, reason) => {
    const { control, store } = await openWithTamperableDisk();
    control.gate = createFailingGate(code, (operation) => operation === step);
    const message = expect.stringContaining(reason);
    expect(await catchError(store.checkHealth())).toMatchObject({ code: "cannot_store", message });
    control.gate = () => {};
    expect(await store.checkHealth()).toBeUndefined();
    expect(await listTemporaryFiles()).toEqual([]);
    // A failed health check doesn't end the process, unlike a failed save.
    expect(await saveTitle(store, "Later")).toBeDefined();
  },
);

test("health checks of a disk that doesn't respond time out, and share one attempt", async () => {
  const gate = Promise.withResolvers<void>();
  let creations = 0;
  const stalling = createFaultyDisk((operation) => {
    if (operation === "create") creations++;
    return operation === "sync" ? gate.promise : undefined;
  });
  await site.open();
  const probe = createSaveProbe(stalling, site.directory, 50);
  for (let at = 0; at < 3; at++)
    expect(await catchError(probe())).toMatchObject({
      message: expect.stringContaining("hasn't responded for 5 seconds"),
    });
  expect(creations).toBe(1);
  gate.resolve();
  await createSaveProbe(stalling, site.directory)();
});

test("a reserve file that a kill or a full disk left incomplete is completed later", async () => {
  const folder = await mkdtemp(join(tmpdir(), "limelight-reserve-"));
  const file = Bun.file(join(folder, ".reserve"));
  for (const bytes of [0, 1 << 16]) {
    await Bun.write(file, new Uint8Array(bytes));
    const reserve = new DiskReserve(disk, folder);
    await reserve.allocate();
    // Called after each write that had room.
    reserve.grow();
    // The file is missing for a moment while it is replaced.
    const size = async () => (await stat(file.name!).catch(() => undefined))?.size;
    await waitForValue(size, 1 << 20);
    await file.delete();
  }
  await Bun.write(file, new Uint8Array(1 << 20));
  const original = await stat(file.name!);
  await new DiskReserve(disk, folder).allocate();
  expect((await stat(file.name!)).ino).toBe(original.ino);
  await rm(folder, { recursive: true });
});
