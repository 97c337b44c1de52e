/** Numbers formatted for people. */
import { expect, test } from "bun:test";
import { formatNumber } from "../../src/schema/core/formatNumber.ts";

test("a formatted number has commas between its thousands", () => {
  for (const number of [0, 7, 120, 999, 1000, 5000, 20_000, 123_456, 1_234_567])
    expect(formatNumber(number)).toBe(number.toLocaleString("en-GB"));
});
