/** Pages of a real browser for tests, which note everything that goes wrong in them. */
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { MIN_FILLING_TIME_MS } from "../../src/schema/enquiry/answers.ts";
import { CHROMIUM_FLAGS, chromiumPath } from "./chromium.ts";
import { awaitInterception } from "./interception.ts";
import { forgetAll, give, leaveAll, passedOn } from "./passedOn.ts";

/** The widths every screen is looked at: a phone, a tablet, a laptop. */
export const WIDTHS = [390, 768, 1366] as const;

const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 412: 823, 768: 1024, 1366: 768 };

/** Phones held across, a larger and a smaller one. */
export const HELD_ACROSS = [
  [844, 390],
  [667, 375],
] as const;

/** How high a window of this width is. */
export const heightAt = (width: number): number => HEIGHTS[width] ?? 800;

/** Narrower ones are touched. */
export const TOUCHED_BELOW = 768;

/** How a page is opened. */
export interface PageOptions {
  readonly width?: number;
  /** Pixels to the point. Default: 1. */
  readonly density?: number;
  readonly reducedMotion?: boolean;
  /** Default: dark, as the dashboard was first. */
  readonly colorScheme?: "light" | "dark";
  /** False: as for a visitor without scripts. */
  readonly javaScript?: boolean;
  /**
   * True: toasts stay until they are closed or taken back, since a busy machine may look away for as long as one shows.
   * For public pages: the browser complains of scripts in the dashboard's previews.
   */
  readonly toastsStay?: boolean;
  /** True: an enquiry is sent at once, as if its visitor had taken the time that the site asks for. */
  readonly skipsFillingTime?: boolean;
}

/** A page that remembers its troubles. */
export type TestPage = Page & {
  /**
   * Console errors and warnings, page errors, violated policies and requests to other hosts so far;
   * `except` leaves out those a test brings about on purpose.
   */
  problems(except?: RegExp): string[];
  /** From now on there were none. */
  forgetProblems(): void;
  /** Goes to an address and waits until the page is `settled`. */
  visit(address: string): Promise<void>;
  /** Loads the page anew and waits until it is `settled`. */
  revisit(): Promise<void>;
  /** Waits until the page has loaded, its scripts have run and nothing more is asked for. */
  settled(): Promise<void>;
};

/**
 * What the browser says of files fetched ahead that nobody has used three seconds after the page was there: on a busy
 * machine the code that uses them comes later than that. That they are used, and not fetched twice, has its own tests.
 */
const SLOW_PRELOAD = /was preloaded using link preload but not used within a few seconds/;

let launched: Promise<Browser> | undefined;

/**
 * Opens a page in a profile of its own, in the one browser of this process; `closePages` takes it away. It may be one
 * that an earlier test has left, if nothing of that is in it.
 */
export async function newPage(options: PageOptions = {}): Promise<TestPage> {
  const kind = JSON.stringify(Object.entries(options).toSorted());
  const reused = passedOn<TestPage>(kind);
  reused?.forgetProblems();
  return reused ?? give(await freshPage(options), kind);
}

async function freshPage(options: PageOptions): Promise<TestPage> {
  const { width = 1366, density, reducedMotion = true } = options;
  const { javaScript = true, colorScheme = "dark" } = options;
  const { toastsStay = false, skipsFillingTime = false } = options;
  // One that didn't start takes one test along.
  launched ??= launch().catch((error: Error) => {
    launched = undefined;
    throw error;
  });
  const context = await (
    await launched
  ).newContext({
    viewport: { width, height: heightAt(width) },
    ...(density !== undefined && { deviceScaleFactor: density }),
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    javaScriptEnabled: javaScript,
    colorScheme,
    hasTouch: width < TOUCHED_BELOW,
    locale: "en-GB",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  if (toastsStay) await holdToasts(page);
  if (skipsFillingTime) await page.addInitScript(withoutWait, MIN_FILLING_TIME_MS);
  return watched(page, javaScript);
}

/** Opens a public page as a visitor, and waits until it is settled. */
export async function openPublicPage(
  site: { readonly url: string },
  path: string,
  options: PageOptions = {},
): Promise<TestPage> {
  const page = await newPage(options);
  await page.visit(site.url + path);
  return page;
}

/** How long a toast shows by itself, in milliseconds (specification, section 9.1). */
const TOAST = 5000;

const holdToasts = (page: Page): Promise<unknown> =>
  page.addInitScript((toast) => {
    const { setTimeout } = window;
    const instead = (then: () => void, after?: number, ...args: []) =>
      after === toast ? 0 : setTimeout(then, after, ...args);
    Object.assign(window, { setTimeout: instead });
  }, TOAST);

/** Runs in the page before anything else: what would be done within this time, after the first second, is done at once. */
function withoutWait(time: number): void {
  const { setTimeout } = window;
  const isWait = (after = 0) => after > 1000 && after < time;
  Object.assign(window, {
    setTimeout: (then: () => void, after?: number) => setTimeout(then, isWait(after) ? 0 : after),
  });
}

/** Takes away every page that was opened. */
export async function closePages(): Promise<void> {
  await leaveAll();
}

/** The same, and none of them is passed on. */
export async function closeProfiles(): Promise<void> {
  forgetAll();
  const browser = await launched;
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** Ends the browser before this process does; the next page starts another. */
export async function closeBrowser(): Promise<void> {
  const browser = await launched;
  launched = undefined;
  await browser?.close();
}

async function launch(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: CHROMIUM_FLAGS,
    headless: true,
  });
  // One that crashed takes the tests of one file along, not those of all that follow.
  browser.on("disconnected", () => (launched = undefined));
  return browser;
}

function watched(page: Page, javaScript: boolean): TestPage {
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
  if (javaScript) awaitInterception(page);
  const settled = settling(page, javaScript);
  return Object.assign(page, {
    problems: (except?: RegExp) => problems.filter((each) => !except?.test(each)),
    forgetProblems: () => void problems.splice(0),
    visit: async (address: string) => {
      await page.goto(address);
      await settled();
    },
    revisit: async () => {
      await page.reload();
      await settled();
    },
    settled,
  });
}

/** Notes what a page asks for, to tell when it has all of it. */
function settling(page: Page, javaScript: boolean): () => Promise<void> {
  const open = new Set<Request>();
  page.on("request", (request) => open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return async () => {
    await page.waitForLoadState();
    const end = performance.now() + PATIENCE;
    for (let idle = 0; idle < 3;) {
      await (javaScript ? page.evaluate(untilIdle) : Bun.sleep(20));
      idle = open.size === 0 ? idle + 1 : 0;
      if (performance.now() < end) continue;
      const pending = [...open].map((request) => `${request.method()} ${request.url()}`);
      throw new Error(
        `The page still asks for ${pending.join(", ") || "one thing after the other"}.`,
      );
    }
  };
}

/** How long a state may take on a busy machine, in milliseconds: a little less than a test. */
const PATIENCE = 45_000;

/** Runs in the page: two frames, and then a moment in which it has nothing to do. */
async function untilIdle(): Promise<void> {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await new Promise((done) => requestIdleCallback(done, { timeout: 1000 }));
}

function isForeign(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return /^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1" && hostname !== "localhost";
}
