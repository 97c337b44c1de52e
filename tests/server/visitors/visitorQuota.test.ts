/** The disk space that visitors may fill, per day and in total. */
import { beforeAll, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { createRateLimitFactory, createPageViews } from "../../../src/server/http/rateLimits.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import {
  STORAGE_LIMITS,
  measureUsedShare,
  createVisitorQuota,
} from "../../../src/server/visitors/visitorQuota.ts";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";

const MB = 1024 * 1024;
const DAY_MS = 24 * 60 * 60_000;

/** A store that reports this size, since filling one takes minutes. */
const createStoreHolding = (count: number, bytes: number) =>
  ({
    of: () => ({ count: async () => count, measureBytes: async () => bytes }),
  }) as unknown as Store;

function createQuota(clock: () => number, store = createStoreHolding(0, 0)) {
  const visited = createPageViews(clock);
  return {
    visited,
    room: createVisitorQuota(
      store,
      createRateLimitFactory({ clock, isEnabled: true, pageViews: visited }),
      () => true,
    ),
  };
}

const createVisitor = (address: string) => ({ address, userAgent: null });
const OF_64_KB = "x".repeat(64 * 1024 - 2);

/** Returns the bytes accepted from these addresses in bodies of 64 KB until they are refused. */
async function consumeUntilRefused(
  room: ReturnType<typeof createQuota>["room"],
  addresses: readonly string[],
): Promise<number> {
  let bytes = 0;
  for (const address of addresses)
    for (let at = 0; at < 100; at++)
      try {
        await room.consume("formSubmissions", OF_64_KB, createVisitor(address));
        bytes += OF_64_KB.length + 2;
      } catch {
        break;
      }
  return bytes;
}

describe("the disk space that visitors may fill in a day", () => {
  test("is 1 MB for an IP address, and four times as much for its /24 network", async () => {
    let now = 0;
    const { room } = createQuota(() => now);
    expect(await consumeUntilRefused(room, ["192.0.2.1"])).toBe(MB);
    const others = Array.from({ length: 50 }, (_, at) => `192.0.2.${at + 2}`);
    expect(await consumeUntilRefused(room, others)).toBe(3 * MB);
    now += DAY_MS;
    expect(await consumeUntilRefused(room, ["192.0.2.1"])).toBe(MB);
  });

  test("is 20 MB for all visitors together, with a reserve for visitors who have opened the page", async () => {
    let now = 0;
    const { room, visited } = createQuota(() => now);
    visited.recordPageView("203.0.113.9");
    now += 5000;
    const many = Array.from({ length: 200 }, (_, at) => `198.18.${at}.1`);
    expect(await consumeUntilRefused(room, many)).toBe(20 * MB);
    expect(await consumeUntilRefused(room, ["203.0.113.9"])).toBe(MB / 4);
  });

  test("is limited by refusals with Retry-After, and counted separately for the mailing list", async () => {
    const { room } = createQuota(() => 0);
    await consumeUntilRefused(room, ["192.0.2.1"]);
    await expect(
      room.consume("formSubmissions", OF_64_KB, createVisitor("192.0.2.1")),
    ).rejects.toMatchObject({
      status: 429,
      message: "We can't accept more messages right now. Please try again later.",
      details: { headers: { "retry-after": String((64 / 1024) * 24 * 3600) } },
    });
    await room.consume("emailSubscriptions", "a", createVisitor("192.0.2.1"));
  });
});

describe("the disk space that visitors may fill in total", () => {
  const maxRecords = STORAGE_LIMITS.formSubmissions;

  test.each([
    ["records", maxRecords.records - 1, 0, maxRecords.records, 0],
    ["bytes", 0, maxRecords.bytes - 1, 0, maxRecords.bytes],
  ])("ends exactly at the limit of %s", async (_, count, bytes, fullCount, fullBytes) => {
    const consume = (store: Store) =>
      createQuota(() => 0, store).room.consume("formSubmissions", "x", createVisitor("192.0.2.1"));
    await consume(createStoreHolding(count, bytes));
    await expect(consume(createStoreHolding(fullCount, fullBytes))).rejects.toMatchObject({
      status: 429,
    });
  });
});

describe("the stored size of enquiries", () => {
  const site = setUpSiteForAll(() => startEnquirySite());
  beforeAll(() => addForm(site.store));
  const measureStored = () => site.store.of(entities.formSubmissions).measureBytes();

  test("includes each answer only once, although an answer is returned in two formats", async () => {
    const before = await measureStored();
    const story = '"\n'.repeat(2500);
    expect((await site.send(createEnquiry({ ...ANSWERS, story }))).status).toBe(201);
    const { items } = await site.list();
    expect(JSON.parse(items[0]!.submissionData)).toEqual({ ...ANSWERS, story: story.trim() });
    // JSON escapes both characters. If they were escaped twice, the text would take two and a half times as much.
    expect((await measureStored()) - before).toBeWithin(10_000, 11_000);
  });

  test("shrinks after deletions, which free the quota", async () => {
    const used = await measureUsedShare(site.store, "formSubmissions");
    expect(used).toBeGreaterThan(0);
    await site.store.of(entities.formSubmissions).deleteWhere({});
    expect(await measureUsedShare(site.store, "formSubmissions")).toBeLessThan(used);
  });
});
