/**
 * Changes of a list and of records while the disk refuses at random, moves begin and end, and the process is killed:
 * whatever was acknowledged is there, nothing that was refused comes back. `LINE_FAULTS=500 bun test
 * tests/server/storage/lineFaults.test.ts` for a long run.
 */
import { expect, test } from "bun:test";
import { diskError, faultyDisk, type Operation } from "./faultyDisk.ts";
import { all, killedNow, makeSite, type Site, subscriber, subscribers, visits } from "./samples.ts";
import type { Store } from "../../../src/server/storage/store.ts";

const ROUNDS = Number(process.env["LINE_FAULTS"] ?? 25);
const SEED = Number(process.env["LINE_SEED"] ?? 20261123);
const LIVES = 3;
const CHANGES = 12;
/** Short and long ones, so that logs come to their limit. */
const LONGEST_WORDS = 60_000;

/** The same numbers from 0 to 1 at every run (a linear congruential generator, Numerical Recipes). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / (1 << 24);
  };
}

/** What is stored, as a reader sees it. */
const contentOf = async (store: Store) => ({
  visits: store.of(visits).read().value,
  subscribers: await all(store.of(subscribers).scan()),
});

test(`${ROUNDS} sites on a disk that refuses at random keep what they acknowledged, and nothing else`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const own = await makeSite();
    try {
      await liveOn(own, numbers(SEED + round * 7919));
    } finally {
      await own.remove();
    }
  }
}, 3_600_000);

/** A few lives of a site, each ended or killed; over once a failed fsync has ended one. */
async function liveOn(own: Site, draw: () => number): Promise<void> {
  const control = { gate: (_operation: Operation, _path: string): void | Promise<void> => {} };
  const disk = faultyDisk((operation, path) => control.gate(operation, path), true);
  let expected: Awaited<ReturnType<typeof contentOf>> = { visits: [], subscribers: [] };
  for (let life = 0; life < LIVES; life++) {
    const ended = new AbortController();
    const onFatal = (error: Error): never => {
      ended.abort();
      throw error;
    };
    const store = await own.open({ disk, entities: [visits, subscribers], onFatal });
    expect(await contentOf(store)).toEqual(expected);
    const rate = [0, 0.03, 0.15][Math.floor(draw() * 3)]!;
    let isMoving = false;
    let hasMoved = false;
    control.gate = async (operation, path) => {
      // A move begins at any moment; what it interrupts is refused.
      if (!isMoving && draw() < 0.02) {
        isMoving = hasMoved = true;
        await own.engine.standstill.begin({ data: "another place", pictures: "another place" });
      }
      if (["close", "sync", "read", "list"].includes(operation) || path.includes(".reserve"))
        return;
      if (draw() < rate) throw diskError(draw() < 0.5 ? "ENOSPC" : "EIO");
    };
    for (let at = 0; at < CHANGES && !ended.signal.aborted; at++) {
      await Promise.allSettled(
        Array.from({ length: 1 + Math.floor(draw() * 3) }, () => change(store, draw)),
      );
      if (isMoving) await own.engine.standstill.end();
      isMoving = false;
    }
    control.gate = () => {};
    // Nobody knows what is on the disk then, which is why it ends.
    if (ended.signal.aborted) return;
    if (hasMoved) await writeAll(store);
    expected = await contentOf(store);
    await (draw() < 0.5 ? killedNow(own, store) : store.close());
    expect(own.log.filter((line) => line.includes("DAMAGED"))).toEqual([]);
  }
}

/** What a move has refused may be on the disk as well, until the next write of its file. */
async function writeAll(store: Store): Promise<void> {
  await store.of(visits).update((list) => [...list]);
  const list = store.of(subscribers);
  const { id } = await list.insert(subscriber(++inserted));
  await list.updateWhere({}, (record) => ({ ...record, active: !record.active }));
  await list.delete(id);
}

let inserted = 0;

function change(store: Store, draw: () => number): Promise<unknown> {
  const words = `/${"x".repeat(Math.floor(draw() ** 3 * LONGEST_WORDS))}`;
  const id = `visit-${Math.floor(draw() * 6)}`;
  const list = store.of(subscribers);
  const known = `id-${Math.floor(draw() * inserted)}`;
  const kinds = [
    () => store.of(visits).put(id, () => ({ id, page: words })),
    () => store.of(visits).put(id, (item) => item && { ...item, page: words }),
    () => store.of(visits).update((all) => all.filter((each) => each.id !== id)),
    () => list.insert(subscriber(++inserted, { note: words })),
    () => list.insert(subscriber(++inserted)),
    () => list.update(known, (record) => ({ ...record, note: words })),
    () => list.delete(known),
  ];
  return kinds[Math.floor(draw() * kinds.length)]!();
}
