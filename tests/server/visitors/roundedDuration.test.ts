import { expect, test } from "bun:test";
import { runWithRoundedDuration } from "../../../src/server/newsletter/subscriptions.ts";

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await runWithRoundedDuration(work).catch(() => {});
  return performance.now() - start;
}

test("a response takes a multiple of 50 ms, whether the work behind it takes long or fails", async () => {
  // Timers may fire up to a millisecond early.
  expect(await measureTime(async () => {})).toBeGreaterThan(48);
  expect(await measureTime(() => Bun.sleep(10))).toBeGreaterThan(48);
  expect(await measureTime(() => Promise.reject(new Error("full")))).toBeGreaterThan(48);
  expect(await measureTime(() => Bun.sleep(60))).toBeGreaterThan(98);
});

test("the result or error of the work passes through the rounding of its duration", async () => {
  expect(await runWithRoundedDuration(async () => 5)).toBe(5);
  await expect(runWithRoundedDuration(() => Promise.reject(new Error("full")))).rejects.toThrow(
    "full",
  );
});

test("responses come in the order of the requests, however long each took, so their order reveals nothing", async () => {
  const order: string[] = [];
  const respond = async (name: string, work: () => Promise<unknown>) => {
    await runWithRoundedDuration(work);
    order.push(name);
  };
  const rounds = 20;
  for (let at = 0; at < rounds; at++)
    await Promise.all([
      respond("longer", () => Bun.sleep(7 + at)),
      respond("shorter", async () => {}),
      respond("longest", () => Bun.sleep(9 + at)),
    ]);
  expect(order).toEqual(
    Array.from({ length: rounds }, () => ["longer", "shorter", "longest"]).flat(),
  );
});
