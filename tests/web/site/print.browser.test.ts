/** The home page on paper. */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { luminance } from "../../../src/schema/contrast.ts";
import { LOOKS } from "../../../src/schema/looks.ts";
import { closePages, openPublicPage, type TestPage } from "../../support/browser.ts";
import { portraitFile, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { wear } from "../../support/wear.ts";
import { eventually } from "../../support/waits.ts";

const site = sampleSite();

beforeAll(async () => {
  await site.asOwner("POST", "/api/extras", { on: ["announcement"] });
  await site.asOwner("POST", "/api/announcement", { text: "The final is on Sunday at nine" });
});

const boxOf = async (element: Locator) => (await element.boundingBox())!;

test.each([1366, 390])("the announcement stands above the name, at %i px", async (width) => {
  const page = await openPublicPage(site, "/", { width });
  await page.emulateMedia({ media: "print" });
  const [label, name] = [page.locator(".announcement"), page.getByRole("heading", { level: 1 })];
  const { y, height } = await boxOf(label);
  expect((await boxOf(name)).y).toBeGreaterThanOrEqual(y + height);
});

test("links to other places tell their names, which nobody can point at on paper", async () => {
  const page = await openPublicPage(site, "/");
  const name = page.locator(".platform-text").first();
  const opacity = () => name.evaluate((each) => getComputedStyle(each).opacity);
  expect(await opacity()).toBe("0");
  await page.emulateMedia({ media: "print" });
  await eventually(opacity, "1");
});

/** A sheet of A4, in CSS pixels. */
const SHEET = { width: 794, height: 1123 };

describe.each(LOOKS.map((look) => [look.label, look] as const))("in %s", (_, look) => {
  beforeAll(() => wear(site, look));

  const printed = async (path: string) => {
    const page = await openPublicPage(site, path);
    await page.setViewportSize(SHEET);
    await page.emulateMedia({ media: "print" });
    return page;
  };
  const endOf = async (page: TestPage, selector: string) => {
    const { y, height } = await boxOf(page.locator(selector).first());
    return y + height;
  };

  test.each(["/", "/coaching"])(
    "words of %s are black on white, below the picture of the first screen, and nothing is fixed over them",
    async (path) => {
      const page = await printed(path);
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
          expect([name, color, (hex && luminance(hex)) ?? 1]).toEqual([name, color, 0]);
        }
      expect(await page.locator(".bar").isVisible()).toBe(false);
      const title = await boxOf(page.locator(".hero-title"));
      expect(title.y).toBeGreaterThanOrEqual(await endOf(page, ".hero-picture"));
      await closePages();
    },
  );

  test("an upright portrait and all of its words are on the first sheet", async () => {
    const before = await site.asOwner("GET", "/api/coaching-hero");
    const portrait = REAL_PORTRAITS.find(({ name }) => name === "collins")!;
    const { url } = await uploadPicture(site, "portrait.jpg", await portraitFile(portrait));
    await site.asOwner("POST", "/api/coaching-hero", { ...before, backgroundImage: url });
    const page = await printed("/coaching");
    expect(await endOf(page, ".hero .button")).toBeLessThanOrEqual(SHEET.height);
    await site.asOwner("POST", "/api/coaching-hero", before);
    await closePages();
  });
});

/** What a look sets in colors of its own. */
const WORDS =
  ".hero-title, .hero-subtitle, .tagline, .section .title, .feature-subtitle, .feature-name, .statistic dd, .enquiry-card h3, .transformations-end > p";

test("the name in two colors is words where the system sets the colors", async () => {
  const { styles } = LOOKS.find(({ name }) => name === "daylight")!;
  await site.asOwner("POST", "/api/styles", styles);
  const page = await openPublicPage(site, "/");
  const fill = () =>
    page.locator(".hero-title").evaluate((each) => getComputedStyle(each).webkitTextFillColor);
  expect(await fill()).toBe("rgba(0, 0, 0, 0)");
  await page.emulateMedia({ forcedColors: "active" });
  expect(await fill()).not.toBe("rgba(0, 0, 0, 0)");
});
