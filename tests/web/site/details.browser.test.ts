/** Details of the public pages: the entrance, plurals, and alignment. */
import { describe, expect, test } from "bun:test";
import { newPage, openPublicPage, type TestPage } from "../../support/browser.ts";
import { inspectAtWidths } from "../../support/expectAccessible.ts";
import { countLines, readStyle, measureTextBox } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { waitUntilStable, waitTwoFrames } from "../../support/waits.ts";

const site = setUpSampleSite();

describe("the hero's entrance animation", () => {
  /** Opens the home page, recording the hero's animations from the first frame on. */
  async function open(reducedMotion: boolean): Promise<TestPage> {
    const page = await newPage({ reducedMotion });
    await page.addInitScript(() => {
      const played: string[] = [];
      Object.assign(window, { played });
      document.addEventListener(
        "animationstart",
        (event) => played.push(event.animationName),
        true,
      );
    });
    await page.visit(site.url);
    await page.evaluate(endAnimations);
    await waitUntilStable(page);
    return page;
  }
  const played = (page: TestPage) =>
    page.evaluate(() => (window as unknown as { played: string[] }).played);

  test("runs once in a session, and leaves the name in its own color", async () => {
    const page = await open(false);
    const names = await played(page);
    for (const name of ["found", "beam", "house-lights", "settle"]) expect(names).toContain(name);
    expect(await readStyle(page, "#hero h1", "-webkit-text-fill-color")).toBe("rgb(255, 255, 255)");
    expect(await readStyle(page, "#hero h1", "background-image")).toBe("none");
    await page.revisit();
    await page.evaluate(endAnimations);
    await waitUntilStable(page);
    for (const name of ["found", "beam", "house-lights"])
      expect(await played(page)).not.toContain(name);
    // The picture moves 6 % slower than the page while that is scrolled.
    await page.evaluate(() => scrollTo({ top: innerHeight / 2, behavior: "instant" }));
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector(".hero-picture")!).translate === "0px 3%",
    );
  });

  test("is off with reduced motion, as is the parallax effect", async () => {
    const page = await open(true);
    for (const name of ["found", "beam", "house-lights", "settle"])
      expect(await played(page)).not.toContain(name);
    await page.evaluate(() => scrollTo({ top: innerHeight / 2, behavior: "instant" }));
    await waitTwoFrames(page);
    expect(await readStyle(page, ".hero-picture", "translate")).toBe("none");
  });
});

describe("text", () => {
  test("in a right-to-left script is at the right on a phone and a laptop", async () => {
    const { heading } = await site.asOwner("GET", "/api/highlight-settings");
    const { tagline } = await site.asOwner("GET", "/api/hero");
    await site.asOwner("POST", "/api/hero", { mainTitle: "ليلى حداد", tagline: "مغنية • مدربة" });
    await site.asOwner("POST", "/api/highlight-settings", { heading: "أعمالي" });
    const page = await openPublicPage(site, "/");
    await inspectAtWidths(page, [390, 1366], async (width) => {
      for (const selector of ["#hero h1", "#highlights-title"]) {
        const { left, right } = await measureTextBox(page.locator(selector));
        expect(right).toBeGreaterThan(width * 0.9);
        expect(left).toBeGreaterThan(0);
      }
      // The whole first screen is mirrored with its title.
      const xOf = async (selector: string) => (await page.locator(selector).boundingBox())!.x;
      expect(await xOf(".tagline > :nth-child(1)")).toBeGreaterThan(
        await xOf(".tagline > :nth-child(2)"),
      );
      // On a phone the Scroll cue is hidden, since there is a button.
      if (width >= 768) expect(await xOf(".scroll-cue")).toBeLessThan(width * 0.1);
      expect(await readStyle(page, "#hero h1", "letter-spacing")).toBe("normal");
      expect(await readStyle(page, "#connect .rich", "hyphens")).toBe("auto");
    });
    await site.asOwner("POST", "/api/hero", { mainTitle: "Jonah Vale", tagline });
    await site.asOwner("POST", "/api/highlight-settings", { heading });
  });
});

