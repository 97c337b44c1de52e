/** Waits for what a test is about to look at: for a state, never for a time. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";

/** How long a state may take on a busy machine, in milliseconds: a little less than a test. */
const PATIENCE = 45_000;

/**
 * Reads a value again and again until it is the expected one; fails with what it was last, and with what
 * `explain` says of it, such as a program's log.
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  expected: T,
  explain?: () => string | Promise<string>,
): Promise<void> {
  const begin = performance.now();
  const waited = () => performance.now() - begin;
  let value = await read();
  while (!Bun.deepEquals(value, expected) && waited() < PATIENCE) {
    // Less often after a while: most reads are calls, and take their time from what is waited for.
    await Bun.sleep(Math.min(100, 20 + waited() / 10));
    value = await read();
  }
  if (explain && !Bun.deepEquals(value, expected)) console.error(await explain());
  expect<unknown>(value).toEqual(expected);
}

/** How often `runningTime` looks, and the most that it counts from one look to the next, in milliseconds. */
const [CHECK_INTERVAL_MS, COUNTED_AT_MOST] = [50, 250];

/**
 * Counts the milliseconds in which this process runs; what a stopped machine stands still for is not among them.
 * For what is promised to be over within a time. `passed` returns those since its start.
 */
export function runningTime(): { passed(): number; stop(): void } {
  let counted = 0;
  let last = performance.now();
  const update = () => {
    const now = performance.now();
    counted += Math.min(COUNTED_AT_MOST, now - last);
    last = now;
    return counted;
  };
  const timer = setInterval(update, CHECK_INTERVAL_MS);
  timer.unref();
  return { passed: update, stop: () => clearInterval(timer) };
}

/** Waits until everything is read and drawn, previews included, and nothing moves or fades. */
export async function waitUntilStable(page: Page): Promise<void> {
  const last = await page.evaluate(pollUntilStable, PATIENCE);
  expect(last).toEqual({ loading: 0, empty: 0, moving: 0 });
}

/** Stops the page's clock: from now on time goes by when a test says so (`clock.runFor`, `clock.resume`). */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  // A moment that is still to come, whatever a test before has done to the clock.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Lets the page answer what it has just been told: two frames are drawn. */
export const twoFrames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  });

/** Runs in the page: what still goes on there when three frames in a row showed none of it, or time is up. */
async function pollUntilStable(patience: number) {
  const end = performance.now() + patience;
  for (let quiet = 0; ;) {
    await new Promise(requestAnimationFrame);
    const frames = [...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument);
    const documents = [document, ...frames].filter((each) => each !== null);
    const seen = {
      loading: documents.flatMap((each) => [...each.querySelectorAll(".loading, .ui-skeleton")])
        .length,
      empty: frames.filter((each) => !each?.querySelector("main > *")).length,
      // What breathes for ever is no movement that ends.
      moving: documents
        .flatMap((each) => each.getAnimations())
        .filter(({ playState, effect, timeline }) => {
          // What goes with the scrolling stands when the page does.
          const inTime = timeline === null || timeline instanceof DocumentTimeline;
          const ends = effect?.getComputedTiming().endTime !== Infinity;
          return inTime && playState === "running" && ends;
        }).length,
    };
    quiet = Object.values(seen).some(Boolean) ? 0 : quiet + 1;
    if (quiet === 3 || performance.now() > end) return seen;
  }
}
