/** Pages of a real browser, which record everything that goes wrong in them. */
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { MIN_FILLING_TIME_MS } from "../../src/schema/enquiry/answers.ts";
import { CHROMIUM_FLAGS, findChromium } from "./chromium.ts";
import { awaitInterception } from "./interception.ts";
import { forgetAllPages, lendPage, returnAllPages, reuseIdlePage } from "./pageReuse.ts";

/** The widths at which every screen is tested: phone, tablet, laptop. */
export const WIDTHS = [390, 768, 1366] as const;

const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 412: 823, 768: 1024, 1366: 768 };

/** A large and a small phone in landscape. */
export const LANDSCAPE_PHONES = [
  [844, 390],
  [667, 375],
] as const;

/** Returns the height of a window of this width. */
export const getHeight = (width: number): number => HEIGHTS[width] ?? 800;

/** Windows narrower than this have a touch screen. */
export const TOUCH_BELOW_WIDTH = 768;

/** Options for opening a page. */
export interface PageOptions {
  readonly width?: number;
  /** Device pixels per CSS pixel. Default: 1. */
  readonly density?: number;
  readonly reducedMotion?: boolean;
  /** Default: dark, like the dashboard by default. */
  readonly colorScheme?: "light" | "dark";
  /** False for a visitor without scripts. */
  readonly javaScriptEnabled?: boolean;
  /**
   * Keeps toasts until they are closed, since a test on a busy machine may miss one. For public pages only: in the
   * dashboard's previews the browser would complain about scripts.
   */
  readonly shouldHoldToasts?: boolean;
  /** Sends an enquiry immediately, as if its visitor had taken the required time. */
  readonly shouldSkipFillingTime?: boolean;
}

/** A page that records its problems. */
export type TestPage = Page & {
  /**
   * Returns console errors and warnings, page errors, violated policies and requests to other hosts so far, except
   * those that match `ignored`, which a test causes on purpose.
   */
  problems(ignored?: RegExp): string[];
  /** Clears the list of problems. */
  clearProblems(): void;
  /** Goes to an address and waits until the page has settled. */
  visit(address: string): Promise<void>;
  /** Reloads the page and waits until it has settled. */
  revisit(): Promise<void>;
  /** Waits until the page has loaded, its scripts have run and no request is pending. */
  waitUntilSettled(): Promise<void>;
};

/**
 * Matches the browser's warning about preloaded files that weren't used within three seconds, which can happen on a
 * busy machine. Other tests check that these files are used and not fetched twice.
 */
const SLOW_PRELOAD = /was preloaded using link preload but not used within a few seconds/;

let launching: Promise<Browser> | undefined;

/**
 * Opens a page in its own profile, in the one browser of this process. `closePages` closes it. The page may be reused
 * from an earlier test if nothing of that test is left.
 */
export async function newPage(options: PageOptions = {}): Promise<TestPage> {
  const optionsKey = JSON.stringify(Object.entries(options).toSorted());
  const reused = reuseIdlePage<TestPage>(optionsKey);
  reused?.clearProblems();
  return reused ?? lendPage(await createPage(options), optionsKey);
}

