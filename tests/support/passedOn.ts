/**
 * Browser pages that later tests reuse: a new one with its own profile takes two hundred milliseconds of processor
 * time, a reused one twenty.
 */
import type { Page } from "playwright-core";

/** The address of idle pages: nothing runs there, and its policy allows no requests. */
export const LEFT_AT = "/robots.txt";

/** Changes that outlast a navigation, after which a page is closed with its profile. */
const LASTING = new Set<PropertyKey>([
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

/** The pages lent to tests, and their options. */
interface LentPage {
  readonly page: Page;
  readonly kind: string;
  /** Names of the methods used so far. */
  readonly used: Set<PropertyKey>;
  readonly size: ReturnType<Page["viewportSize"]>;
  /** Undoes what was done through `unwatched`. */
  readonly undo: (() => void)[];
}

const lentPages = new Map<Page, LentPage>();
const idle = new Map<string, Page[]>();

/** Lends a page of a kind to a test; `leave` returns it. */
export function give<P extends Page>(page: P, kind: string): P {
  const about: LentPage = { page, kind, size: page.viewportSize(), undo: [], used: new Set() };
  const watched = new Proxy(page, {
    get(_, name) {
      about.used.add(name);
      const value: unknown = Reflect.get(page, name);
      return typeof value === "function" ? value.bind(page) : value;
    },
  });
  lentPages.set(watched, about);
  return watched;
}

/** A reset page of this kind that a test has returned. */
export function passedOn<P extends Page>(kind: string): P | undefined {
  const page = idle.get(kind)?.pop() as P | undefined;
  return page?.isClosed() === false ? give(page, kind) : undefined;
}

/** The page itself, for changes that the caller undoes, so that it can be reused. */
export const unwatched = (page: Page): Page => lentPages.get(page)?.page ?? page;

/** Undoes such a change when the page is returned. */
export const whenLeft = (page: Page, undo: () => void): void =>
  void lentPages.get(page)?.undo.push(undo);

/** Returns a page: for a later test, or to close it if it can't be reset. */
export async function leave(watched: Page): Promise<void> {
  const about = lentPages.get(watched);
  if (!about) return;
  lentPages.delete(watched);
  const { page, kind, undo } = about;
  for (const each of undo) each();
  const isChanged = LASTING.intersection(about.used).size > 0;
  const isClean = !isChanged && (await isEmptied(about).catch(() => false));
  if (!isClean) return page.context().close();
  const others = idle.get(kind);
  if (others) others.push(page);
  else idle.set(kind, [page]);
}

async function isEmptied({ page, kind, size, used }: LentPage): Promise<boolean> {
  // A link opened another tab.
  if (page.isClosed() || page.context().pages().length > 1) return false;
  if (used.has("route")) await page.unrouteAll({ behavior: "ignoreErrors" });
  if (used.has("emulateMedia")) await page.emulateMedia(mediaOf(kind));
  // On the same site, since another one would take a new process.
  await page.goto(new URL(LEFT_AT, page.url()).href);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.context().clearCookies();
  if (size) await page.setViewportSize(size);
  return true;
}

/** The media options of a kind of page, which is its options as JSON (browser.ts). */
function mediaOf(kind: string) {
  const { reducedMotion = true, colorScheme = "dark" } = Object.fromEntries(JSON.parse(kind));
  const motion = reducedMotion ? "reduce" : "no-preference";
  return { media: null, forcedColors: null, colorScheme, reducedMotion: motion } as const;
}

/** Keeps a page from being returned with the others, since several tests use it. */
export const retain = (page: Page): void => void lentPages.delete(page);

/** Returns every lent page. */
export const leaveAll = () => Promise.all([...lentPages.keys()].map(leave));

/** Forgets all pages, which are closed. */
export function forgetAll(): void {
  lentPages.clear();
  idle.clear();
}
