/** The coaching page (specification, section 2.4), and the way between the pages. */
import { afterEach, expect, test } from "bun:test";
import { closePages, openPublicPage, type PageOptions } from "../../support/browser.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { wake } from "../../support/wake.ts";
import { eventually } from "../../support/waits.ts";

const site = sampleSite();
afterEach(closePages);

const open = (options?: PageOptions) => openPublicPage(site, "/coaching", options);

test("sets the page title, description and social title for personal coaching", async () => {
  const page = await open();
  expect(await page.title()).toBe("Personal Coaching | Jonah Vale");
  const content = (selector: string) => page.locator(selector).getAttribute("content");
  expect(await content("meta[name=description]")).toContain("Personal coaching");
  expect(await content("meta[property='og:title']")).toBe("Personal Coaching | Jonah Vale");
});

test("the hero has a title, a subtitle and a tagline, on dark grey without an image", async () => {
  const { backgroundImage, buttonText } = await site.asOwner("GET", "/api/coaching-hero");
  await site.asOwner("POST", "/api/coaching-hero", { backgroundImage: null, buttonText: null });
  const page = await open();
  const hero = page.locator("#coaching-hero");
  const words = (await hero.innerText()).replace(/\s+/g, " ");
  expect(words).toBe("COACHING & MENTORING Transform your potential into success");
  const color = await hero.evaluate((each) => getComputedStyle(each).backgroundColor);
  expect(color).toBe("rgb(26, 26, 26)");
  await site.asOwner("POST", "/api/coaching-hero", { backgroundImage, buttonText });
});

test.each([
  [320, 1],
  [360, 2],
  [768, 2],
  [1024, 3],
  [1366, 4],
])("the transformations have at %d px %d columns", async (width, columns) => {
  const page = await open({ width });
  const grid = page.locator("#transformations ul");
  expect(
    await grid.evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length),
  ).toBe(columns);
  expect(await page.locator("#transformations").innerText()).toContain(
    "Ready to start your own transformation journey?",
  );
});

test("on a tablet the portrait stands upright beside the form's words, not as a strip below them", async () => {
  const page = await open({ width: 768 });
  const portrait = (await page.locator(".enquiry-portrait").boundingBox())!;
  expect(portrait.height / portrait.width).toBeCloseTo(5 / 4, 1);
  expect(portrait.width).toBeGreaterThan(200);
  for (const words of await page.locator(".enquiry-words > :not(.enquiry-portrait)").all()) {
    const { x, width } = (await words.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(portrait.x);
  }
});

test("an image opens a lightbox that closes on the backdrop and on the close button", async () => {
  const page = await open();
  const poster = page.locator("#transformations button").first();
  const lightbox = page.getByRole("dialog");
  await poster.click();
  await lightbox.getByRole("img").waitFor();
  await page.mouse.click(200, 740);
  await lightbox.waitFor({ state: "hidden" });
  await poster.click();
  await lightbox.getByRole("button", { name: "Close" }).click();
  await lightbox.waitFor({ state: "hidden" });
  expect(page.problems()).toEqual([]);
});

test("a swipe moves on in the lightbox", async () => {
  const page = await open({ width: 390 });
  await page.locator("#transformations button").first().tap();
  const picture = page.getByRole("dialog").getByRole("img");
  const first = await picture.getAttribute("alt");
  const swipe = () =>
    picture.evaluate((each) => {
      const touch = (x: number) =>
        new Touch({ identifier: 1, target: each, clientX: x, clientY: 400 });
      const send = (type: string, x: number, down: boolean) =>
        each.dispatchEvent(
          new TouchEvent(type, {
            bubbles: true,
            touches: down ? [touch(x)] : [],
            changedTouches: [touch(x)],
          }),
        );
      send("touchstart", 300, true);
      send("touchend", 120, false);
    });
  // In a page that is zoomed a finger looks around in the picture.
  const zoom = (scale: number) =>
    page.evaluate((to) => {
      Object.defineProperty(visualViewport, "scale", { value: to, configurable: true });
      visualViewport!.dispatchEvent(new Event("resize"));
    }, scale);
  const pans = () => picture.evaluate((each) => getComputedStyle(each.parentElement!).touchAction);
  await zoom(2);
  expect(await pans()).toBe("manipulation");
  await swipe();
  expect(await picture.getAttribute("alt")).toBe(first);
  await zoom(1);
  expect(await pans()).toBe("pan-y pinch-zoom");
  await swipe();
  await page.waitForFunction(
    (alt) => document.querySelector("dialog img")?.getAttribute("alt") !== alt,
    first,
  );
});

test("the transformations are hidden when there are none", async () => {
  const all = await site.asOwner("GET", "/api/transformations");
  for (const { id } of all) await site.asOwner("DELETE", `/api/transformations/${id}`);
  const page = await open();
  expect(await page.locator("#transformations").count()).toBe(0);
  expect(await page.locator("#enquiry").count()).toBe(1);
  for (const { id: _, ...item } of all) await site.asOwner("POST", "/api/transformations", item);
});

test("the footer has the policy and the designer's credit", async () => {
  const page = await open();
  const foot = page.getByRole("contentinfo");
  expect(await foot.getByRole("link").allInnerTexts()).toEqual([
    "Privacy Policy",
    "Designed by Half Moon Studio",
  ]);
});

test("beside a form that lives, links are the browser's, and back leads to the page as it was left", async () => {
  const page = await open();
  await wake(page);
  await page.evaluate(() => scrollTo({ top: 500, behavior: "instant" }));
  await page.getByRole("link", { name: "Home" }).click();
  await page.locator("#hero h1").waitFor();
  await page.goBack();
  await page.locator("#coaching-hero h1").waitFor();
  // A font that arrives after that makes the text above a line higher or lower, and the browser scrolls along with it.
  await eventually(() => page.evaluate(() => Math.abs(scrollY - 500) < 50), true);
  expect(page.problems()).toEqual([]);
});
