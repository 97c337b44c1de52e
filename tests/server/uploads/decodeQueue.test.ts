import { expect, test } from "bun:test";
import { inDecodeSlot } from "../../../src/server/uploads/acceptImage.ts";

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
  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((index) => inDecodeSlot(work(index))));
  expect(answers).toEqual([0, 1, 2, 3, 4, 5]);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test("work that fails gives its slot back", async () => {
  for (let round = 0; round < 3; round++)
    await expect(inDecodeSlot(() => Promise.reject(new Error("not decodable")))).rejects.toThrow(
      "not decodable",
    );
  expect(await inDecodeSlot(async () => "still going")).toBe("still going");
});