async function createPage(options: PageOptions): Promise<TestPage> {
  const { width = 1366, density, reducedMotion = true } = options;
  const { javaScriptEnabled = true, colorScheme = "dark" } = options;
  const { shouldHoldToasts = false, shouldSkipFillingTime = false } = options;
  // A failed launch fails one test only.
  launching ??= launch().catch((error: Error) => {
    launching = undefined;
    throw error;
  });
  const context = await (
    await launching
  ).newContext({
    viewport: { width, height: getHeight(width) },
    ...(density !== undefined && { deviceScaleFactor: density }),
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    javaScriptEnabled,
    colorScheme,
    hasTouch: width < TOUCH_BELOW_WIDTH,
    locale: "en-GB",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  if (shouldHoldToasts) await holdToasts(page);
  if (shouldSkipFillingTime) await page.addInitScript(skipFillingTime, MIN_FILLING_TIME_MS);
  return recordProblems(page, javaScriptEnabled);
}

/** Opens a public page as a visitor, and waits until it has settled. */
export async function openPublicPage(
  site: { readonly url: string },
  path: string,
  options: PageOptions = {},
): Promise<TestPage> {
  const page = await newPage(options);
  await page.visit(site.url + path);
  return page;
}

/** How long a toast is shown, in milliseconds (specification, section 9.1). */
const TOAST_DURATION_MS = 5000;

const holdToasts = (page: Page): Promise<unknown> =>
  page.addInitScript((durationMs) => {
    const { setTimeout } = window;
    const replacement = (callback: () => void, delayMs?: number, ...args: []) =>
      delayMs === durationMs ? 0 : setTimeout(callback, delayMs, ...args);
    Object.assign(window, { setTimeout: replacement });
  }, TOAST_DURATION_MS);

/** Runs in the page before anything else. Timers of between one second and `limitMs` fire immediately. */
function skipFillingTime(limitMs: number): void {
  const { setTimeout } = window;
  const isFillingWait = (after = 0) => after > 1000 && after < limitMs;
  Object.assign(window, {
    setTimeout: (callback: () => void, delayMs?: number) =>
      setTimeout(callback, isFillingWait(delayMs) ? 0 : delayMs),
  });
}

/** Closes every page that was opened. */
export async function closePages(): Promise<void> {
  await returnAllPages();
}

/** Closes every page and its profile, so that none is reused. */
export async function closeProfiles(): Promise<void> {
  forgetAllPages();
  const browser = await launching;
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** Closes the browser before this process ends. The next page starts another browser. */
export async function closeBrowser(): Promise<void> {
  const browser = await launching;
  launching = undefined;
  await browser?.close();
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: CHROMIUM_FLAGS,
    headless: true,
  });
  // After a crash, only the tests of one file fail, not all that follow.
  browser.on("disconnected", () => (launching = undefined));
  return browser;
}

function recordProblems(page: Page, hasScripts: boolean): TestPage {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (SLOW_PRELOAD.test(message.text())) return;
    problems.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => problems.push(`page error: ${error.message}`));
  page.on("request", (request) => {
    if (isForeign(request.url())) problems.push(`foreign request: ${request.url()}`);
  });
  if (hasScripts) awaitInterception(page);
  const waitUntilSettled = trackRequests(page, hasScripts);
  return Object.assign(page, {
    problems: (ignored?: RegExp) => problems.filter((each) => !ignored?.test(each)),
    clearProblems: () => void problems.splice(0),
    visit: async (address: string) => {
      await page.goto(address);
      await waitUntilSettled();
    },
    revisit: async () => {
      await page.reload();
      await waitUntilSettled();
    },
    waitUntilSettled,
  });
}

/** Records a page's requests, and returns a function that waits until it has settled. */
function trackRequests(page: Page, hasScripts: boolean): () => Promise<void> {
  const openRequests = new Set<Request>();
  page.on("request", (request) => openRequests.add(request));
  page.on("requestfinished", (request) => openRequests.delete(request));
  page.on("requestfailed", (request) => openRequests.delete(request));
  return async () => {
    await page.waitForLoadState();
    const end = performance.now() + PAGE_TIMEOUT_MS;
    for (let idleChecks = 0; idleChecks < 3;) {
      await (hasScripts ? page.evaluate(waitUntilIdle) : Bun.sleep(20));
      idleChecks = openRequests.size === 0 ? idleChecks + 1 : 0;
      if (performance.now() < end) continue;
      const pending = [...openRequests].map((request) => `${request.method()} ${request.url()}`);
      throw new Error(
        `The page still requests ${pending.join(", ") || "one file after the other"}.`,
      );
    }
  };
}

/** The longest wait for a state on a busy machine, in milliseconds: a little less than a test's timeout. */
const PAGE_TIMEOUT_MS = 45_000;

/** Runs in the page: waits for two frames, and then for an idle moment. */
async function waitUntilIdle(): Promise<void> {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await new Promise((done) => requestIdleCallback(done, { timeout: 1000 }));
}

function isForeign(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return /^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1" && hostname !== "localhost";
}
