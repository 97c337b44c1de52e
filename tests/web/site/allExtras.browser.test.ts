/** The weight and behavior of pages with every extra, and packages (specification, section 2.24). */
import { beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { DOWNLOAD_LIMITS_BYTES } from "../../../src/build/budget.ts";
import { addAllExtras, EXTRA_KEYS } from "../../support/allExtras.ts";
import {
  newPage,
  openPublicPage,
  type PageOptions,
  type TestPage,
  WIDTHS,
} from "../../support/browser.ts";
import { inspectAtWidths, expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import { measureBoxes, measureOverflow } from "../../support/pageState.ts";
import { replaceItems } from "../../support/replaceItems.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { waitUntilStable } from "../../support/waits.ts";
import { applyLook } from "../../support/applyLook.ts";
import { measureInlineScripts, measureDownloads } from "../../support/downloadSizes.ts";

const site = setUpSampleSite();
const fetchPage = async (path: string) => (await fetch(site.url + path)).text();
/** The pages that can have extras, which the privacy policy can't. */
const PATHS = ["/", "/coaching"] as const;

beforeAll(() => addAllExtras(site));

describe.each(PATHS)("with all extra sections %s", (path) => {
  // firstScreen.browser.test.ts tests the other widths.
  const width = path === "/" ? 1366 : 390;
  test(`read to its end at ${width} px fetches no scripts, requests no other host and shifts no layout`, async () => {
    const scripts = measureInlineScripts(await fetchPage(path));
    let shifts = 0;
    const visit = async (page: TestPage) => {
      await page.goto(site.url + path);
      await scrollToEnd(page);
      // Requests to other hosts are among the problems.
      expect(page.problems()).toEqual([]);
      shifts = await page.evaluate(measureLayoutShift);
    };
    const { script, code } = await measureDownloads(visit, { width });
    expect([script, scripts <= DOWNLOAD_LIMITS_BYTES.withExtras.scripts]).toEqual([0, true]);
    expect(code).toBeLessThanOrEqual(DOWNLOAD_LIMITS_BYTES.withExtras.code);
    // Words may move a little when their font arrives after the first frame, as on a busy machine.
    expect(shifts).toBeLessThan(0.02);
  });
});

/**
 * The numbers of columns at 390, 768 and 1366 px, in a dark and in a light look. admin/tabs/contrast.test.ts computes
 * whether all colors can be read.
 */
test.each([
  ["velvet", "/", { ".posters": [null, 2, 4], ".features": [2, 4, 6] }],
  ["daylight", "/coaching", { "#transformations ul": [1, 2, 4] }],
])(
  "in the look %s with all extra sections %s is accessible at three widths, and its lists have the expected columns",
  async (...tried) => {
    const [look, path, columns] = tried;
    await applyLook(site, look);
    const page = await openPublicPage(site, path);
    for (const rest of await page.locator("main summary").all()) await rest.click();
    await expectAccessibleAtWidths(page);
    await inspectAtWidths(page, WIDTHS, async (width) => {
      for (const [selector, wanted] of Object.entries(columns)) {
        const count = await page
          .locator(selector)
          .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
        const expected = wanted[WIDTHS.indexOf(width as 390)] ?? count;
        expect([selector, width, count]).toEqual([selector, width, expected]);
      }
      if (width === 768 && path === "/") await expectFullRows(page);
    });
    expect(page.problems()).toEqual([]);
  },
);

/** On a tablet three small videos are beside each other, and the last of three packages takes a row. */
async function expectFullRows(page: TestPage): Promise<void> {
  const boxes = (selector: string) => measureBoxes(page.locator(selector));
  const videos = await boxes(".reel > :not(:first-child)");
  expect([videos.length, new Set(videos.map(({ top }) => Math.round(top))).size]).toEqual([3, 1]);
  const [[whole], [one, two, three]] = [await boxes(".packages"), await boxes(".packages > li")];
  expect(one!.width + two!.width).toBeLessThan(whole!.width);
  expect(three!.width).toBe(whole!.width);
}

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
}

/** Runs in the page: how much its layout has shifted so far. */
const measureLayoutShift = () =>
  new Promise<number>((resolve) => {
    const observer = new PerformanceObserver((list) =>
      resolve(list.getEntries().reduce((sum, each) => sum + (each as LayoutShift).value, 0)),
    );
    observer.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(0), 500);
  });

/** Scrolls screen by screen, like a reader. */
async function scrollToEnd(page: TestPage): Promise<void> {
  await waitUntilStable(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 700) {
    await page.evaluate((top) => scrollTo(0, top), at); // oxlint-disable-line no-await-in-loop
    await page.waitUntilSettled(); // oxlint-disable-line no-await-in-loop
  }
}

