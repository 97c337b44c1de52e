/** Memory that strangers can fill is limited. */
import { expect, test } from "bun:test";
import { BoundedMap } from "../../../src/server/shared/boundedMap.ts";

test("a full map drops the item that was set longest ago, and setting an item again renews it", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});
