/** Waits for a state, never for a time. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";

/** The longest wait for a state on a busy machine, in milliseconds: a little less than a test's timeout. */
const WAIT_TIMEOUT_MS = 45_000;

/**
 * Reads a value until it equals the expected one. After the longest wait, fails with the last value, and prints the
 * text of `explain`, such as a program's log.
 */
export async function waitForValue<T>(
  read: () => T | Promise<T>,
  expected: T,
  explain?: () => string | Promise<string>,
): Promise<void> {
  const start = performance.now();
  const readWaitedMs = () => performance.now() - start;
  let value = await read();
  while (!Bun.deepEquals(value, expected) && readWaitedMs() < WAIT_TIMEOUT_MS) {
    // The value is read less often after a while, since most reads are calls, which slow down the awaited change.
    await Bun.sleep(Math.min(100, 20 + readWaitedMs() / 10));
    value = await read();
  }
  if (explain && !Bun.deepEquals(value, expected)) console.error(await explain());
  expect<unknown>(value).toEqual(expected);
}

/** The interval of `measureRunningTime`, and the most that it counts for one interval, in milliseconds. */
const [CHECK_INTERVAL_MS, MAX_COUNTED_MS] = [50, 250];

/**
 * Counts the milliseconds in which this process runs, without those for which the machine stalls. For tests of promised
 * time limits. `readElapsedMs` returns the milliseconds counted so far.
 */
export function measureRunningTime(): { readElapsedMs(): number; stop(): void } {
  let counted = 0;
  let last = performance.now();
  const update = () => {
    const now = performance.now();
    counted += Math.min(MAX_COUNTED_MS, now - last);
    last = now;
    return counted;
  };
  const timer = setInterval(update, CHECK_INTERVAL_MS);
  timer.unref();
  return { readElapsedMs: update, stop: () => clearInterval(timer) };
}

/** Waits until everything is loaded and drawn, including previews, and nothing moves or fades. */
export async function waitUntilStable(page: Page): Promise<void> {
  const last = await page.evaluate(pollUntilStable, WAIT_TIMEOUT_MS);
  expect(last).toEqual({ loading: 0, empty: 0, moving: 0 });
}

/** Stops the page's clock. From now on only the test advances it (`clock.runFor`, `clock.resume`). */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  // This is later than any time that an earlier test has set.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Waits until the page has drawn two frames, so that it can react. */
export const waitTwoFrames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
  });

/**
 * Runs in the page. Waits for three frames without movement, or until time is up, and returns what is still loading or
 * moving.
 */
async function pollUntilStable(timeoutMs: number) {
  const end = performance.now() + timeoutMs;
  for (let stableFrames = 0; ;) {
    await new Promise(requestAnimationFrame);
    const frames = [...document.querySelectorAll("iframe")].map((frame) => frame.contentDocument);
    const documents = [document, ...frames].filter((each) => each !== null);
    const state = {
      loading: documents.flatMap((each) => [...each.querySelectorAll(".loading, .ui-skeleton")])
        .length,
      empty: frames.filter((each) => !each?.querySelector("main > *")).length,
      // Endless animations don't count as movement.
      moving: documents
        .flatMap((each) => each.getAnimations())
        .filter(({ playState, effect, timeline }) => {
          // Animations bound to scrolling stop when the page stops.
          const inTime = timeline === null || timeline instanceof DocumentTimeline;
          const ends = effect?.getComputedTiming().endTime !== Infinity;
          return inTime && playState === "running" && ends;
        }).length,
    };
    stableFrames = Object.values(state).some(Boolean) ? 0 : stableFrames + 1;
    if (stableFrames === 3 || performance.now() > end) return state;
  }
}
