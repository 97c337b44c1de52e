/** The coaching page (specification, section 2.4), and the way between the pages. */
import { afterEach, expect, test } from "bun:test";
import { closePages, openPublicPage, type PageOptions } from "../../support/browser.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { wake } from "../../support/wake.ts";
import { eventually } from "../../support/waits.ts";

const site = sampleSite();
afterEach(closePages);

const open = (options?: PageOptions) => openPublicPage(site, "/coaching", options);

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
