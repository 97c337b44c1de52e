/** The button of both heroes, and the coaching page that it leads to (specification, sections 2.3 and 2.4). */
import { describe, expect, test } from "bun:test";
import { findBarriers } from "../../support/axe.ts";
import { openPublicPage, type PageOptions, type TestPage } from "../../support/browser.ts";
import { expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import { readPortrait, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { waitForValue, waitTwoFrames } from "../../support/waits.ts";
import { hydrateForm } from "../../support/hydrateForm.ts";

const site = setUpSampleSite();

const open = (path: string, options?: PageOptions) => openPublicPage(site, path, options);
const scrollTo = (page: TestPage, top: number) =>
  page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), top);

test("the hero's call-to-action button leads to the enquiry form if it has no link", async () => {
  const page = await open("/", { width: 390 });
  await page.locator(".hero").getByRole("link", { name: "Work with me" }).click();
  await page.locator("#enquiry form").waitFor();
  expect(new URL(page.url()).pathname).toBe("/coaching");
  await page.waitForFunction(() => {
    const { top } = document.querySelector("#enquiry")!.getBoundingClientRect();
    return top > -40 && top < innerHeight / 2;
  });
  expect(page.problems()).toEqual([]);
});

test("next to the call-to-action button is a link to the highlights, and on a wide screen the button is never docked", async () => {
  const page = await open("/");
  const down = page.getByRole("link", { name: "See the highlights" });
  await down.click();
  await page.waitForFunction(() => {
    const { top } = document.querySelector("#highlights")!.getBoundingClientRect();
    return top > -10 && top < 120;
  });
  await page.locator(".dock").waitFor({ state: "attached" });
  expect(await page.locator(".dock").isVisible()).toBe(false);
  expect(await (await fetch(`${site.url}/coaching`)).text()).toMatch(
    /<a[^>]* href="#transformations"[^>]*>See the results/,
  );
});

describe("the call-to-action button docked on a phone", () => {
  const countDocked = (page: TestPage) => () => page.locator(".dock[data-out]").count();

  test("appears once the hero has left the screen, and covers no element that has the keyboard focus", async () => {
    const page = await open("/", { width: 390 });
    expect(await page.locator(".dock").isVisible()).toBe(false);
    await scrollTo(page, 1200);
    await waitForValue(countDocked(page), 1);
    await page.locator(".dock").getByRole("link", { name: "Work with me" }).waitFor();
    const foot = async () => {
      const { y, height } = (await page.locator(".dock").boundingBox())!;
      return Math.round(y + height);
    };
    await waitForValue(foot, 844);
    expect(await findBarriers(page)).toEqual([]);
    await scrollTo(page, 1e6);
    await waitForValue(countDocked(page), 0);
    await scrollTo(page, 0);
    await waitForValue(countDocked(page), 0);
    const count = await page.evaluate(
      () => document.querySelectorAll("main :is(a, button)").length,
    );
    let withDock = 0;
    for (let at = 1; at < count; at += 1) {
      await page.evaluate(focusBefore, at);
      await page.keyboard.press("Tab");
      await waitTwoFrames(page);
      const { what, isDockOut, covered } = await page.evaluate(focusAndDock);
      if (isDockOut) withDock += 1;
      expect([what, covered]).toEqual([what, 0]);
    }
    expect(withDock).toBeGreaterThan(20);
  });

  test("disappears where the form is in view", async () => {
    const page = await open("/coaching", { width: 390 });
    await page.locator("#transformations-title").scrollIntoViewIfNeeded();
    await scrollTo(page, 900);
    await waitForValue(countDocked(page), 1);
    await page.locator("#enquiry .enquiry-card").evaluate((card) => card.scrollIntoView());
    await waitForValue(countDocked(page), 0);
  });
});

test("without an active form /coaching offers other links, at every width", async () => {
  const [form] = await site.asOwner("GET", "/api/forms");
  await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: false });
  const page = await open("/coaching");
  const closed = page.getByRole("region", { name: "Enquiries are currently closed" });
  expect(await closed.innerText()).toContain("You can still reach Jonah Vale here.");
  expect(await closed.getByRole("link", { name: "Send an email" }).getAttribute("href")).toBe(
    "mailto:hello@example.com",
  );
  expect(await closed.locator(".platforms a").count()).toBe(6);
  expect(await page.getByRole("link", { name: "Apply for a place" }).count()).toBe(0);
  expect(await page.locator("#enquiry").count()).toBe(0);
  await expectAccessibleAtWidths(page);
  await closed.getByRole("link", { name: "Go to the home page" }).click();
  await page.locator("#hero h1").waitFor();
  await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: true });
});

