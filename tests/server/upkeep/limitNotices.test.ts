/** The owner is notified of a limit before it is reached. */
import { expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import {
  createDiskNotices,
  createListNotices,
  listDiskFolders,
} from "../../../src/server/upkeep/limitNotices.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
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

test("a list, also the list of pictures, is reported at 80 and at 95 percent of its limit", () => {
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

test("a list that nobody fills by hand, such as sessions, is never reported as full", () => {
  expect(listMessages("sessions", 1000)).toEqual([]);
});

test("a disk that is almost full is reported once for all its folders, until it has space again", async () => {
  const MB = 1024 * 1024;
  const free: Record<string, number> = { a: 600 * MB, b: 600 * MB };
  const { findNotices: notices, check } = createDiskNotices(
    { data: "a", pictures: "b", backups: "a" },
    async (diskId) => ({
      free: free[diskId]!,
      diskId,
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

test("the notice about a full disk with only pictures on it says that no images can be added", async () => {
  const { findNotices, check } = createDiskNotices(
    { data: "a", pictures: "b" },
    async (diskId) => ({
      free: diskId === "b" ? 0 : 1024 ** 3,
      diskId,
    }),
  );
  await check();
  expect((await findNotices()).map(({ message }) => message)).toEqual([
    "The disk with the site's pictures has less than 20 MB left. Once it is full, no images can be added. Free up space, or get a larger disk.",
  ]);
});

test("a folder that can't be read has no notice, and doesn't hide another folder's full disk", async () => {
  let isMounted = true;
  const { findNotices, check } = createDiskNotices({ data: "a", pictures: "b" }, async (folder) => {
    if (folder === "b" && !isMounted) throw new Error("ENOENT");
    return { free: folder === "a" && isMounted ? 1024 ** 3 : 0, diskId: folder };
  });
  const listCodes = async () => {
    await check();
    return (await findNotices()).map(({ code }) => code);
  };
  expect(await listCodes()).toEqual(["disk_pictures"]);
  isMounted = false;
  expect(await listCodes()).toEqual(["disk_data"]);
});

test.each<[where: string, env: Record<string, string>, words: string[]]>([
  [
    "folders",
    {},
    ["nothing can be saved and visitors can't send messages", "no images can be added"],
  ],
  ["a database", { DATABASE_URL: "postgres://a:b@db.example/site" }, ["no images can be added"]],
  [
    "a bucket",
    {
      UPLOADS_S3: "s3://pictures?endpoint=https://s3.example",
      S3_ACCESS_KEY_ID: "a",
      S3_SECRET_ACCESS_KEY: "b",
    },
    [
      "nothing can be saved and visitors can't send messages",
      "only images cached on this server can be shown",
    ],
  ],
])("a full disk's notice says what stops working on a site with %s", async (_, env, words) => {
  const { config } = readConfig([], { ...env, DATA_DIR: "/a", UPLOADS_DIR: "/b" });
  const { findNotices, check } = createDiskNotices(listDiskFolders(config), async (diskId) => ({
    free: 0,
    diskId,
  }));
  await check();
  expect(
    (await findNotices()).map(({ message }) => /Once it is full, (.*?)\./.exec(message)?.[1]),
  ).toEqual(words);
});
