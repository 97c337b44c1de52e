import { expect, test } from "bun:test";
import { decodeQueue } from "../../../src/server/uploads/acceptImage.ts";

test("pictures are decoded one at a time, first come first served", async () => {
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const work = (index: number) => async () => {
    started.push(index);
    most = Math.max(most, ++running);
    await Bun.sleep(1);
    running--;
    return index;
  };
  const answers = await Promise.all([0, 1, 2, 3].map((index) => decodeQueue(work(index))));
  expect([answers, started, most]).toEqual([[0, 1, 2, 3], [0, 1, 2, 3], 1]);
});

test("a failed decoding lets the next one start", async () => {
  const failing = decodeQueue(() => Promise.reject(new Error("not decodable")));
  const next = decodeQueue(async () => "still going");
  await expect(failing).rejects.toThrow("not decodable");
  expect(await next).toBe("still going");
});
