/**
 * Sites on a disk that fails at random and dies at any moment: after each start everything acknowledged is there in
 * its order, nothing refused comes back, and every transaction is complete. `FAULT_SITES=300 FAULT_SEED=5 bun test
 * tests/server/storage/journalFaults.test.ts` sets the number of sites and the seed.
 */
import { expect, test } from "bun:test";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { createSeededRandom } from "./seededRandom.ts";
import { createDiskError, createFaultyDisk } from "./faultyDisk.ts";
import {
  appendItem,
  hero,
  createSite,
  saveTitle,
  type Site,
  createSubscriber,
  subscribers,
  readTitle,
  createVisit,
  visits,
} from "./samples.ts";

const SITE_COUNT = Number(process.env["FAULT_SITES"] ?? 25);
const SEED = Number(process.env["FAULT_SEED"] ?? 1);
const LIVES_PER_SITE = 3;
const ENTITIES = [hero, subscribers, visits];

/** The expected state of a record or a pair: "unknown" if the disk died before the response. */
type RecordState = "there" | "gone" | "unknown";

interface Model {
  readonly records: Map<string, RecordState>;
  /** Records whose writes were acknowledged one after the other, in that order. */
  readonly inOrder: string[];
  /** The possible titles. */
  titles: Set<string>;
  /** Visits and records stored in one transaction, by their number. */
  readonly pairs: Map<number, RecordState>;
  nextNumber: number;
}

async function runLife(site: Site, model: Model, draw: (below: number) => number): Promise<void> {
  const diesAfter = 40 + draw(400);
  const odds = [0, 40, 12][draw(3)]!;
  let operations = 0;
  let isOpen = false;
  const disk = createFaultyDisk((operation) => {
    if (++operations > diesAfter) throw createDiskError("EIO");
    const isSpared = operation === "sync" || operation === "truncate" || operation === "read";
    if (isOpen && odds > 0 && !isSpared && draw(odds) === 0)
      throw createDiskError(draw(2) ? "ENOSPC" : "EIO");
  }, true);
  const options = { directory: site.directory, entities: ENTITIES, log: () => {}, disk };
  const opened = await openStore({ ...options, onFatal: rethrow }).catch(() => undefined);
  if (!opened) return;
  isOpen = true;
  const isDead = () => operations > diesAfter;
  try {
    for (let round = 0; round < 60 && !isDead(); round++)
      await Promise.all(
        Array.from({ length: 1 + draw(3) }, () => changeRandomly(opened, model, draw, isDead)),
      );
  } finally {
    operations = diesAfter;
    await opened.close();
  }
}

const rethrow = (error: Error): never => {
  throw error;
};

/** Makes one call, and updates the model by its response. */
async function changeRandomly(
  store: Store,
  model: Model,
  draw: (below: number) => number,
  isDead: () => boolean,
): Promise<void> {
  /** The expected state after the work: `done` if it succeeded. */
  const outcome = (work: Promise<unknown>, done: RecordState = "there"): Promise<RecordState> =>
    work.then(
      () => done,
      () => (isDead() ? "unknown" : done === "there" ? "gone" : "there"),
    );
  const number = model.nextNumber++;
  const list = store.of(subscribers);
  const storedIds = [...model.records].filter(([, state]) => state === "there").map(([id]) => id);
  const id = storedIds[draw(Math.max(1, storedIds.length))];
  switch (draw(6)) {
    case 0:
    case 1: {
      const { id } = createSubscriber(number);
      const state = await outcome(list.insert(createSubscriber(number)));
      model.records.set(id, state);
      if (state === "there") model.inOrder.push(id);
      return;
    }
    case 2: {
      if (id === undefined) return;
      // No other call uses the record while it is deleted.
      model.records.set(id, "unknown");
      model.records.set(id, await outcome(list.delete(id), "gone"));
      return;
    }
    case 3: {
      const title = `Title ${number}`;
      model.titles.add(title);
      if ((await outcome(saveTitle(store, title))) === "gone") model.titles.delete(title);
      return;
    }
    case 4: {
      const pair = store.transaction(async (transaction) => {
        await transaction.of(visits).update(appendItem(createVisit(number)));
        await transaction
          .of(subscribers)
          .insert(createSubscriber(number, { id: `pair-${number}` }));
      });
      model.pairs.set(number, await outcome(pair));
      return;
    }
    default:
      await outcome(store.purgeOldVersions());
  }
}

async function expectModel(site: Site, model: Model, label: string): Promise<void> {
  const store = await site.open({ entities: ENTITIES });
  const records = await Array.fromAsync(store.of(subscribers).scan());
  const ids = new Set(records.map((each) => each.id));
  for (const [id, state] of model.records)
    if (state === "unknown") model.records.set(id, ids.has(id) ? "there" : "gone");
    else expect([label, id, ids.has(id)]).toEqual([label, id, state === "there"]);
  const order = records.map((each) => each.id).filter((id) => model.inOrder.includes(id));
  expect([label, order]).toEqual([label, model.inOrder.filter((id) => ids.has(id))]);
  const { value: visited } = store.of(visits).read();
  const seen = new Set(visited.map(({ id }) => id));
  for (const [number, state] of model.pairs) {
    const isStored = ids.has(`pair-${number}`);
    expect([label, number, seen.has(`visit-${number}`)]).toEqual([label, number, isStored]);
    if (state !== "unknown")
      expect([label, number, isStored]).toEqual([label, number, state === "there"]);
    model.pairs.set(number, isStored ? "there" : "gone");
  }
  const title = readTitle(store);
  expect([label, model.titles.has(title)]).toEqual([label, true]);
  model.titles = new Set([title]);
  await store.close();
}

test(`on faulty disks none of ${SITE_COUNT} sites loses, doubles or reorders anything, and no refused change reappears`, async () => {
  for (let at = 0; at < SITE_COUNT; at++) {
    const draw = createSeededRandom(SEED * 10_007 + at);
    const site = await createSite();
    const model: Model = {
      records: new Map(),
      inOrder: [],
      titles: new Set(["First"]),
      pairs: new Map(),
      nextNumber: 1,
    };
    for (let round = 0; round < LIVES_PER_SITE; round++) {
      await runLife(site, model, draw);
      await expectModel(site, model, `site ${at}, life ${round}, seed ${SEED}`);
    }
    await site.remove();
  }
}, 600_000);
