import { expect, test } from "bun:test";
import { inDecodeSlot } from "../../../src/server/uploads/decodeSlots.ts";

test("at most two pictures are decoded at a time, first come first served", async () => {
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
  const answers = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((index) => inDecodeSlot(100, work(index))),
  );
  expect(answers).toEqual([0, 1, 2, 3, 4, 5]);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test("work that fails gives its slot back", async () => {
  for (let round = 0; round < 3; round++)
    await expect(
      inDecodeSlot(100, () => Promise.reject(new Error("not decodable"))),
    ).rejects.toThrow("not decodable");
  expect(await inDecodeSlot(100, async () => "still going")).toBe("still going");
});

test("together they take no more than 25 megapixels, one that has more is alone, and none waits for ever", async () => {
  const sizes = [50, 1, 30, 20, 50, 25, 25, 26].map((megapixels) => megapixels * 1_000_000);
  let pixels = 0;
  let most = 0;
  const work = (size: number) => async () => {
    most = Math.max(most, (pixels += size));
    await Bun.sleep(1);
    pixels -= size;
    return size;
  };
  expect(await Promise.all(sizes.map((size) => inDecodeSlot(size, work(size))))).toEqual(sizes);
  expect(most).toBe(50_000_000);
});
