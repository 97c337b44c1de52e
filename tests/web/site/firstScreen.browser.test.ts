/** The first screen: its resources, what waits for it, and that nothing shifts. */
import { describe, expect, test } from "bun:test";
import { newPage, openPublicPage, type TestPage } from "../../support/browser.ts";
import { dropRequests, holdRequests } from "../../support/network.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { waitUntilStable, waitTwoFrames } from "../../support/waits.ts";
import { hydrateForm } from "../../support/hydrateForm.ts";

const PAGES = ["/", "/coaching"];

const site = setUpSampleSite();

/**
 * Delays the hero's picture until the returned function is called. The timeout doesn't fire by itself, however slow
 * this machine is: `releasePictures` fires it.
 */
async function holdPictures(page: TestPage): Promise<() => void> {
  await page.addInitScript(holdTimers, MAX_DELAY_MS);
  return holdRequests(page, /\/uploads\//);
}

/** How long the first screen waits for its picture, in milliseconds. */
const MAX_DELAY_MS = 3000;

/** Fires the timeout; resolves to the number of its timers. */
const releasePictures = (page: TestPage) =>
  page.evaluate(() => {
    const { kept } = window as unknown as { kept: (() => void)[] };
    for (const then of kept) then();
    return kept.length;
  });

const countAlone = (page: TestPage) => page.locator(".page[data-alone]").count();
const countShownSections = (page: TestPage) =>
  page
    .locator(".page > .section")
    .evaluateAll((sections) => sections.filter((each) => each.clientHeight > 0).length);

describe("the first screen loads before the rest of the page", () => {
  test.each(PAGES)(
    "%s requests no other picture until the hero's picture has loaded",
    async (path) => {
      const page = await newPage({ width: 390 });
      await page.addInitScript(countSections);
      const requested: string[] = [];
      page.on("request", (request) => requested.push(new URL(request.url()).pathname));
      const release = await holdPictures(page);
      await page.goto(site.url + path, { waitUntil: "commit" });
      await page.locator(".page[data-alone]").waitFor();
      // The page is parsed to its end and drawn, so everything that it shows was requested.
      await page.waitForFunction(() => document.readyState !== "loading");
      await waitTwoFrames(page);
      expect(await countAlone(page)).toBe(1);
      const pictures = () => requested.filter((path) => /\/uploads\/|platforms-/.test(path));
      expect(pictures()).toHaveLength(1);
      release();
      await page.locator(".page:not([data-alone])").waitFor();
      await page.waitUntilSettled();
      expect(pictures().length).toBeGreaterThan(2);
      expect(await countShownSections(page)).toBeGreaterThan(1);
      const shown = await page.evaluate(() => (window as unknown as { shown: number[] }).shown);
      if (path === "/") expect(shown).toEqual([0, 1, 2, 3, 4]);
      expect(page.problems()).toEqual([]);
    },
  );

  test("a hero picture that never loads delays the other sections for three seconds", async () => {
    const page = await newPage({ width: 390 });
    await holdPictures(page);
    await page.goto(site.url, { waitUntil: "commit" });
    await page.locator(".page[data-alone]").waitFor();
    await page.waitForFunction(() => document.readyState !== "loading");
    await waitTwoFrames(page);
    expect(await countShownSections(page)).toBe(0);
    expect(await releasePictures(page)).toBe(1);
    expect(await countAlone(page)).toBe(0);
    expect(await countShownSections(page)).toBe(4);
  });

  test("the other sections appear at once for a visitor who scrolls or follows a link to a section, or if the picture fails", async () => {
    const page = await newPage({ width: 1366 });
    await holdPictures(page);
    await page.goto(site.url, { waitUntil: "commit" });
    await page.locator(".page[data-alone]").waitFor();
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, 900);
    await page.locator(".page:not([data-alone])").waitFor();
    await page.waitForFunction(() => scrollY === 900);
    expect(await page.locator("#about").isVisible()).toBe(true);
    await page.goto(`${site.url}/#connect`, { waitUntil: "commit" });
    await page.locator("#connect").waitFor();
    expect(await countAlone(page)).toBe(0);
    await dropRequests(page, /\/uploads\//);
    await page.goto(site.url);
    await page.locator(".page:not([data-alone])").waitFor();
    expect(await countShownSections(page)).toBe(4);
  });

  test("a reload keeps a scroll position far down", async () => {
    const page = await openPublicPage(site, "/", { width: 390 });
    const end = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    await page.evaluate(() => scrollTo({ top: 1e6, behavior: "instant" }));
    const before = await page.evaluate(() => scrollY);
    expect(before).toBe(await end());
    await page.revisit();
    await page.waitForFunction((before) => scrollY === before, before);
  });
});

describe("preloaded fonts", () => {
  test.each(PAGES)("%s requests the fonts without waiting for their style sheet", async (path) => {
    const html = await (await fetch(site.url + path)).text();
    const preloads = [...html.matchAll(/<link rel="preload" href="([^"]+)" as="font"/g)];
    expect(preloads.map(([, href]) => href!.replace(/-\w{8}\.woff2$/, ""))).toEqual([
      "/fonts/files/bebas-neue-latin-400",
      "/fonts/files/inter-latin-wght",
    ]);
    for (const [, href] of preloads) expect(html).toContain(`src:url(${href})`);
  });
});

describe("no layout shifts", () => {
  // allExtras.browser.test.ts tests the other widths, with every extra.
  test.each([
    ["/", 390],
    ["/coaching", 1366],
  ])("while %s loads at %d px", async (path, width) => {
    const page = await newPage({ width, reducedMotion: false });
    await page.addInitScript(recordTextChanges);
    for (const visit of ["first", "second"]) {
      await page.visit(site.url + path);
      // The home page has nothing to hydrate.
      if (path === "/coaching") await hydrateForm(page);
      await page.evaluate(() => document.fonts.ready);
      await waitUntilStable(page);
      const { moved, widths } = await page.evaluate(
        () => (window as unknown as { watched: RecordedChanges }).watched,
      );
      const isSeen = widths.length > 0;
      expect({ visit, isSeen }).toEqual({ visit, isSeen: true });
      // Words may move a little when their font arrives after the first frame, as on a busy machine.
      expect(moved).toBeLessThan(0.02);
      // The fallback font, if it is seen for a frame at all, has almost the same widths as the font.
      const deviations = widths
        .flat()
        .map((width, at) => Math.abs(width / widths[0]![at % 2]! - 1));
      expect(Math.max(...deviations)).toBeLessThan(0.03);
    }
  });
});

/** Serves the site with a pause of a second before the end of a page's title. */
function startPausingSite() {
  const titleEnd = "</h1>";
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch({ url }) {
      const { pathname } = new URL(url);
      const response = await fetch(site.url + pathname);
      if (!response.headers.get("content-type")?.startsWith("text/html")) return response;
      const html = await response.text();
      const end = html.indexOf(titleEnd);
      async function* parts() {
        yield html.slice(0, end);
        await Bun.sleep(1000);
        yield html.slice(end);
      }
      return new Response(parts() as never, { headers: { "content-type": "text/html" } });
    },
  });
}

