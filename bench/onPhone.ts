/** A slow phone: Chromium with its processor slowed four times, and the lines that it is on. */
import { newPage, type TestPage } from "../tests/support/browser.ts";

const SLOWED = 4;

/** The phone that Lighthouse has: with one pixel to the point it would take smaller pictures than any real one. */
const PHONE = { width: 412, density: 1.75 };

/** As Lighthouse has it: 1.6 Mbit/s, 150 ms. */
export const FOUR_G = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
export const FAST = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

export type Conditions = typeof FAST;

/** Opens an address; what is painted and what blocks is noted from the page's beginning. */
export async function openOnPhone(
  url: string,
  conditions: Conditions,
  slowed = SLOWED,
): Promise<TestPage> {
  const page = await newPage(PHONE);
  await page.addInitScript(notePaint);
  await slow(page, conditions, slowed);
  await page.visit(url);
  return page;
}

export async function slow(page: TestPage, conditions: Conditions, rate = SLOWED): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate });
  await client.send("Network.emulateNetworkConditions", { offline: false, ...conditions });
}

/** In milliseconds: when the largest paint was, and how long tasks of more than 50 blocked. */
export interface Noted {
  paint: number;
  blocked: number;
}

export const notedOf = (page: TestPage): Promise<Noted> =>
  page.evaluate(() => (window as unknown as { noted: Noted }).noted);

/** Opens an address once and closes it. */
export async function paintOf(url: string, conditions: Conditions): Promise<Noted> {
  const page = await openOnPhone(url, conditions);
  const noted = await notedOf(page);
  await page.context().close();
  return noted;
}

/** Runs in the page before anything else. */
function notePaint(): void {
  const noted: Noted = { paint: 0, blocked: 0 };
  Object.assign(window, { noted });
  const observer = new PerformanceObserver((list) => {
    for (const { entryType, startTime, duration } of list.getEntries())
      if (entryType === "longtask") noted.blocked += Math.max(0, duration - 50);
      else noted.paint = startTime;
  });
  for (const type of ["largest-contentful-paint", "longtask"])
    observer.observe({ type, buffered: true });
}
