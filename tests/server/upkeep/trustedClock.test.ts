/** The time for irreversible deletions: a clock that is off by weeks deletes nothing. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { createTrustedClock, type TrustedClock } from "../../../src/server/upkeep/trustedClock.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { folderForEach } from "../../support/folderForEach.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const START = Date.parse("2027-03-01T12:00:00.000Z");

const at = folderForEach();
let store: Store;
let time: TrustedClock;
/** The machine's clock, and its uptime. */
let clock = 0;
let running = 0;

beforeEach(async () => {
  [clock, running] = [START, 0];
  await start();
});
afterEach(() => store.close());

async function start(): Promise<void> {
  store = await openStore({ directory: at(), entities: allEntities, log: () => {} });
  const began = running;
  time = createTrustedClock(
    store,
    () => clock,
    () => running - began,
  );
  await time.saveTrustedTime();
}

async function restart({ offFor = 0 } = {}): Promise<void> {
  await store.close();
  clock += offFor;
  await start();
}

/** Runs the site for a while, checking the time every ten minutes. */
async function run(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR / 6) {
    clock += HOUR / 6;
    running += HOUR / 6;
    await time.saveTrustedTime();
  }
}

test("time follows the clock over restarts and short breaks, and a clock set back is trusted", async () => {
  expect(time.now()).toBe(START);
  await run(3 * HOUR);
  expect(time.now()).toBe(clock);
  await restart({ offFor: 20 * HOUR });
  expect(time.now()).toBe(clock);
  clock -= 90 * DAY;
  expect(time.now()).toBe(clock);
  expect(time.findNotices()).toEqual([]);
});

test("a clock that jumps ahead is trusted only after a day, and never if it is corrected before", async () => {
  clock += 30 * DAY;
  await run(5 * HOUR);
  expect(time.now()).toBe(START + 5 * HOUR);
  expect(time.findNotices()).toEqual([
    {
      code: "clock_ahead",
      title: "Check the server's date",
      message:
        "The server's clock jumped ahead by 30 days, to 2027-03-31. If that date is wrong, correct the clock. For 19 more hours, nothing in the trash expires because of the jump.",
    },
  ]);
  clock -= 30 * DAY;
  expect([time.now(), time.findNotices()]).toEqual([clock, []]);
  clock += 30 * DAY;
  await run(23 * HOUR);
  expect(time.now()).toBe(clock - 30 * DAY);
  await run(HOUR);
  expect([time.now(), time.findNotices()]).toEqual([clock, []]);
});

test("a start with a clock that is ahead waits too, and restarts don't begin the wait again", async () => {
  await run(2 * HOUR);
  await restart({ offFor: 400 * DAY });
  expect(time.now()).toBeLessThan(START + 3 * HOUR);
  for (let part = 0; part < 8; part++) {
    await run(2 * HOUR);
    await restart();
  }
  expect(time.now()).toBe(clock - 400 * DAY);
  await run(9 * HOUR);
  expect(time.now()).toBe(clock);
});

test("it is stored once an hour, and not more", async () => {
  const { revision } = store.of(entities.siteTime).read();
  await run(10 * HOUR);
  expect(store.of(entities.siteTime).read().revision).toBeOneOf([revision + 9, revision + 10]);
});
