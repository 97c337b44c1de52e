import { expect, test } from "bun:test";
import { Bin, UNDO_MS } from "../../../src/server/storage/bin.ts";

type Record = { id: string };
const back = (bin: Bin<Record>, id: string) => bin.take(id, (record) => Promise.resolve(record));

/** Time that stands still until it is told to go on. */
function stillTime() {
  let now = 0;
  let timers: { at: number; call: () => void }[] = [];
  return {
    now: () => now,
    after: (ms: number, call: () => void) => void timers.push({ at: now + ms, call }),
    advance(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { call } of due) call();
    },
  };
}

test("a deletion can be taken back once, within ten minutes", async () => {
  let now = 0;
  const bin = new Bin<Record>({ time: { now: () => now } });
  bin.keep({ id: "a" });
  bin.keep({ id: "b" });
  expect(await back(bin, "a")).toEqual({ id: "a" });
  expect(await back(bin, "a")).toBeUndefined();
  now = UNDO_MS;
  expect(await back(bin, "b")).toBeUndefined();
});

test("a deletion that could not be taken back can be taken back later, and by one call at a time", async () => {
  const bin = new Bin<Record>();
  bin.keep({ id: "a" });
  const failing = bin.take("a", () => Promise.reject(new Error("disk full")));
  expect(await back(bin, "a")).toBeUndefined();
  expect(failing).rejects.toThrow("disk full");
  await failing.catch(() => undefined);
  expect(await back(bin, "a")).toEqual({ id: "a" });
});

test("only as many deletions are kept as it is told", async () => {
  const gone: string[] = [];
  const bin = new Bin<Record>({ most: 100, gone: ({ id }) => gone.push(id) });
  for (let at = 0; at < 150; at++) bin.keep({ id: String(at) });
  expect(await back(bin, "49")).toBeUndefined();
  expect(await back(bin, "50")).toEqual({ id: "50" });
  expect(await back(bin, "149")).toEqual({ id: "149" });
  expect(gone).toEqual(Array.from({ length: 50 }, (_, at) => String(at)));
});

test("what is erased can not be taken back", async () => {
  const bin = new Bin<Record>();
  bin.keep({ id: "a" });
  bin.forget(({ id }) => id === "a");
  expect(await back(bin, "a")).toBeUndefined();
});

test("after ten minutes a deletion is told of once, unless it was taken back", async () => {
  const time = stillTime();
  const gone: string[] = [];
  const bin = new Bin<Record>({ time, gone: ({ id }) => gone.push(id) });
  bin.keep({ id: "a" });
  bin.keep({ id: "b" });
  await back(bin, "a");
  time.advance(UNDO_MS);
  expect(gone).toEqual(["b"]);
  time.advance(UNDO_MS);
  expect(gone).toEqual(["b"]);
});

test("what is deleted a second time has ten minutes of its own", async () => {
  const time = stillTime();
  const gone: string[] = [];
  const bin = new Bin<Record>({ time, gone: ({ id }) => gone.push(id) });
  bin.keep({ id: "a" });
  time.advance(UNDO_MS - 1);
  await back(bin, "a");
  bin.keep({ id: "a" });
  time.advance(UNDO_MS - 1);
  expect(gone).toEqual([]);
  time.advance(1);
  expect(gone).toEqual(["a"]);
});

test("one whose time ends while it fails to come back is gone", async () => {
  const time = stillTime();
  const gone: string[] = [];
  const bin = new Bin<Record>({ time, gone: ({ id }) => gone.push(id) });
  bin.keep({ id: "a" });
  const failing = bin.take("a", async () => {
    time.advance(UNDO_MS);
    throw new Error("disk full");
  });
  expect(await failing.catch(() => "failed")).toBe("failed");
  expect(gone).toEqual(["a"]);
  expect(await back(bin, "a")).toBeUndefined();
});
