/** The public pages with unusual visitors and content: names, pictures, paper, zoom, forced colors. */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { computeLuminance } from "../../../src/schema/core/color.ts";
import { LOOKS } from "../../../src/schema/looks/looks.ts";
import { newPage, openPublicPage, type TestPage } from "../../support/browser.ts";
import { inspectAtWidths } from "../../support/expectAccessible.ts";
import { readPortrait, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import { readStyle, measureTextBox } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { waitForValue } from "../../support/waits.ts";
import { LOOK_OF_EACH_LAYOUT, applyLook } from "../../support/applyLook.ts";

const site = setUpSampleSite();
const IS_COMPLETE = process.env["COMBINATIONS"] === "all";

/** The lines of a title as the browser breaks them, separated by |. */
const findBrokenLines = (page: TestPage, selector: string) =>
  page.locator(selector).evaluate((title) => {
    const text = title.firstChild as Text;
    const tops = new Map<number, string>();
    for (let at = 0; at < text.length; at += 1) {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const top = Math.round(range.getBoundingClientRect().top);
      tops.set(top, (tops.get(top) ?? "") + text.data[at]);
    }
    return [...tops.values()].join("|");
  });

test.each([
  ["Elliott Kattell", 320, "Bebas Neue"],
  ["Florian Wolff-Littell", 390, "Bebas Neue"],
  // Montserrat is a wide font; the default font is narrow.
  ["Maximilian Featherstonehaugh-Cholmondeley", 320, "Montserrat"],
  ["Maximilian Featherstonehaugh-Cholmondeley", 1366, "Montserrat"],
])("the hero's name neither overflows nor breaks in a word: %s at %d px", async (...tried) => {
  const [name, width, headingFont] = tried;
  await site.asOwner("POST", "/api/hero", { mainTitle: name });
  await site.asOwner("POST", "/api/styles", { headingFont });
  const page = await newPage({ width });
  await page.goto(site.url);
  await page.evaluate(() => document.fonts.ready);
  const lines = (await findBrokenLines(page, "#hero h1")).split("|").map((line) => line.trim());
  const wordsIn = (text: string) => text.split(/ |(?<=-)/);
  expect(lines.flatMap(wordsIn)).toEqual(wordsIn(name));
  expect((await measureTextBox(page.locator("#hero h1"))).right).toBeLessThanOrEqual(width - 16);
});

/** The spacing that readers may set (WCAG 2.2, 1.4.12). */
const TEXT_SPACING =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

test("with text twice as large, wide spacing, or right-to-left direction, no page scrolls sideways and no title is cut off", async () => {
  const page = await newPage({ width: 360 });
  const session = await page.context().newCDPSession(page);
  const overflow = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const range = document.createRange();
      const isCut = (title: Element) => {
        range.selectNodeContents(title);
        const { left, right } = range.getBoundingClientRect();
        return left < 0 || right > clientWidth;
      };
      const titles = [...document.querySelectorAll(".hero-title, main h2:not(.visually-hidden)")];
      return { wider: scrollWidth - clientWidth, cut: titles.filter(isCut).map((each) => each.id) };
    });
  for (const path of ["/", "/coaching"])
    for (const standard of [16, 24, 32]) {
      await session.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
      await page.visit(site.url + path);
      const seen = [await overflow()];
      await page.evaluate(() => (document.documentElement.dir = "rtl"));
      seen.push(await overflow());
      if (standard === 16) {
        await page.evaluate((css) => {
          document.documentElement.dir = "ltr";
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          document.adoptedStyleSheets = [sheet];
        }, TEXT_SPACING);
        seen.push(await overflow());
      }
      const fits = { wider: 0, cut: [] };
      expect([path, standard, seen]).toEqual([path, standard, seen.map(() => fits)]);
    }
});

