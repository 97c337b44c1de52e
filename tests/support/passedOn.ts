/**
 * Browser pages that later tests reuse: a fresh one with its own profile takes two hundred milliseconds of processor
 * time, a reused one twenty.
 */
import type { Page } from "playwright-core";

/** Where they stand meanwhile: nothing runs there, and its policy lets nothing be asked for. */
export const LEFT_AT = "/robots.txt";

/** What they change outlasts a navigation, so such a page is closed with its profile. */
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

/** The pages behind those that tests hold, and how they were opened. */
interface LentPage {
  readonly page: Page;
  readonly kind: string;
  /** What was asked of the page so far, by name. */
  readonly used: Set<PropertyKey>;
  readonly size: ReturnType<Page["viewportSize"]>;
  /** Takes back what was done to it by `unwatched`. */
  readonly undo: (() => void)[];
}

const lentPages = new Map<Page, LentPage>();
const idle = new Map<string, Page[]>();

/** Lends a page of a kind to a test; `leave` takes it back. */
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

/** A page of this kind that a test has left, emptied. */
export function passedOn<P extends Page>(kind: string): P | undefined {
  const page = idle.get(kind)?.pop() as P | undefined;
  return page?.isClosed() === false ? give(page, kind) : undefined;
}

/** The page itself, for changes that the caller undoes: it may be reused all the same. */
export const unwatched = (page: Page): Page => lentPages.get(page)?.page ?? page;

/** Undoes such a change once the page is taken back. */
export const whenLeft = (page: Page, undo: () => void): void =>
  void lentPages.get(page)?.undo.push(undo);

/** Takes a page back: for a later test, or to close it if it can't be emptied. */
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
  // What a link has opened in another tab.
  if (page.isClosed() || page.context().pages().length > 1) return false;
  if (used.has("route")) await page.unrouteAll({ behavior: "ignoreErrors" });
  if (used.has("emulateMedia")) await page.emulateMedia(mediaOf(kind));
  // Of the same site: for one of another the browser would take another process.
  await page.goto(new URL(LEFT_AT, page.url()).href);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.context().clearCookies();
  if (size) await page.setViewportSize(size);
  return true;
}

/** What a page of this kind is opened with (browser.ts). */
function mediaOf(kind: string) {
  const { reducedMotion = true, colorScheme = "dark" } = Object.fromEntries(JSON.parse(kind));
  const motion = reducedMotion ? "reduce" : "no-preference";
  return { media: null, forcedColors: null, colorScheme, reducedMotion: motion } as const;
}

/** One that isn't taken back with all others: several tests use it. */
export const retain = (page: Page): void => void lentPages.delete(page);

/** Takes back all that are given away. */
export const leaveAll = () => Promise.all([...lentPages.keys()].map(leave));

/** All that there were are closed. */
export function forgetAll(): void {
  lentPages.clear();
  idle.clear();
}
