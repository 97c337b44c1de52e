/** The owner is notified of a limit before it is reached. */
import { expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { createDiskNotices, createListNotices } from "../../../src/server/upkeep/limitNotices.ts";
import type { Store } from "../../../src/server/storage/store.ts";

/** A store with this many items in one list. */
const createStore = (key: string, count: number) =>
  ({
    of: (entity: { key: string }) => ({
      read: () => ({ value: Array.from({ length: entity.key === key ? count : 0 }) }),
    }),
  }) as unknown as Store;

const listMessages = (key: string, count: number) =>
  createListNotices(createStore(key, count)).map(({ message }) => message);

test("a list is reported at 80 and at 95 percent, pictures included", () => {
  const { maxItems } = entities.uploads;
  expect(listMessages("uploads", 0.8 * maxItems - 1)).toEqual([]);
  expect(listMessages("uploads", 0.8 * maxItems)).toEqual([
    "Files: at least 80 percent of the limit of 10,000 is used. Once the list is full, nothing can be added. Delete what you no longer need.",
  ]);
  expect(listMessages("uploads", 0.95 * maxItems)).toEqual([
    expect.stringContaining("at least 95 percent of the limit of 10,000"),
  ]);
  expect(listMessages("highlights", 400)).toEqual([
    expect.stringContaining("Highlights: at least 80"),
  ]);
});

test("lists that nobody fills by hand are not reported", () => {
  expect(listMessages("sessions", 1000)).toEqual([]);
});

test("a disk is reported once, however many folders it has, as its space shrinks, and no longer once there is space", async () => {
  const MB = 1024 * 1024;
  const free: Record<string, number> = { a: 600 * MB, b: 600 * MB };
  const { findNotices: notices, check } = createDiskNotices(
    { data: "a", pictures: "b", backups: "a" },
    async (disk) => ({
      free: free[disk]!,
      disk,
    }),
  );
  await check();
  expect(notices()).toEqual([]);
  for (const [left, size] of [
    [499, "500 MB"],
    [99, "100 MB"],
    [19, "20 MB"],
  ] as const) {
    free.a = left * MB;
    await check();
    expect(notices()).toEqual([
      {
        code: "disk_data",
        problem: "disk",
        message: `The disk with the site's data has less than ${size} left. Once it is full, nothing can be saved and visitors can't send messages. Free up space, or get a larger disk.`,
      },
    ]);
  }
  free.a = 600 * MB;
  await check();
  expect(notices()).toEqual([]);
});

test("a full disk that has only pictures is said to stop new images alone", async () => {
  const { findNotices, check } = createDiskNotices({ data: "a", pictures: "b" }, async (disk) => ({
    free: disk === "b" ? 0 : 1024 ** 3,
    disk,
  }));
  await check();
  expect((await findNotices()).map(({ message }) => message)).toEqual([
    "The disk with the site's pictures has less than 20 MB left. Once it is full, no images can be added. Free up space, or get a larger disk.",
  ]);
});
