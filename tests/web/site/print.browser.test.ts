/** The home page on paper. */
import { beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { openPublicPage } from "../../support/browser.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
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