test("a title doesn't move when the rest of the first screen arrives later", async () => {
  const pausing = startPausingSite();
  const page = await newPage({ width: 390, reducedMotion: false });
  await page.addInitScript(recordTextChanges);
  await page.visit(`http://127.0.0.1:${pausing.port}/coaching`);
  await waitUntilStable(page);
  const watched = await page.evaluate(
    () => (window as unknown as { watched: RecordedChanges }).watched,
  );
  expect(watched.moved).toBeLessThan(0.02);
  await pausing.stop(true);
});

/** Runs in the page before anything else: timers of this length wait to be called. */
function holdTimers(time: number): void {
  const held: (() => void)[] = [];
  const { setTimeout } = window;
  const instead = (then: () => void, after?: number) =>
    after === time ? held.push(then) : setTimeout(then, after);
  Object.assign(window, { kept: held, setTimeout: instead });
}

/** Runs in the page before anything else: records the number of sections in each frame, whenever it changes. */
function countSections(): void {
  const shown: number[] = [];
  Object.assign(window, { shown });
  const record = () => {
    const sections = document.querySelectorAll<HTMLElement>(".page > .section");
    const count = [...sections].filter((each) => each.checkVisibility()).length;
    if (sections.length === 4 && shown.at(-1) !== count) shown.push(count);
    requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
}

interface RecordedChanges {
  /** The layout shifts so far, as the browser counts them. */
  moved: number;
  /** The widths of the headline and of the brand since they became visible. */
  widths: [headline: number, brand: number][];
}

/** Runs in the page before anything else: records the text's widths. */
function recordTextChanges(): void {
  const watched: RecordedChanges = { moved: 0, widths: [] };
  Object.assign(window, { watched });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) watched.moved += (entry as never)["value"] as number;
  }).observe({ type: "layout-shift", buffered: true });
  const widthOf = (selector: string) => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(selector)!);
    return Math.round(range.getBoundingClientRect().width);
  };
  const check = () => {
    const isSeen = performance.getEntriesByName("first-contentful-paint").length > 0;
    if (isSeen && document.querySelector("h1 + p")) {
      const widths: [number, number] = [widthOf("h1"), widthOf(".brand")];
      if (String(watched.widths.at(-1)) !== String(widths)) watched.widths.push(widths);
    }
    requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}
