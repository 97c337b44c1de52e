import { expect, test } from "bun:test";
import { Bin, UNDO_MS } from "../../../src/server/storage/bin.ts";

type Record = { id: string };
const back = (deleted: Bin<Record>, id: string) =>
  deleted.take(id, (record) => Promise.resolve(record));

test("a deletion can be taken back once, within ten minutes", async () => {
  let now = 0;
  const deleted = new Bin<Record>(() => now);
  deleted.keep({ id: "a" });
  deleted.keep({ id: "b" });
  expect(await back(deleted, "a")).toEqual({ id: "a" });
  expect(await back(deleted, "a")).toBeUndefined();
  now = UNDO_MS;
  expect(await back(deleted, "b")).toBeUndefined();
});

test("a deletion that could not be taken back can be taken back later, and by one call at a time", async () => {
  const deleted = new Bin<Record>();
  deleted.keep({ id: "a" });
  const failing = deleted.take("a", () => Promise.reject(new Error("disk full")));
  expect(await back(deleted, "a")).toBeUndefined();
  expect(failing).rejects.toThrow("disk full");
  await failing.catch(() => undefined);
  expect(await back(deleted, "a")).toEqual({ id: "a" });
});

test("only the last hundred deletions are kept", async () => {
  const deleted = new Bin<Record>();
  for (let at = 0; at < 150; at++) deleted.keep({ id: String(at) });
  expect(await back(deleted, "49")).toBeUndefined();
  expect(await back(deleted, "50")).toEqual({ id: "50" });
  expect(await back(deleted, "149")).toEqual({ id: "149" });
});

test("what is erased can not be taken back", async () => {
  const deleted = new Bin<Record>();
  deleted.keep({ id: "a" });
  deleted.forget(({ id }) => id === "a");
  expect(await back(deleted, "a")).toBeUndefined();
});
