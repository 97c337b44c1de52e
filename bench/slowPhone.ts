/** A slow phone: Chromium at a quarter of the processor's speed, and the phone's connections. */
import { newPage, type TestPage } from "../tests/support/browser.ts";

const CPU_SLOWDOWN = 4;

/** Lighthouse's phone. With one device pixel per CSS pixel it would load smaller pictures than real phones. */
const PHONE = { width: 412, density: 1.75 };

/** Lighthouse's 4G: 1.6 Mbit/s, 150 ms. */
export const FOUR_G = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
export const FAST = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

export type Conditions = typeof FAST;

/** Opens an address, and records paints and blocking tasks from the start. */
export async function openOnPhone(
  url: string,
  conditions: Conditions,
  slowdown = CPU_SLOWDOWN,
): Promise<TestPage> {
  const page = await newPage(PHONE);
  await page.addInitScript(recordPaint);
  await throttle(page, conditions, slowdown);
  await page.visit(url);
  return page;
}

export async function throttle(
  page: TestPage,
  conditions: Conditions,
  rate = CPU_SLOWDOWN,
): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate });
  await client.send("Network.emulateNetworkConditions", { offline: false, ...conditions });
}

/** The time of the largest paint, and the total time by which tasks took longer than 50 ms, both in milliseconds. */
export interface PaintFigures {
  paint: number;
  blocked: number;
}

export const readPaintFigures = (page: TestPage): Promise<PaintFigures> =>
  page.evaluate(() => (window as unknown as { noted: PaintFigures }).noted);

export async function measurePaint(url: string, conditions: Conditions): Promise<PaintFigures> {
  const page = await openOnPhone(url, conditions);
  const figures = await readPaintFigures(page);
  await page.context().close();
  return figures;
}

/** Runs in the page before anything else. */
function recordPaint(): void {
  const noted: PaintFigures = { paint: 0, blocked: 0 };
  Object.assign(window, { noted });
  const observer = new PerformanceObserver((list) => {
    for (const { entryType, startTime, duration } of list.getEntries())
      if (entryType === "longtask") noted.blocked += Math.max(0, duration - 50);
      else noted.paint = startTime;
  });
  for (const type of ["largest-contentful-paint", "longtask"])
    observer.observe({ type, buffered: true });
}