test("the hero's text doesn't touch the Scroll cue, from a small phone to a tablet", async () => {
  const subtitle = "As seen on a rather long list of stages";
  await site.asOwner("POST", "/api/hero", { mainTitle: "Jonah Vale", subtitle });
  await site.asOwner("POST", "/api/styles", { headingFont: "Bebas Neue" });
  const page = await newPage();
  await page.goto(site.url);
  // On a phone the cue appears only without a button.
  await page.locator(".hero-actions").evaluate((each) => each.remove());
  await inspectAtWidths(page, [320, 390, 768], async () => {
    const cue = (await page.locator(".scroll-cue").boundingBox())!;
    const { right } = await measureTextBox(page.locator("#hero .hero-subtitle"));
    expect(right).toBeLessThanOrEqual(cue.x);
  });
});

test("a border radius that makes buttons pill-shaped is limited to 24 px on cards", async () => {
  await site.asOwner("POST", "/api/styles", { borderRadius: "999px" });
  const page = await newPage({ width: 390 });
  const radius = async (selector: string) =>
    parseFloat(await readStyle(page, selector, "border-radius"));
  await page.goto(`${site.url}/coaching`);
  expect(await radius(".enquiry-card")).toBe(24);
  expect(await radius(".enquiry-forward")).toBe(999);
  await page.goto(`${site.url}/nowhere`);
  expect(await radius(".card")).toBe(24);
  await site.asOwner("POST", "/api/styles", { borderRadius: "8px" });
});

describe("the coaching page", () => {
  test("has a readable navigation bar on its dark gray background in a light theme", async () => {
    const dark = await site.asOwner("GET", "/api/styles");
    const { backgroundImage } = await site.asOwner("GET", "/api/coaching-hero");
    const light = { backgroundColor: "#FFFFFF", textColor: "#1A1A1A", primaryColor: "#B00020" };
    await site.asOwner("POST", "/api/styles", light);
    await site.asOwner("POST", "/api/coaching-hero", { backgroundImage: null });
    const page = await newPage();
    await page.visit(`${site.url}/coaching`);
    const color = (selector: string) => readStyle(page, selector, "color");
    expect(await color(".bar .brand")).toBe("rgb(255, 255, 255)");
    expect(await color(".menu [aria-current]")).toBe("rgb(255, 255, 255)");
    await page.evaluate(() => scrollTo(0, 200));
    await page.locator(".bar[data-dark]").waitFor();
    expect(await color(".bar .brand")).toBe("rgb(26, 26, 26)");
    await site.asOwner("POST", "/api/styles", dark);
    await site.asOwner("POST", "/api/coaching-hero", { backgroundImage });
  });
});

test("at 400 % zoom a toast is in view however far its dialog is scrolled, and an opened picture is large", async () => {
  const page = await newPage({ width: 320, shouldHoldToasts: true });
  await page.setViewportSize({ width: 320, height: 256 });
  await page.visit(site.url);
  await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
  await page.getByRole("button", { name: "UPDATES" }).click();
  await page.route("**/api/email-subscriptions", (route) => route.abort());
  await page.getByLabel("Email Address *").fill("ann@example.com");
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page.locator(".ui-toast").waitFor();
  expect(await page.locator("dialog[open]").evaluate((each) => each.scrollTop)).toBeGreaterThan(
    100,
  );
  const toast = (await page.locator(".ui-toast").boundingBox())!;
  expect(toast.y).toBeGreaterThanOrEqual(0);
  expect(toast.y + toast.height).toBeLessThanOrEqual(256);
  await page.keyboard.press("Escape");
  await page.locator("#highlights .poster-opener").first().click();
  const picture = page.getByRole("dialog").locator("img");
  await picture.waitFor();
  // Until the picture has loaded, its box has the height of its description.
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>("dialog img")!.naturalHeight > 0,
  );
  expect((await picture.boundingBox())!.height).toBeGreaterThan(140);
});

test("in forced colors the carousel's bars and the menu's close button are visible", async () => {
  const page = await newPage({ width: 390 });
  await page.emulateMedia({ forcedColors: "active" });
  await page.visit(site.url);
  const ground = (selector: string, part: string) =>
    readStyle(page, selector, "background-color", part);
  const canvas = await ground("body", "");
  expect(await ground(".carousel-bars button:not([aria-current])", "::before")).not.toBe(canvas);
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  expect(await ground(".menu-close", "::before")).not.toBe(canvas);
});

