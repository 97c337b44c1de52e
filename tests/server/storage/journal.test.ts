/**
 * A kill leaves everything acknowledged in the journal; a journal that can't be read is refused with a message and
 * never skipped. `JOURNAL=every` tries every byte.
 */
import { expect, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { waitForValue } from "../../support/waits.ts";
import { createDiskError, createFaultyDisk, type Operation } from "./faultyDisk.ts";
import {
  appendItem,
  hero,
  insertMany,
  simulateKill,
  letters,
  catchError,
  saveTitle,
  setUpSiteForEach,
  createSubscriber,
  subscribers,
  readTitle,
  createVisit,
  visits,
} from "./samples.ts";

const IS_COMPLETE = process.env["JOURNAL"] === "every";
const ENTITIES = [hero, subscribers, visits];
const JOURNAL_NAME = "journal-000001.jsonl";
const NEXT_JOURNAL_NAME = "journal-000002.jsonl";

const site = setUpSiteForEach();
const getPath = (name: string) => site.path(name);
const openTestStore = () => site.open({ entities: ENTITIES });

/** A killed site whose document, two lists and transaction are in the journal only. */
async function createKilledSite(): Promise<unknown[]> {
  const store = await openTestStore();
  await saveTitle(store, "Second");
  for (const number of [1, 2, 3]) await store.of(subscribers).insert(createSubscriber(number));
  await store.of(visits).update(appendItem(createVisit(1)));
  await store.transaction(async (transaction) => {
    await transaction.of(hero).update((value) => ({ ...value, title: "Third" }));
    await transaction.of(subscribers).delete("id-2");
    await transaction.of(visits).update((list) => [createVisit(2), ...list]);
  });
  const content = await readContent(store);
  await simulateKill(site, store);
  return content;
}

const readContent = async (store: Store): Promise<unknown[]> => [
  store.of(hero).read(),
  (await store.of(hero).listRevisions()).length,
  store.of(visits).read(),
  await Array.fromAsync(store.of(subscribers).scan()),
];

test("after a kill every acknowledged change is there, with its revision and in order", async () => {
  const before = await createKilledSite();
  const store = await openTestStore();
  expect(await readContent(store)).toEqual(before);
  expect((await store.of(hero).readRevision(2))?.value.title).toBe("Second");
  expect(await store.of(subscribers).findUnique("person2@example.org")).toBeUndefined();
  await store.close();
  expect(await readContent(await openTestStore())).toEqual(before);
  expect(site.log).toEqual([]);
});

test("a clean stop removes the journal, and the marker file requires none", async () => {
  await createKilledSite();
  const journal = async () => (await Bun.file(getPath("installation.json")).json()).value.journal;
  expect(await journal()).toBe(1);
  await (await openTestStore()).close();
  expect((await readdir(site.directory)).filter((name) => name.startsWith("journal"))).toEqual([]);
  expect(await journal()).toBeNull();
});

/** Opens a copy of the site with one changed file. */
async function openChanged(
  change: (folder: string) => Promise<void>,
): Promise<{ readonly content?: unknown; readonly refusal?: string; readonly log: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-journal-"));
  const log: string[] = [];
  try {
    await cp(site.directory, folder, { recursive: true });
    await change(folder);
    const options = {
      directory: folder,
      entities: ENTITIES,
      log: (line: string) => log.push(line),
    };
    const store = await openStore(options);
    const content = await readContent(store);
    await store.close();
    return { content, log };
  } catch (error) {
    expect(error).toMatchObject({ code: "cannot_open" });
    return { refusal: (error as Error).message, log };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Some positions in a file, or all. */
const samplePositions = (length: number, step: number) =>
  Array.from(
    { length: Math.ceil(length / (IS_COMPLETE ? 1 : step)) },
    (_, at) => at * (IS_COMPLETE ? 1 : step),
  );

test("a start with any byte of the journal changed is refused, with a message that says what to do", async () => {
  await createKilledSite();
  const bytes = await readFile(getPath(JOURNAL_NAME));
  for (const at of samplePositions(bytes.length, 41)) {
    const outcome = await openChanged(async (folder) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at]! + 1 + (at % 255)) % 256;
      await writeFile(join(folder, JOURNAL_NAME), changed);
    });
    expect([at, outcome.refusal]).toEqual([
      at,
      expect.stringContaining(`${JOURNAL_NAME} is damaged`),
    ]);
    expect(outcome.refusal).toContain("limelight doctor --accept");
  }
}, 600_000);

test("a start with a journal truncated anywhere reads every complete line", async () => {
  const before = await createKilledSite();
  const bytes = await readFile(getPath(JOURNAL_NAME));
  expect((await openChanged(() => Promise.resolve())).content).toEqual(before);
  const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
  const contents = new Map<number, unknown>();
  for (const at of samplePositions(bytes.length, 67)) {
    const outcome = await openChanged((folder) =>
      writeFile(join(folder, JOURNAL_NAME), bytes.subarray(0, at)),
    );
    const whole = ends.filter((end) => end <= at).length;
    if (whole === 0)
      expect([at, outcome.refusal]).toEqual([at, expect.stringContaining("is missing")]);
    else {
      contents.set(whole, contents.get(whole) ?? outcome.content);
      expect([at, outcome.content]).toEqual([at, contents.get(whole)]);
    }
  }
  expect((await openChanged((folder) => rm(join(folder, JOURNAL_NAME)))).refusal).toContain(
    "is missing",
  );
}, 600_000);

async function damageLine(folder: string, line: number): Promise<void> {
  const bytes = await readFile(join(folder, JOURNAL_NAME));
  const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 0x0a ? at : []));
  bytes[ends[line]! - 3]! ^= 1;
  await writeFile(join(folder, JOURNAL_NAME), bytes);
}