describe("alignment", () => {
  test("the Scroll cue and UPDATES are at the page's margin at every width, and titles grow with wide screens", async () => {
    const page = await openPublicPage(site, "/");
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox())!;
    const sizeOf = async (selector: string) =>
      parseFloat(await readStyle(page, selector, "font-size"));
    await inspectAtWidths(page, [768, 1366, 2560], async (width) => {
      const cue = await boxOf(".scroll-cue");
      const margin = parseFloat(await readStyle(page, "#about", "padding-right"));
      expect(Math.round(cue.x + cue.width)).toBe(Math.round(width - margin));
    });
    const [titles, lines]: [number[], number[]] = [[], []];
    for (const width of [1366, 1920, 2560]) {
      await page.setViewportSize({ width, height: 1080 });
      titles.push(await sizeOf("#hero h1"));
      lines.push(await sizeOf(".statistic dt"));
    }
    expect(titles[1]).toBeGreaterThan(titles[0]! * 1.2);
    expect(titles[2]).toBeGreaterThan(titles[1]! * 1.2);
    expect(lines[0]).toBe(14);
    expect(lines[1]).toBeGreaterThan(15);
    expect(lines[2]).toBeGreaterThan(17);
    await inspectAtWidths(page, [390, 1366], async (width) => {
      await page.evaluate(() => scrollTo({ top: innerHeight, behavior: "instant" }));
      await page.getByRole("button", { name: "UPDATES" }).waitFor();
      const drawn = await page
        .locator(".updates-tab")
        .evaluate((each) => parseFloat(getComputedStyle(each, "::before").width));
      const margin = parseFloat(await readStyle(page, "#about", "padding-right"));
      expect(drawn).toBeLessThanOrEqual(margin);
      expect((await boxOf(".updates-tab")).width).toBeGreaterThanOrEqual(44);
      // The row of posters ends at the right margin, as it begins at the left one.
      const row = await boxOf(".posters");
      expect(row.x + row.width).toBeLessThanOrEqual(width - margin + 1);
    });

    // Press logos have equal areas, and the quotes are larger than the names.
    const areas = await page.locator(".feature-logo").evaluateAll((logos) =>
      logos.map((logo) => {
        const { width, height } = logo.getBoundingClientRect();
        return Math.round(width * height);
      }),
    );
    expect(Math.max(...areas) / Math.min(...areas)).toBeLessThan(1.1);
    const size = async (of: string) => parseFloat(await readStyle(page, of, "font-size"));
    expect(await size(".feature-subtitle")).toBeGreaterThan(1.5 * (await size(".feature-name")));
    // The word co-host isn't broken at its hyphen where there is space.
    const words = page.locator(".feature-subtitle", { hasText: "Saturday co-host, summer run" });
    expect(await words.locator(".together").innerText()).toMatch(/^co-host,$/i);
    await expectOpened(page, "#highlights");
  });
});

/** Opens the second picture of a section, which fills the height and shows its number. */
async function expectOpened(page: TestPage, id: string): Promise<void> {
  await page.locator(`${id} .poster-opener`).nth(1).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("img").waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>("dialog img")!.naturalHeight > 0,
  );
  const count = await page.locator(`${id} .poster-opener`).count();
  expect(await dialog.locator(".large-picture-count").innerText()).toBe(`2 / ${count}`);
  expect((await dialog.getByRole("img").boundingBox())!.height).toBeGreaterThan(768 * 0.8);
}

test("on the coaching page the form has the portrait and promises next to it, and its steps have names", async () => {
  const page = await openPublicPage(site, "/coaching");
  expect(await page.locator(".enquiry-portrait img").count()).toBe(1);
  expect(await page.locator(".enquiry-promises li").count()).toBe(3);
  const names = await page
    .locator(".enquiry-dots > span")
    .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot, "::after").content));
  expect(names).toEqual(['"1 About you"', '"2 Your goal"', '"3 Fitting it in"']);
  await inspectAtWidths(page, [320, 1366], async () =>
    expect(await countLines(page.locator("#coaching-title .together"))).toBe(1),
  );
  await expectOpened(page, "#transformations");
});

/** Runs in the page: finishes all running animations at once. */
function endAnimations(): void {
  for (const each of document.getAnimations())
    if (
      each.timeline === document.timeline &&
      each.effect!.getComputedTiming().endTime !== Infinity
    )
      each.finish();
}
