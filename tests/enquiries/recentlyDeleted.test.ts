import { expect, test } from "bun:test";
import { RecentlyDeleted, UNDO_MS } from "../../src/server/storage/recentlyDeleted.ts";

test("a deletion can be taken back once, within ten minutes", () => {
  let now = 0;
  const deleted = new RecentlyDeleted<{ id: string }>(() => now);
  deleted.keep({ id: "a" });
  deleted.keep({ id: "b" });
  expect(deleted.take("a")).toEqual({ id: "a" });
  expect(deleted.take("a")).toBeUndefined();
  now = UNDO_MS;
  expect(deleted.take("b")).toBeUndefined();
});

test("only the last hundred deletions are kept", () => {
  const deleted = new RecentlyDeleted<{ id: string }>();
  for (let at = 0; at < 150; at++) deleted.keep({ id: String(at) });
  expect(deleted.take("49")).toBeUndefined();
  expect(deleted.take("50")).toEqual({ id: "50" });
  expect(deleted.take("149")).toEqual({ id: "149" });
});

test("what is erased can not be taken back", () => {
  const deleted = new RecentlyDeleted<{ id: string }>();
  deleted.keep({ id: "a" });
  deleted.forget(({ id }) => id === "a");
  expect(deleted.take("a")).toBeUndefined();
});