/** Runs in the page: makes the next press of Tab lead to this element, at the bottom of the window. */
function focusBefore(at: number): void {
  const all = document.querySelectorAll<HTMLElement>("main :is(a, button)");
  all[at - 1]!.focus({ preventScroll: true });
  scrollBy(0, all[at]!.getBoundingClientRect().bottom - innerHeight);
}

/** Runs in the page: how many pixels of the focused element are under the docked button. */
function focusAndDock() {
  const { top, bottom } = document.activeElement!.getBoundingClientRect();
  const dock = document.querySelector<HTMLElement>(".dock")!;
  const isDockOut = dock.matches("[data-out]");
  // The docked button's final position, not one during its movement.
  const above = innerHeight - dock.offsetHeight;
  return {
    what: document.activeElement!.className,
    isDockOut,
    covered: isDockOut && top < innerHeight ? Math.max(0, Math.round(bottom - above)) : 0,
  };
}

describe("the coaching page", () => {
  const open = (options?: PageOptions) => openPublicPage(site, "/coaching", options);

  test("on a tablet the portrait is upright beside the form's text, not a strip below it", async () => {
    const page = await open({ width: 768 });
    const portrait = (await page.locator(".enquiry-portrait").boundingBox())!;
    expect(portrait.height / portrait.width).toBeCloseTo(5 / 4, 1);
    expect(portrait.width).toBeGreaterThan(200);
    for (const words of await page.locator(".enquiry-intro > :not(.enquiry-portrait)").all()) {
      const { x, width } = (await words.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(portrait.x);
    }
  });

  test("on a phone all of an upright portrait is shown", async () => {
    const picture = REAL_PORTRAITS.find(({ name }) => name === "cameraman")!;
    const { url } = await uploadPicture(site, "portrait.jpg", await readPortrait(picture));
    const about = await site.asOwner("GET", "/api/about");
    await site.asOwner("POST", "/api/about", { ...about, image: url });
    const page = await open({ width: 390 });
    const frame = (await page.locator(".enquiry-portrait").boundingBox())!;
    const shown = (await page.locator(".enquiry-portrait img").boundingBox())!;
    expect(shown.width / shown.height).toBeCloseTo(picture.width / picture.height, 1);
    expect([frame.width, frame.height].map(Math.round)).toEqual(
      [shown.width, shown.height].map(Math.round),
    );
  });

  test("a swipe shows the next picture in the lightbox, which a click on the backdrop or the close button closes", async () => {
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
    // On a zoomed page the finger pans the view.
    const zoom = (scale: number) =>
      page.evaluate((to) => {
        Object.defineProperty(visualViewport, "scale", { value: to, configurable: true });
        visualViewport!.dispatchEvent(new Event("resize"));
      }, scale);
    const pans = () =>
      picture.evaluate((each) => getComputedStyle(each.parentElement!).touchAction);
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
    const lightbox = page.getByRole("dialog");
    await lightbox.getByRole("button", { name: "Close" }).click();
    await lightbox.waitFor({ state: "hidden" });
    await page.locator("#transformations button").first().tap();
    await lightbox.getByRole("img").waitFor();
    await page.mouse.click(195, 830);
    await lightbox.waitFor({ state: "hidden" });
    expect(page.problems()).toEqual([]);
  });

  test("links beside a hydrated form load pages as usual, and Back returns to the same scroll position", async () => {
    const page = await open();
    await hydrateForm(page);
    await page.evaluate(() => window.scrollTo({ top: 500, behavior: "instant" }));
    await page.getByRole("link", { name: "Home" }).click();
    await page.locator("#hero h1").waitFor();
    await page.goBack();
    await page.locator("#coaching-hero h1").waitFor();
    // A font that arrives later changes the height of the text above, and the browser scrolls to compensate.
    await waitForValue(() => page.evaluate(() => Math.abs(scrollY - 500) < 50), true);
    expect(page.problems()).toEqual([]);
  });
});
