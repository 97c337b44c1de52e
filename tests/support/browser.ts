/** Pages of a real browser, which record everything that goes wrong in them. */
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { MIN_FILLING_TIME_MS } from "../../src/schema/enquiry/answers.ts";
import { CHROMIUM_FLAGS, chromiumPath } from "./chromium.ts";
import { awaitInterception } from "./interception.ts";
import { forgetAll, give, leaveAll, passedOn } from "./passedOn.ts";

/** The widths at which every screen is tested: phone, tablet, laptop. */
export const WIDTHS = [390, 768, 1366] as const;

const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 412: 823, 768: 1024, 1366: 768 };

/** Phones in landscape, a large and a small one. */
export const HELD_ACROSS = [
  [844, 390],
  [667, 375],
] as const;

/** The height of a window of this width. */
export const heightAt = (width: number): number => HEIGHTS[width] ?? 800;

/** Narrower windows have a touch screen. */
export const TOUCHED_BELOW = 768;

/** Options for opening a page. */
export interface PageOptions {
  readonly width?: number;
  /** Device pixels per CSS pixel. Default: 1. */
  readonly density?: number;
  readonly reducedMotion?: boolean;
  /** Default: dark, like the first dashboard. */
  readonly colorScheme?: "light" | "dark";
  /** False: a visitor without scripts. */
  readonly javaScript?: boolean;
  /**
   * True: toasts stay until they are closed, since a busy machine may miss one. For public pages only: in the
   * dashboard's previews the browser would complain about scripts.
   */
  readonly toastsStay?: boolean;
  /** True: an enquiry is sent at once, as if its visitor had taken the required time. */
  readonly skipsFillingTime?: boolean;
}

/** A page that records its problems. */
export type TestPage = Page & {
  /**
   * Console errors and warnings, page errors, violated policies and requests to other hosts so far; `except` leaves
   * out those that a test causes on purpose.
   */
  problems(except?: RegExp): string[];
  /** Clears the list. */
  forgetProblems(): void;
  /** Goes to an address and waits until the page is `settled`. */
  visit(address: string): Promise<void>;
  /** Loads the page anew and waits until it is `settled`. */
  revisit(): Promise<void>;
  /** Waits until the page has loaded, its scripts have run and nothing more is asked for. */
  settled(): Promise<void>;
};

/**
 * The browser's warning about preloaded files that weren't used within three seconds, which a busy machine may need.
 * Other tests show that they are used and not fetched twice.
 */
const SLOW_PRELOAD = /was preloaded using link preload but not used within a few seconds/;

let launched: Promise<Browser> | undefined;

/**
 * Opens a page in its own profile, in this process's one browser; `closePages` closes it. It may be reused from an
 * earlier test if nothing of that is left.
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
  // A failed launch fails one test only.
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

/** How long a toast is shown, in milliseconds (specification, section 9.1). */
const TOAST = 5000;

const holdToasts = (page: Page): Promise<unknown> =>
  page.addInitScript((toast) => {
    const { setTimeout } = window;
    const instead = (then: () => void, after?: number, ...args: []) =>
      after === toast ? 0 : setTimeout(then, after, ...args);
    Object.assign(window, { setTimeout: instead });
  }, TOAST);

/** Runs in the page before anything else: timers between the first second and this time fire at once. */
function withoutWait(time: number): void {
  const { setTimeout } = window;
  const isWait = (after = 0) => after > 1000 && after < time;
  Object.assign(window, {
    setTimeout: (then: () => void, after?: number) => setTimeout(then, isWait(after) ? 0 : after),
  });
}

/** Closes every page that was opened. */
export async function closePages(): Promise<void> {
  await leaveAll();
}

/** Closes them without reuse. */
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
  // A crash fails the tests of one file, not of all that follow.
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

/** Records a page's requests, to tell when it has settled. */
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

/** The longest wait for a state on a busy machine, in milliseconds: a little less than a test's timeout. */
const PATIENCE = 45_000;

/** Runs in the page: waits for two frames, and then for an idle moment. */
async function untilIdle(): Promise<void> {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await new Promise((done) => requestIdleCallback(done, { timeout: 1000 }));
}

function isForeign(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return /^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1" && hostname !== "localhost";
}
