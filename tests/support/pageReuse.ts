/**
 * Browser pages that later tests reuse. A new page with its own profile takes two hundred milliseconds of processor
 * time, a reused page twenty.
 */
import type { Page } from "playwright-core";

/** The address of idle pages: nothing runs there, and its policy allows no requests. */
export const IDLE_PATH = "/robots.txt";

/** Methods whose effects outlast a navigation. A page for which they were called is closed with its profile. */
const LASTING_CHANGES = new Set<PropertyKey>([
  "addInitScript",
  "addListener",
  "clock",
  "context",
  "exposeBinding",
  "exposeFunction",
  "on",
  "once",
  "routeWebSocket",
  "setExtraHTTPHeaders",
]);

/** A page lent to a test, and its options. */
interface LentPage {
  readonly page: Page;
  readonly kind: string;
  /** Names of the methods used so far. */
  readonly usedMethods: Set<PropertyKey>;
  readonly size: ReturnType<Page["viewportSize"]>;
  /** Functions that undo what was done through `getUnwatchedPage`. */
  readonly undo: (() => void)[];
}

const lentPages = new Map<Page, LentPage>();
const idlePages = new Map<string, Page[]>();

/** Lends a page of a kind to a test. `returnPage` takes it back. */
export function lendPage<P extends Page>(page: P, kind: string): P {
  const lent: LentPage = {
    page,
    kind,
    size: page.viewportSize(),
    undo: [],
    usedMethods: new Set(),
  };
  const watchedPage = new Proxy(page, {
    get(_, name) {
      lent.usedMethods.add(name);
      const value: unknown = Reflect.get(page, name);
      return typeof value === "function" ? value.bind(page) : value;
    },
  });
  lentPages.set(watchedPage, lent);
  return watchedPage;
}

/** Lends a page of this kind that another test has returned, if there is one. */
export function reuseIdlePage<P extends Page>(kind: string): P | undefined {
  const page = idlePages.get(kind)?.pop() as P | undefined;
  return page?.isClosed() === false ? lendPage(page, kind) : undefined;
}

/** Returns the page itself, for changes that the caller undoes, so that the page can still be reused. */
export const getUnwatchedPage = (page: Page): Page => lentPages.get(page)?.page ?? page;

/** Undoes a change made through `getUnwatchedPage` when the page is returned. */
export const onPageReturned = (page: Page, undo: () => void): void =>
  void lentPages.get(page)?.undo.push(undo);

/** Takes a page back, for a later test, or closes it if it can't be reset. */
export async function returnPage(watchedPage: Page): Promise<void> {
  const lent = lentPages.get(watchedPage);
  if (!lent) return;
  lentPages.delete(watchedPage);
  const { page, kind, undo } = lent;
  for (const each of undo) each();
  const isChanged = LASTING_CHANGES.intersection(lent.usedMethods).size > 0;
  const isClean = !isChanged && (await resetPage(lent).catch(() => false));
  if (!isClean) return page.context().close();
  const others = idlePages.get(kind);
  if (others) others.push(page);
  else idlePages.set(kind, [page]);
}

async function resetPage({ page, kind, size, usedMethods: used }: LentPage): Promise<boolean> {
  // A link opened another tab.
  if (page.isClosed() || page.context().pages().length > 1) return false;
  if (used.has("route")) await page.unrouteAll({ behavior: "ignoreErrors" });
  if (used.has("emulateMedia")) await page.emulateMedia(createMediaOptions(kind));
  // The address is on the same site, since another site would need a new process.
  await page.goto(new URL(IDLE_PATH, page.url()).href);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.context().clearCookies();
  if (size) await page.setViewportSize(size);
  return true;
}

/** Returns the media options of a kind of page. The kind is the page's options as JSON (browser.ts). */
function createMediaOptions(kind: string) {
  const { reducedMotion = true, colorScheme = "dark" } = Object.fromEntries(JSON.parse(kind));
  const motion = reducedMotion ? "reduce" : "no-preference";
  return { media: null, forcedColors: null, colorScheme, reducedMotion: motion } as const;
}

/** Keeps a page from being returned with the others, since several tests use it. */
export const excludeFromReuse = (page: Page): void => void lentPages.delete(page);

/** Returns every lent page. */
export const returnAllPages = () => Promise.all([...lentPages.keys()].map(returnPage));

/** Forgets all pages, since they are being closed. */
export function forgetAllPages(): void {
  lentPages.clear();
  idlePages.clear();
}
