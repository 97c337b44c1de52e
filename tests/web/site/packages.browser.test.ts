/** Packages as visitors meet them (specification, section 2.24). */
import { beforeAll, describe, expect, test } from "bun:test";
import { newPage, type PageOptions } from "../../support/browser.ts";
import { expectSound } from "../../support/expectSound.ts";
import { sideways } from "../../support/pageState.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { wear } from "../../support/wear.ts";

const site = sampleSite();

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

const stored: { id: string }[] = [];
const arrange = async (packages: readonly object[]) => {
  for (const { id } of stored.splice(0)) await site.asOwner("DELETE", `/api/packages/${id}`);
  for (const [order, each] of packages.entries())
    stored.push(await site.asOwner("POST", "/api/packages", { ...each, order }));
};

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
  test(`they stand in ${columns} beside each other, as arranged, with their buttons at the foot`, async () => {
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

test("only what stands out has the accent's border and a filled button", async () => {
  const { section } = await opened();
  const looks = await section.locator("article").evaluateAll((cards) =>
    cards.map((card) => ({
      border: getComputedStyle(card).boxShadow.includes("2px"),
      isQuiet: card.querySelector(".button")!.matches(".quiet"),
    })),
  );
  expect(looks).toEqual([
    { border: false, isQuiet: true },
    { border: true, isQuiet: false },
    { border: false, isQuiet: true },
  ]);
});

test("an outside link opens in place of the page, and Back leads here again", async () => {
  const { page, section } = await opened();
  await page.route(CALENDAR, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Calendar</title>" }),
  );
  await section.getByRole("link", { name: "Book: First call", exact: true }).click();
  await page.waitForURL(CALENDAR);
  await page.goBack();
  await section.getByRole("heading", { name: "First call" }).waitFor();
});

test("one alone has its words at the left and what is in it at the right, on a phone below", async () => {
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

test("in forced colors each has an edge, and from the right to the left nothing is cut off", async () => {
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
