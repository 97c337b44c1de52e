/** The list checker finds faults in impossible histories, and none in possible ones. */
import { expect, test } from "bun:test";
import { type Event, faultsIn } from "../../../support/listHistory.ts";

const add = (began: number, ended?: number): Event => ({ kind: "add", item: "a", began, ended });
const remove = (began: number, ended?: number): Event => ({
  kind: "remove",
  item: "a",
  began,
  ended,
});
const read = (began: number, ...items: string[]): Event => ({
  kind: "read",
  items,
  began,
  ended: began + 1,
});

test.each([
  ["what was acknowledged is there", [add(0, 1), read(2000, "a")]],
  ["what was acknowledged this moment may not be there yet", [add(0, 1), read(500)]],
  ["what nobody acknowledged may be there", [add(0), read(2000, "a"), read(4000, "a")]],
  ["what nobody acknowledged may not be there", [add(0), read(2000), read(4000)]],
  [
    "what is being removed may be there or not",
    [add(0, 1), remove(2000), read(2001), read(2500, "a")],
  ],
  ["what was removed is gone", [add(0, 1), remove(2000, 2001), read(4000)]],
])("can be: %s", (_, history) => {
  expect(faultsIn(history, 1000)).toEqual([]);
});

test.each([
  ["lost", [add(0, 1), read(2000)], "a: acknowledged or seen, and lost"],
  ["lost though seen", [add(0), read(100, "a"), read(3000)], "a: acknowledged or seen, and lost"],
  ["twice", [add(0, 1), read(2000, "a", "a")], "a read has 1 items twice"],
  ["removed, and there", [add(0, 1), remove(2, 3), read(2000, "a")], "a: removed, and there"],
  [
    "there again after it was seen gone",
    [add(0, 1), remove(1500), read(2000), read(4000, "a")],
    "a: there again",
  ],
  ["from nowhere", [read(1, "a")], "a: nobody added it"],
  ["there before it was sent", [add(10, 11), read(2, "a")], "a: seen before it was sent"],
])("can't be: %s", (_, history, fault) => {
  expect(faultsIn(history, 1000)).toEqual([fault]);
});