test("each extra section on a page has its own style sheet of at most 1,500 bytes", async () => {
  const sheets = (await readdir("dist/web/assets")).filter((name) =>
    /^extra-.*\.css\.br$/.test(name),
  );
  const sizes = Object.fromEntries(
    sheets.map((name) => [
      /^extra-(\w+)-/.exec(name)![1]!,
      Bun.file(`dist/web/assets/${name}`).size,
    ]),
  );
  // The pair of before and after isn't an extra, but has a style sheet too.
  expect(Object.keys(sizes).sort()).toEqual([...EXTRA_KEYS, "beforeAfter"].sort());
  expect(Math.max(...Object.values(sizes))).toBeLessThanOrEqual(1500);
});

describe("coaching packages", () => {
  const CALENDAR = "https://cal.example.com/first-call";
  const PACKAGES = [
    {
      title: "First call",
      price: "Free",
      per: "20 minutes",
      description: "See whether we get on.",
      points: "By telephone or video\nAn honest answer",
      buttonLink: CALENDAR,
    },
    {
      title: "Twelve weeks",
      price: "£450",
      per: "6 sessions",
      points: "Six sessions of an hour\nA plan that fits your kitchen\nMessages on weekdays",
      buttonText: "Apply",
      featured: true,
    },
    { title: "An evening", price: "from £1,800", per: "one night", buttonText: "Ask" },
  ];

  const setPackages = (packages: readonly object[]) =>
    replaceItems(site, "/api/packages", packages);

  beforeAll(async () => {
    await site.asOwner("POST", "/api/extras", { on: ["packages"] });
    await site.asOwner("POST", "/api/package-settings", { smallPrint: "Prices include VAT." });
    await setPackages(PACKAGES);
  });

  async function openPackages(options: PageOptions = {}) {
    const page = await newPage(options);
    await page.visit(`${site.url}/coaching`);
    const section = page.locator("#packages");
    await section.scrollIntoViewIfNeeded();
    const boxes = (selector: string) => measureBoxes(section.locator(selector));
    return { page, section, boxes };
  }

  test("are in one, two or three columns, and only the highlighted package is accented", async () => {
    const { page, boxes, section } = await openPackages();
    await inspectAtWidths(page, WIDTHS, async (width) => {
      const cards = await boxes("article");
      const columns = cards.filter(({ top }) => top === cards[0]!.top).length;
      expect(columns).toBe(1 + WIDTHS.indexOf(width as 390));
      const buttons = await boxes(".button");
      const gaps = cards.map((card, at) => Math.round(card.bottom - buttons[at]!.bottom));
      expect(new Set(gaps).size).toBe(1);
      for (const { height } of buttons) expect(height).toBeGreaterThanOrEqual(44);
      expect(await measureOverflow(page)).toBe(0);
    });
    const titles = PACKAGES.map(({ title }) => title);
    expect(await section.locator("h3").allTextContents()).toEqual(titles);
    const cardStyles = await section.locator("article").evaluateAll((cards) =>
      cards.map((card) => ({
        border: getComputedStyle(card).boxShadow.includes("2px"),
        isQuiet: card.querySelector(".button")!.matches(".quiet"),
      })),
    );
    expect(cardStyles).toEqual([
      { border: false, isQuiet: true },
      { border: true, isQuiet: false },
      { border: false, isQuiet: true },
    ]);
    // A link to another site opens in the same tab.
    const external = section.getByRole("link", { name: "Book: First call", exact: true });
    expect([await external.getAttribute("href"), await external.getAttribute("target")]).toEqual([
      CALENDAR,
      null,
    ]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ forcedColors: "active" });
    const borders = await section
      .locator("article")
      .evaluateAll((cards) => cards.map((card) => getComputedStyle(card).borderTopWidth));
    expect(borders).toEqual(["1px", "3px", "1px"]);
    await page.emulateMedia({ forcedColors: null });
    expect(await section.evaluate(measureHidden)).toBe(0);
    // A single package has its title at the left and its points at the right, on a phone below.
    await section.locator(".packages > :not(:nth-child(2))").evaluateAll((others) => {
      for (const each of others) each.remove();
    });
    await inspectAtWidths(page, [1366, 390], async (width) => {
      const [[title], [points]] = [await boxes("h3"), await boxes("ul ul")];
      if (width === 390) expect(points!.top).toBeGreaterThan(title!.bottom);
      else expect(points!.left).toBeGreaterThan(title!.right);
    });
    // The longest words fit a page of 320 px.
    await section.locator(":is(h3, p, li li, .button)").evaluateAll((texts) => {
      for (const each of texts) each.textContent = "W".repeat(160);
    });
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await measureOverflow(page)).toBe(0);
  });
});

/** Runs in the page: the width of what a section cuts off in right-to-left direction. */
function measureHidden(section: HTMLElement): number {
  section.dir = "rtl";
  const hidden = section.scrollWidth - section.clientWidth;
  section.dir = "";
  return hidden;
}
