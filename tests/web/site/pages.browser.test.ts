/** The public pages as a visitor sees them (specification, section 2.3). */
import { describe, expect, test } from "bun:test";
import { newPage, openPublicPage, type PageOptions } from "../../support/browser.ts";
import { inspectAtWidths, expectAccessible } from "../../support/expectAccessible.ts";
import { measureOverflow, readStyle } from "../../support/pageState.ts";
import { setUpEmptySite, setUpSampleSite } from "../../support/browserSite.ts";
import { waitUntilStable, waitTwoFrames } from "../../support/waits.ts";

const PAGES = ["/", "/coaching", "/privacy-policy", "/nowhere"];
/** The browser reports the 404 of a missing page itself. */
const NOT_FOUND = /404 \(Not Found\)/;

const site = setUpSampleSite();

const open = (path: string, options?: PageOptions) => openPublicPage(site, path, options);

describe("every public page", () => {
  test("is accessible and never scrolls sideways at any width, violates no policy and requests no other host", async () => {
    const [page, plain] = [await newPage(), await newPage({ javaScriptEnabled: false })];
    for (const path of PAGES) {
      page.clearProblems();
      await page.visit(site.url + path);
      await page.mouse.move(300, 300);
      await page.mouse.wheel(0, 4000);
      await page.waitForFunction(atTheEnd);
      await page.waitUntilSettled();
      await waitUntilStable(page);
      expect([path, page.problems(NOT_FOUND)]).toEqual([path, []]);
      await inspectAtWidths(page, [320, 768, 1366, 1920], async () => {
        expect(await measureOverflow(page)).toBe(0);
      });
      // allExtras.browser.test.ts tests these two pages with more content; wide windows add elements to them.
      await inspectAtWidths(page, ["/", "/coaching"].includes(path) ? [1280] : [390], () =>
        expectAccessible(page),
      );
      if (path !== "/") continue;
      await plain.visit(site.url + path);
      const words = (of: typeof page) => of.locator("main").innerText();
      expect(await words(plain)).toContain((await words(page)).slice(0, 200));
    }
  });
});

describe("the navigation bar", () => {
  test("can be skipped by keyboard, and turns dark once the page is scrolled more than 50 px", async () => {
    const page = await open("/");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to content");
    const isDark = () => page.locator("header[data-dark]").count();
    expect(await isDark()).toBe(0);
    await page.evaluate(() => scrollTo({ top: 50, behavior: "instant" }));
    await waitTwoFrames(page);
    expect(await isDark()).toBe(0);
    await page.evaluate(() => scrollTo({ top: 51, behavior: "instant" }));
    await page.waitForSelector("header[data-dark]");
    // The home page's bar has buttons that scroll to its sections.
    for (const name of ["About", "Highlights", "Connect"]) {
      await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name }).click();
      await page.waitForFunction(
        (id) => Math.abs(document.getElementById(id)!.getBoundingClientRect().top) < 80,
        name.toLowerCase(),
      );
    }
  });

  describe("on a site whose lists are empty", () => {
    const empty = setUpEmptySite();

    test("keeps the button of an empty section, which leads to the next existing section or the footer", async () => {
      const page = await openPublicPage(empty, "/");
      const button = (name: string) =>
        page.getByRole("navigation", { name: "Main" }).getByRole("button", { name });
      const reaches = (selector: string) => page.waitForFunction(isInSight, selector);
      for (const name of ["About", "Highlights", "Connect"])
        expect(await button(name).isVisible()).toBe(true);
      await button("Highlights").click();
      await reaches("body > footer");
      const link = { platform: "website", url: "https://example.com/me", displayText: "Me" };
      await empty.asOwner("POST", "/api/connect-links", link);
      await page.visit(empty.url);
      await button("Highlights").click();
      await reaches("#connect h2");
    });
  });

  test("is a menu on a phone, which works without scripts and closes by Escape", async () => {
    const page = await open("/", { width: 390, javaScriptEnabled: false });
    const coaching = page.getByRole("link", { name: "Coaching" });
    expect(await coaching.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    expect(await coaching.isVisible()).toBe(true);
    const menu = page.getByRole("navigation", { name: "Main" });
    expect(await menu.getByRole("link", { name: /opens in a new tab/ }).count()).toBe(6);
    expect(await readStyle(page, '.menu a[href="/coaching"]', "background-color")).toBe(
      "rgb(0, 191, 255)",
    );
    await page.keyboard.press("Escape");
    expect(await coaching.isVisible()).toBe(false);
  });
});

/** Runs in the page: whether it is scrolled to its end, with every picture loaded. */
function atTheEnd(): boolean {
  const { scrollHeight } = document.documentElement;
  const atEnd = scrollY >= Math.min(4000, scrollHeight - innerHeight) - 1;
  return atEnd && [...document.images].every((each) => each.complete || each.loading === "lazy");
}

/** Runs in the page: whether the element is visible. */
function isInSight(selector: string): boolean {
  const { top, bottom } = document.querySelector(selector)!.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight + 1;
}
