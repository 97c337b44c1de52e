/** The home page, section by section (specification, section 2.3). */
import { describe, expect, test } from "bun:test";
import { ALL_PLATFORMS } from "../../../src/schema/sections/platforms.ts";
import { decode } from "fast-png";
import { getHeight, newPage, openPublicPage, type PageOptions } from "../../support/browser.ts";
import { holdRequests } from "../../support/network.ts";
import { isFocused } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { waitForValue } from "../../support/waits.ts";

const site = setUpSampleSite();

const open = (options?: PageOptions) => openPublicPage(site, "/", options);

const countColumns = (list: Element) =>
  getComputedStyle(list).gridTemplateColumns.split(" ").length;

describe("the Hero section", () => {
  const words = "#hero h1";

  test("shows only its color until the background image has loaded", async () => {
    const page = await newPage({ reducedMotion: false });
    const release = await holdRequests(page, /\/uploads\//);
    await page.goto(`${site.url}/`, { waitUntil: "commit" });
    await page.locator("#hero[data-state=loading]").waitFor();
    expect(await page.locator(words).isVisible()).toBe(false);
    release();
    await page.locator("#hero[data-state=loaded]").waitFor();
    expect(await page.locator(words).isVisible()).toBe(true);
  });

  test("fills the screen, with the tagline split at its bullet into two columns, and a Scroll cue", async () => {
    const page = await open({ width: 390 });
    const parts = page.locator(".tagline li");
    expect(await parts.allInnerTexts()).toEqual(["Performer", "Reality TV Personality", "Coach"]);
    expect(await page.locator(".tagline").evaluate(countColumns)).toBe(2);
    const box = await page.locator("#hero").boundingBox();
    expect(box!.height).toBeGreaterThanOrEqual(844);
    const cue = page.getByRole("link", { name: "Scroll", includeHidden: true });
    expect(await cue.isVisible()).toBe(false);
    await page.setViewportSize({ width: 768, height: 1024 });
    expect(await cue.isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".hero-actions").evaluate((each) => each.remove());
    expect(await cue.isVisible()).toBe(true);
  });
});

describe("the Highlights section", () => {
  test("is a carousel below the medium breakpoint, whose arrows wrap at both ends and count each click", async () => {
    const page = await open({ width: 390, reducedMotion: false });
    const lit = (number: number) =>
      page.locator(`[aria-label="Go to highlight ${number}"][aria-current]`).waitFor();
    const arrow = (name: "Next" | "Previous") => page.getByRole("button", { name, exact: true });
    await lit(1);
    const { length } = await site.asOwner("GET", "/api/highlights");
    await arrow("Previous").click();
    await lit(length);
    await arrow("Next").click();
    await lit(1);
    for (let press = 0; press < 3; press += 1) await arrow("Next").click();
    await lit(4);
    const card = page.locator(".posters > li").nth(3);
    await waitForValue(async () => Math.round((await card.boundingBox())!.x), 20);
    await lit(4);
    await page.getByRole("button", { name: "Go to highlight 1" }).click();
    await lit(1);
    await waitForValue(
      async () => Math.round((await page.locator(".posters > li").first().boundingBox())!.x),
      20,
    );
    // The row moves 400 ms after a press, and each lit bar is recorded.
    await page.evaluate(() => {
      const { scrollTo } = Element.prototype;
      Element.prototype.scrollTo = function (...to: unknown[]) {
        setTimeout(() => Reflect.apply(scrollTo, this, to), 400);
      };
      const bars = document.querySelector<HTMLElement>(".carousel-bars")!;
      const current = () =>
        bars.querySelector("[aria-current]")?.getAttribute("aria-label")?.slice(16);
      const seen = [current()];
      new MutationObserver(() => {
        if (current() !== seen.at(-1)) bars.dataset["seen"] = String(seen.push(current()) && seen);
      }).observe(bars, { subtree: true, attributeFilter: ["aria-current"] });
    });
    const bars = page.locator(".carousel-bars");
    for (let press = 0; press < 3; press += 1) await arrow("Next").click();
    await waitForValue(async () => Math.round((await card.boundingBox())!.x), 20);
    expect(await bars.getAttribute("data-seen")).toBe("1,2,3,4");
    // Touching the row overrides an arrow's target.
    await page.evaluate(() => (Element.prototype.scrollTo = () => undefined));
    await arrow("Next").click();
    await lit(5);
    await page.locator(".posters").hover();
    await page.mouse.wheel(-2000, 0);
    await lit(1);
    const plain = await open({ width: 390, javaScriptEnabled: false });
    expect(await plain.locator(".carousel-controls").isVisible()).toBe(false);
  });

  test("opens a dialog with the large image, and the focus returns when the dialog closes", async () => {
    const page = await open();
    const poster = page.getByRole("button", { name: "Sunday, main field" });
    await poster.click();
    const dialog = page.getByRole("dialog", { name: "Sunday, main field" });
    await dialog.getByRole("img", { name: "Sunday, main field" }).waitFor();
    expect(await dialog.innerText()).toContain("The one where it rained");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("dialog", { name: "Five minutes to curtain" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    const last = (await site.asOwner("GET", "/api/highlights")).at(-1);
    await page.getByRole("dialog", { name: last.title }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await waitForValue(() => isFocused(poster), true);
  });
});

describe("the Connect section", () => {
  test("shows a link's display text on hover and focus, and has larger icons if there are fewer links", async () => {
    const page = await open({ width: 1366 });
    const link = page.locator("#connect ul a").first();
    const opacity = () =>
      link.locator(".platform-text").evaluate((text) => Number(getComputedStyle(text).opacity));
    expect(await opacity()).toBe(0);
    await link.hover();
    await waitForValue(opacity, 1);
    await page.mouse.move(0, 0);
    await waitForValue(opacity, 0);
    await link.focus();
    await waitForValue(opacity, 1);
    const boxes = async () => {
      const boxOf = async (selector: string) =>
        (await page.locator(`#connect ${selector}`).first().boundingBox())!;
      return { words: await boxOf(".section-head"), icon: await boxOf(".platform-disc") };
    };
    const many = await boxes();
    expect(many.icon.x).toBeGreaterThan(many.words.x + many.words.width);
    await page.locator("#connect .platforms > :not(:first-child)").evaluateAll((all) => {
      for (const each of all) each.remove();
    });
    expect((await boxes()).icon.width).toBe(2 * many.icon.width);
  });

  test("has an icon for each platform, and the globe for an unknown one", async () => {
    const names = [...ALL_PLATFORMS.map(({ value }) => value), "newthing"];
    const added: string[] = [];
    for (const platform of names) {
      const link = { platform, url: "https://example.com/vera", displayText: "New" };
      added.push((await site.asOwner("POST", "/api/connect-links", link)).id);
    }
    const page = await open();
    const icons = page.locator("#connect .platform-icon");
    const first = (await icons.count()) - names.length;
    const iconOf = (name: string) => icons.nth(first + names.indexOf(name));
    const list = page.locator("#connect ul").last();
    await list.scrollIntoViewIfNeeded();
    const corner = (await list.boundingBox())!;
    const { data, width, channels } = decode(await list.screenshot());
    const shapes = new Set<string>();
    for (const { value } of ALL_PLATFORMS) {
      const box = (await iconOf(value).boundingBox())!;
      const [left, top] = [box.x - corner.x, box.y - corner.y].map(Math.round) as [number, number];
      const rows = Array.from({ length: Math.floor(box.height) }, (_, y) => {
        const from = channels * ((top + y) * width + left);
        return data.subarray(from, from + channels * Math.floor(box.width)).join();
      });
      shapes.add(rows.join());
    }
    expect(shapes.size).toBe(ALL_PLATFORMS.length);
    // Compared by their masks, since icons between two pixels are drawn differently.
    const maskOf = (name: string) =>
      iconOf(name).evaluate((icon) => {
        const { maskImage, maskPosition } = getComputedStyle(icon);
        return [maskImage, maskPosition];
      });
    expect(await maskOf("newthing")).toEqual(await maskOf("website"));
    expect(await maskOf("newthing")).not.toEqual(await maskOf("whatsapp"));
    for (const id of added) await site.asOwner("DELETE", `/api/connect-links/${id}`);
  });
});

describe("the Press section", () => {
  test("shows up to six quotes in rows of three, and a single quote across the page", async () => {
    let page = await open();
    const widths = async (width: number) => {
      await page.setViewportSize({ width, height: getHeight(width) });
      const room = (await page.locator(".features").boundingBox())!.width;
      const each = await page
        .locator(".features > li")
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().width));
      return each.map((width) => Math.round(room / width));
    };
    expect(await widths(1366)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(await widths(390)).toEqual([1, 1, 1, 1, 1, 1]);
    await page.locator(".features > li:not(:first-child)").evaluateAll((all) => {
      for (const each of all) each.remove();
    });
    expect(await widths(1366)).toEqual([1]);
    const seventh = { name: "Late Edition", subtitle: "Third place, first-rate" };
    const { id } = await site.asOwner("POST", "/api/press-features", seventh);
    page = await open();
    expect(await widths(1366)).toEqual([7, 7, 7, 7, 7, 7, 7]);
    expect(await widths(390)).toEqual([2, 2, 2, 2, 2, 2, 2]);
    await site.asOwner("DELETE", `/api/press-features/${id}`);
  });

  test.each([
    ["#0A0A0A", 200, 255],
    ["#FFFFFF", 0, 60],
  ])("shows black transparent logos visibly on %s", async (surface, low, high) => {
    await site.asOwner("POST", "/api/press-settings", { backgroundColor: surface });
    const page = await open();
    const logo = page.locator(".feature-logo").first();
    await logo.scrollIntoViewIfNeeded();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>(".feature-logo")!.naturalWidth > 0,
    );
    const { width, height, channels, data } = decode(await logo.screenshot());
    // The logo is a star in a square at its left edge, whose middle is drawn.
    const middle = data[channels * (Math.floor(height / 2) * width + Math.floor(height / 2))];
    expect(middle).toBeGreaterThanOrEqual(low);
    expect(middle).toBeLessThanOrEqual(high);
    await site.asOwner("POST", "/api/press-settings", { backgroundColor: "#0A0A0A" });
  });
});
