/** The weight and behavior of pages with every extra, and packages (specification, section 2.24). */
import { beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { DOWNLOADS } from "../../../src/build/budget.ts";
import { addAllExtras, EXTRAS } from "../../support/allExtras.ts";
import { newPage, openPublicPage, type PageOptions, WIDTHS } from "../../support/browser.ts";
import { atWidths, expectSound, expectSoundAtWidths } from "../../support/expectSound.ts";
import { sideways } from "../../support/pageState.ts";
import { onlyItems } from "../../support/onlyItems.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { waitUntilStable } from "../../support/waits.ts";
import { wear } from "../../support/wear.ts";
import { runBefore, weigh } from "../../support/weigh.ts";

const site = sampleSite();
const without: Record<string, { html: string; scripts: number }> = {};
const read = async (path: string) => (await fetch(site.url + path)).text();
const PATHS = Object.keys(DOWNLOADS.scripts);

beforeAll(async () => {
  for (const path of PATHS) {
    const html = await read(path);
    without[path] = { html, scripts: runBefore(html) };
  }
  await addAllExtras(site);
});

describe.each(PATHS)("with all extras %s", (path) => {
  test("runs at most 6,000 bytes of scripts and fetches none, and takes at most 48 KB of code", async () => {
    const scripts = runBefore(await read(path));
    const { script, code } = await weigh((page) => page.goto(site.url + path));
    console.log(
      `${path}: scripts ${without[path]!.scripts} bytes without extras, ${scripts} with all; code with all ${code} bytes.`,
    );
    expect([script, scripts <= DOWNLOADS.withExtras.scripts]).toEqual([0, true]);
    expect(code).toBeLessThanOrEqual(DOWNLOADS.withExtras.code);
  });

  test("requests no other host before a click, read to the end", async () => {
    const page = await newPage({ width: 390 });
    const hosts = new Set<string>();
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http")) hosts.add(host);
    });
    await page.goto(site.url + path);
    await toTheEnd(page);
    expect([...hosts]).toEqual([new URL(site.url).host]);
  });

  test.each([390, 1366])("shifts no layout at %i px, read to the end", async (width) => {
    const page = await newPage({ width });
    await page.goto(site.url + path);
    await toTheEnd(page);
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) =>
            resolve(list.getEntries().reduce((sum, each) => sum + (each as LayoutShift).value, 0)),
          );
          observer.observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(0), 500);
        }),
    );
    expect(shifts).toBe(0);
  });
});

// One dark look and one light; admin/tabs/contrast.test.ts computes the contrast of all.
describe.each(["velvet", "daylight"])("with all extras in %s", (look) => {
  test.each(["/", "/coaching"])("%s is accessible at three widths", async (path) => {
    await wear(site, look);
    const page = await openPublicPage(site, path);
    for (const rest of await page.locator("main summary").all()) await rest.click();
    await expectSoundAtWidths(page);
    expect(page.problems()).toEqual([]);
  });
});

/** The number of columns at 390, 768 and 1366 px. */
test.each([
  ["/", ".posters", [null, 2, 4]],
  ["/", ".features", [2, 4, 6]],
  ["/coaching", "#transformations ul", [1, 2, 4]],
] as const)("on %s %s has as many columns as it should", async (path, selector, columns) => {
  const page = await openPublicPage(site, path);
  await atWidths(page, WIDTHS, async (width) => {
    const wanted = columns[WIDTHS.indexOf(width as 390)];
    await waitUntilStable(page);
    const columnCount = await page
      .locator(selector)
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
    if (wanted !== null) expect([width, columnCount]).toEqual([width, wanted!]);
  });
});

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
}

/** Scrolls screen by screen, like a reader. */
async function toTheEnd(page: Awaited<ReturnType<typeof newPage>>): Promise<void> {
  await waitUntilStable(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 700) {
    await page.evaluate((top) => scrollTo(0, top), at); // oxlint-disable-line no-await-in-loop
    await page.settled(); // oxlint-disable-line no-await-in-loop
  }
}

test("each extra on a page has its own style sheet of at most 1,500 bytes", async () => {
  const sheets = (await readdir("dist/web/assets")).filter((name) =>
    /^extra-.*\.css\.br$/.test(name),
  );
  const sizes = Object.fromEntries(
    sheets.map((name) => [
      /^extra-(\w+)-/.exec(name)![1]!,
      Bun.file(`dist/web/assets/${name}`).size,
    ]),
  );
  console.log(sizes);
  // The pair of before and after isn't an extra, but has a style sheet too.
  expect(Object.keys(sizes).sort()).toEqual([...EXTRAS, "pair"].sort());
  expect(Math.max(...Object.values(sizes))).toBeLessThanOrEqual(1500);
});