describe("in other media", () => {
  beforeAll(async () => {
    await site.asOwner("POST", "/api/extras", { on: ["announcement"] });
    await site.asOwner("POST", "/api/announcement", { text: "The final is on Sunday at nine" });
  });

  const measureBox = async (element: Locator) => (await element.boundingBox())!;

  test("in print the announcement is above the name, and icon links show their names", async () => {
    const page = await openPublicPage(site, "/");
    const opacity = () => readStyle(page, ".platform-text", "opacity");
    expect(await opacity()).toBe("0");
    await page.emulateMedia({ media: "print" });
    await waitForValue(opacity, "1");
    const [label, name] = [page.locator(".announcement"), page.getByRole("heading", { level: 1 })];
    await inspectAtWidths(page, [390, 1366], async () => {
      const { y, height } = await measureBox(label);
      expect((await measureBox(name)).y).toBeGreaterThanOrEqual(y + height);
    });
  });

  /** A sheet of A4, in CSS pixels. */
  const SHEET = { width: 794, height: 1123 };

  test("in print text is black on white below the hero's picture, and the navigation bar is omitted", async () => {
    const before = await site.asOwner("GET", "/api/coaching-hero");
    const portrait = REAL_PORTRAITS.find(({ name }) => name === "collins")!;
    const { url } = await uploadPicture(site, "portrait.jpg", await readPortrait(portrait));
    await site.asOwner("POST", "/api/coaching-hero", { ...before, backgroundImage: url });
    const page = await newPage();
    await page.setViewportSize(SHEET);
    await page.emulateMedia({ media: "print" });
    for (const look of IS_COMPLETE ? LOOKS : LOOK_OF_EACH_LAYOUT) {
      await applyLook(site, look);
      // A light look on the home page, and each look on the coaching page, which has more of its texts.
      for (const path of [...(look.name === "daylight" ? ["/"] : []), "/coaching"]) {
        await page.visit(site.url + path);
        await expectPrinted(page, `${path} in ${look.label}`);
      }
      // An upright portrait and all its text are on the first sheet.
      const end = await measureEnd(page, ".hero .button");
      expect([look.label, end]).toEqual([look.label, Math.min(end, SHEET.height)]);
    }
    await site.asOwner("POST", "/api/coaching-hero", before);
  });

  async function expectPrinted(page: TestPage, where: string): Promise<void> {
    const words = await page.locator(WORDS).evaluateAll((all) =>
      all.map((each) => {
        const { color, webkitTextFillColor } = getComputedStyle(each);
        return [each.className, color, webkitTextFillColor] as const;
      }),
    );
    expect(words.length).toBeGreaterThan(4);
    for (const [name, ...colors] of words)
      for (const color of colors) {
        const hex = Bun.color(color, "hex");
        expect([where, name, color, (hex && computeLuminance(hex)) ?? 1]).toEqual([
          where,
          name,
          color,
          0,
        ]);
      }
    expect(await page.locator(".bar").isVisible()).toBe(false);
    const title = await measureBox(page.locator(".hero-title"));
    const isBelow = title.y >= (await measureEnd(page, ".hero-picture"));
    expect([where, isBelow]).toEqual([where, true]);
  }

  async function measureEnd(page: TestPage, selector: string): Promise<number> {
    const { y, height } = await measureBox(page.locator(selector).first());
    return y + height;
  }

  /** The texts that can have colors of their own in a look. */
  const WORDS =
    ".hero-title, .hero-subtitle, .tagline, .section .title, .feature-subtitle, .feature-name, .statistic dd, .enquiry-card h3, .transformations-footer > p";

  test("in forced colors a name in two colors is readable", async () => {
    const { styles } = LOOKS.find(({ name }) => name === "daylight")!;
    await site.asOwner("POST", "/api/styles", styles);
    const page = await openPublicPage(site, "/");
    const fill = () => readStyle(page, ".hero-title", "-webkit-text-fill-color");
    expect(await fill()).toBe("rgba(0, 0, 0, 0)");
    await page.emulateMedia({ forcedColors: "active" });
    expect(await fill()).not.toBe("rgba(0, 0, 0, 0)");
  });
});
