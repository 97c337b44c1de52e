/** The time for irreversible deletions: a clock that is off by weeks deletes nothing. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { createTrustedClock, type TrustedClock } from "../../../src/server/upkeep/trustedClock.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2027-03-01T12:00:00.000Z");

const getPath = setUpFolderForEach();
let store: Store;
let trustedClock: TrustedClock;
/** The machine's clock, and its uptime. */
let clock = 0;
let runningMs = 0;

beforeEach(async () => {
  [clock, runningMs] = [START, 0];
  await startClock();
});
afterEach(() => store.close());

async function startClock(): Promise<void> {
  store = await openStore({ directory: getPath(), entities: allEntities, log: () => {} });
  const began = runningMs;
  trustedClock = createTrustedClock(
    store,
    () => clock,
    () => runningMs - began,
  );
  await trustedClock.saveTrustedTime();
}

async function restartClock({ offFor = 0 } = {}): Promise<void> {
  await store.close();
  clock += offFor;
  await startClock();
}

/** Runs the site for a while, checking the time every ten minutes. */
async function advanceRunning(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR_MS / 6) {
    clock += HOUR_MS / 6;
    runningMs += HOUR_MS / 6;
    await trustedClock.saveTrustedTime();
  }
}

test("the trusted time follows the server's clock over restarts, also if the clock is set back", async () => {
  expect(trustedClock.now()).toBe(START);
  await advanceRunning(3 * HOUR_MS);
  expect(trustedClock.now()).toBe(clock);
  await restartClock({ offFor: 20 * HOUR_MS });
  expect(trustedClock.now()).toBe(clock);
  clock -= 90 * DAY_MS;
  expect(trustedClock.now()).toBe(clock);
  expect(trustedClock.findNotices()).toEqual([]);
});

test("a server's clock that jumps ahead is trusted only after a day, and not if it is corrected before", async () => {
  clock += 30 * DAY_MS;
  await advanceRunning(5 * HOUR_MS);
  expect(trustedClock.now()).toBe(START + 5 * HOUR_MS);
  expect(trustedClock.findNotices()).toEqual([
    {
      code: "clock_ahead",
      title: "Check the server's date",
      message:
        "The server's clock jumped ahead by 30 days, to 2027-03-31. If that date is wrong, correct the clock. For 19 more hours, the jump has no effect on the trash.",
    },
  ]);
  clock -= 30 * DAY_MS;
  expect([trustedClock.now(), trustedClock.findNotices()]).toEqual([clock, []]);
  clock += 30 * DAY_MS;
  await advanceRunning(23 * HOUR_MS);
  expect(trustedClock.now()).toBe(clock - 30 * DAY_MS);
  await advanceRunning(HOUR_MS);
  expect([trustedClock.now(), trustedClock.findNotices()]).toEqual([clock, []]);
});

test("a server's clock that is ahead at the start is trusted only after a day, despite restarts", async () => {
  await advanceRunning(2 * HOUR_MS);
  await restartClock({ offFor: 400 * DAY_MS });
  expect(trustedClock.now()).toBeLessThan(START + 3 * HOUR_MS);
  for (let part = 0; part < 8; part++) {
    await advanceRunning(2 * HOUR_MS);
    await restartClock();
  }
  expect(trustedClock.now()).toBe(clock - 400 * DAY_MS);
  await advanceRunning(9 * HOUR_MS);
  expect(trustedClock.now()).toBe(clock);
});

test("the trusted time is stored once an hour", async () => {
  const { revision } = store.of(entities.siteTime).read();
  await advanceRunning(10 * HOUR_MS);
  expect(store.of(entities.siteTime).read().revision).toBeOneOf([revision + 9, revision + 10]);
});