describe("packages", () => {
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

  const arrange = (packages: readonly object[]) => onlyItems(site, "/api/packages", packages);

  beforeAll(async () => {
    await site.asOwner("POST", "/api/extras", { on: ["packages"] });
    await site.asOwner("POST", "/api/package-settings", { smallPrint: "Prices include VAT." });
    await arrange(PACKAGES);
  });

  async function opened(options: PageOptions = {}) {
    const page = await newPage(options);
    await page.visit(`${site.url}/coaching`);
    const section = page.locator("#packages");
    await section.scrollIntoViewIfNeeded();
    const boxes = (selector: string) =>
      section
        .locator(selector)
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
    return { page, section, boxes };
  }

  describe.each([
    [390, 1],
    [768, 2],
    [1366, 3],
  ] as const)("at %i px", (width, columns) => {
    test(`packages are in ${columns} next to each other, in order, with their buttons at the bottom`, async () => {
      const { page, boxes, section } = await opened({ width });
      const cards = await boxes("article");
      expect(cards.filter(({ top }) => top === cards[0]!.top)).toHaveLength(columns);
      expect(await section.locator("h3").allTextContents()).toEqual(
        PACKAGES.map(({ title }) => title),
      );
      const buttons = await boxes(".button");
      const gaps = cards.map((card, at) => Math.round(card.bottom - buttons[at]!.bottom));
      expect(new Set(gaps).size).toBe(1);
      for (const { height } of buttons) expect(height).toBeGreaterThanOrEqual(44);
      expect(await sideways(page)).toBe(0);
    });
  });

  test("only the highlighted package has the accent border and a filled button", async () => {
    const { section } = await opened();
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
  });

  test("an external link opens in the same tab, and Back returns", async () => {
    const { page, section } = await opened();
    await page.route(CALENDAR, (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Calendar</title>" }),
    );
    await section.getByRole("link", { name: "Book: First call", exact: true }).click();
    await page.waitForURL(CALENDAR);
    await page.goBack();
    await section.getByRole("heading", { name: "First call" }).waitFor();
  });

  test("a single package has its text at the left and its points at the right, on a phone below", async () => {
    await arrange(PACKAGES.slice(1, 2));
    const wide = await opened();
    const [title] = await wide.boxes("h3");
    const [points] = await wide.boxes("ul ul");
    expect(points!.left).toBeGreaterThan(title!.right);
    const narrow = await opened({ width: 390 });
    const [heading] = await narrow.boxes("h3");
    const [list] = await narrow.boxes("ul ul");
    expect(list!.top).toBeGreaterThan(heading!.bottom);
    await arrange(PACKAGES);
  });

  describe.each(["spotlight", "daylight"])("in %s", (look) => {
    test("twelve with the longest words fit a page of 320 px", async () => {
      await wear(site, look);
      const long = (most: number) => "W".repeat(most);
      await arrange(
        Array.from({ length: 12 }, (_, at) => ({
          title: long(80),
          price: long(40),
          per: long(40),
          description: long(600),
          points: Array.from({ length: 12 }, () => long(160)).join("\n"),
          buttonText: long(40),
          featured: at % 2 === 0,
        })),
      );
      const { page } = await opened({ width: 320 });
      expect(await page.locator("#packages article").count()).toBe(12);
      await expectSound(page);
      await arrange(PACKAGES);
    });
  });

  test("in forced colors each has a border, and right to left nothing is cut off", async () => {
    const { page, section } = await opened({ width: 390 });
    await page.emulateMedia({ forcedColors: "active" });
    expect(
      await section
        .locator("article")
        .evaluateAll((cards) => cards.map((card) => getComputedStyle(card).borderTopWidth)),
    ).toEqual(["1px", "3px", "1px"]);
    const hidden = await section.evaluate((each: HTMLElement) => {
      each.dir = "rtl";
      return each.scrollWidth - each.clientWidth;
    });
    expect(hidden).toBe(0);
  });

  test("without scripts they are the same, and lead to the form", async () => {
    const { page, section } = await opened({ javaScript: false });
    await section.getByRole("link", { name: "Ask: An evening" }).click();
    await page.waitForURL(/\/coaching#/);
    const { top } = (await page
      .locator("#enquiry")
      .evaluate((each) => each.getBoundingClientRect().toJSON())) as DOMRect;
    expect(Math.abs(top)).toBeLessThan(200);
  });
});