test("the readable part of a damaged journal is used only if the owner accepts it", async () => {
  await createKilledSite();
  // The second change is the first of three subscribers.
  await damageLine(site.directory, 2);
  await catchError(openTestStore());
  expect(await site.engine.acceptManualEdits(ENTITIES)).toContainEqual({
    ok: true,
    message: "The journal was accepted without 1 of the last changes, which can't be read.",
  });
  const store = await openTestStore();
  expect((await Array.fromAsync(store.of(subscribers).scan())).map(({ id }) => id)).toEqual([
    "id-3",
  ]);
  expect(readTitle(store)).toBe("Third");
  await simulateKill(site, store);
  await rm(getPath(JOURNAL_NAME));
  await catchError(openTestStore());
  await site.engine.acceptManualEdits(ENTITIES);
  expect(await (await openTestStore()).of(subscribers).count()).toBeLessThan(2);
});

/** A site that was killed between switching to the next journal and the end of the checkpoint. */
async function createTwoJournals(): Promise<void> {
  await createKilledSite();
  const control = { gate: (_operation: Operation, _path: string) => {} };
  const disk = createFaultyDisk((operation, name) => control.gate(operation, name));
  const store = await site.open({ entities: ENTITIES, disk });
  await store.of(subscribers).insert(createSubscriber(7));
  control.gate = (operation, name) => {
    if (operation === "rename" && name.endsWith("000001.json")) throw createDiskError("EIO");
  };
  await catchError(store.purgeOldVersions());
  await store.of(subscribers).insert(createSubscriber(8));
  await simulateKill(site, store, () => (control.gate = () => {}));
}

test("accepting a damaged journal can be repeated after a kill, without losing more", async () => {
  await createTwoJournals();
  await damageLine(site.directory, 2);
  const secondJournal = await readFile(getPath(NEXT_JOURNAL_NAME));
  await site.engine.acceptManualEdits(ENTITIES);
  const readSite = async () => (await openChanged(() => Promise.resolve())).content;
  const accepted = await readSite();
  expect(JSON.stringify(accepted)).toContain("id-8");
  // Simulates a kill before the second journal was removed.
  await writeFile(getPath(NEXT_JOURNAL_NAME), secondJournal);
  expect((await openChanged(() => Promise.resolve())).refusal).toContain("--accept");
  await site.engine.acceptManualEdits(ENTITIES);
  expect(await readSite()).toEqual(accepted);
});

test("a start is refused if the journal or its successor is missing", async () => {
  await createTwoJournals();
  expect((await openChanged((folder) => rm(join(folder, JOURNAL_NAME)))).refusal).toContain(
    JOURNAL_NAME,
  );
  const next = await openChanged((folder) => rm(join(folder, NEXT_JOURNAL_NAME)));
  expect(next.refusal).toContain(NEXT_JOURNAL_NAME);
  const whole = await openTestStore();
  expect((await whole.of(subscribers).get("id-8"))?.id).toBe("id-8");
});

test("a journal of another site is refused", async () => {
  await createKilledSite();
  const journal = await readFile(getPath(JOURNAL_NAME));
  await rm(site.directory, { recursive: true });
  const other = await openTestStore();
  await other.of(subscribers).insert(createSubscriber(1));
  await simulateKill(site, other);
  await writeFile(getPath(JOURNAL_NAME), journal);
  expect((await catchError(openTestStore())).message).toContain("belongs to another site");
});

test("an upgrade after a kill also migrates the changes that are only in the journal", async () => {
  const store = await site.open({ entities: [hero, subscribers] });
  await saveTitle(store, "Second");
  await store.of(subscribers).insert(createSubscriber(1));
  await store.purgeOldVersions();
  await saveTitle(store, "Third");
  for (const number of [2, 3]) await store.of(subscribers).insert(createSubscriber(number));
  await store.of(subscribers).update("id-1", (record) => ({ ...record, note: "old" }));
  await simulateKill(site, store);
  const renamed = (value: any) => ({ ...value, title: `${value.title}!` });
  const newHero = { ...hero, version: 2, migrations: { 1: renamed } };
  const noted = (record: any) => ({ ...record, note: `${record.note}?` });
  const newSubscribers = { ...subscribers, version: 2, migrations: { 1: noted } };
  const entities = [newHero, newSubscribers];
  for (let round = 0; round < 2; round++) {
    const again = await site.open({ entities });
    expect(again.of(newHero).read().value.title).toBe("Third!");
    const records = await Array.fromAsync(again.of(newSubscribers).scan());
    expect(records.map(({ id, note }) => [id, note])).toEqual([
      ["id-1", "old?"],
      ["id-2", "?"],
      ["id-3", "?"],
    ]);
    await again.close();
  }
});

test("a long journal is continued in a new file during changes, and no change is lost", async () => {
  const store = await site.open({ entities: [hero, subscribers, letters] });
  const note = "x".repeat(10_000);
  for (let at = 0; at < 1200; at += 100) await insertMany(store.of(subscribers), 100, { note }, at);
  const isAnew = async () =>
    (await readdir(site.directory)).some(
      (name) => /^journal-0*[1-9]\d?\.jsonl$/.test(name) && !name.includes("000001"),
    );
  await waitForValue(isAnew, true);
  await store.purgeOldVersions();
  await simulateKill(site, store);
  const again = await site.open({ entities: [hero, subscribers, letters] });
  expect((await Array.fromAsync(again.of(subscribers).scan())).map(({ id }) => id)).toEqual(
    Array.from({ length: 1200 }, (_, at) => `id-${at}`),
  );
});
