/**
 * The cost of exporting 100,000 submissions in the owner's browser: `bun bench/exportCsv.ts`. The page has to stay
 * usable meanwhile, so the longest time for which its main thread is blocked is measured.
 */
import { closeBrowser, newPage, type TestPage } from "../tests/support/browser.ts";
import { OWNER } from "../tests/support/site.ts";
import { createSiteFolder, removeSiteFolder } from "../tests/support/program.ts";
import { printFigure } from "./measure.ts";
import { startSeededSite } from "./seededSite.ts";

const MANY = 100_000;
/** The interval of checks of the main thread, in milliseconds. */
const TICK_MS = 5;
/** The time for which the idle page is watched before the export, in milliseconds. */
const IDLE_MS = 5000;

const site = await createSiteFolder();
try {
  const { url, stop } = await startSeededSite(site.folder, MANY);
  try {
    await measure(await openSubmissions(url));
  } finally {
    await closeBrowser();
    await stop();
  }
} finally {
  await removeSiteFolder(site);
}

async function openSubmissions(url: string): Promise<TestPage> {
  const page = await newPage();
  const { username, password } = OWNER;
  await page.context().request.post(`${url}/api/auth/login`, { data: { username, password } });
  await page.goto(`${url}/admin/dashboard?tab=forms&sub=submissions&form=form`);
  await page.getByText("100,000 in total").waitFor();
  return page;
}

async function measure(page: TestPage): Promise<void> {
  await page.evaluate(watchMainThread, TICK_MS);
  await Bun.sleep(IDLE_MS);
  const idleGap = await readLongestGap(page);
  const downloadPromise = page.waitForEvent("download", { timeout: 300_000 });
  const startedAt = performance.now();
  await page.getByRole("button", { name: "Export CSV" }).click();
  await page.getByText(/^Exporting [1-9].* of 100,000\.\.\.$/).waitFor();
  const openingStartedAt = performance.now();
  await page.locator(".submission-head").first().click();
  await page.locator(".submission-details").waitFor();
  const openingMs = performance.now() - openingStartedAt;
  const file = Bun.file(await (await downloadPromise).path());
  const durationMs = performance.now() - startedAt;
  const gap = await readLongestGap(page);
  const lines = (await file.text()).split("\r\n").length;
  if (lines !== MANY + 1) throw new Error(`The file has ${lines} lines.`);
  printFigure(
    "export of 100,000 submissions",
    `${(durationMs / 1000).toFixed(1)} s, ${(file.size / 1e6).toFixed(0)} MB`,
  );
  const gapText = `${gap.toFixed(0)} ms (idle before: ${idleGap.toFixed(0)} ms)`;
  printFigure("longest gap of the main thread", gapText, "< 100 ms");
  printFigure("opening a submission meanwhile", `${openingMs.toFixed(0)} ms`);
}

/**
 * Returns the longest time for which the main thread was blocked since the last call, in milliseconds. On a busy
 * machine even an idle page is blocked at times.
 */
function readLongestGap(page: TestPage): Promise<number> {
  return page.evaluate(() => {
    const watched = window as unknown as Watched;
    const gap = watched.longestGap;
    watched.longestGap = 0;
    return gap;
  });
}

interface Watched {
  longestGap: number;
}

/** Runs in the page. */
function watchMainThread(tick: number): void {
  const watched = window as unknown as Watched;
  watched.longestGap = 0;
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    watched.longestGap = Math.max(watched.longestGap, now - last - tick);
    last = now;
  }, tick);
}
