/** When a public page comes to life, and what it does until then (docs/decisions/0007). */
import { afterEach, describe, expect, test } from "bun:test";
import { closePages, newPage, type TestPage } from "../../support/browser.ts";
import { hold } from "../../support/line.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { twoFrames } from "../../support/waits.ts";

const site = sampleSite();
afterEach(closePages);

/**
 * Opens a page, with the list of the scripts it asks for from then on. Whoever saves data has nothing fetched
 * ahead, so that it doesn't matter how slow this machine is.
 */
async function open(
  path: string,
  { width = 1366, savesData = true } = {},
): Promise<{ page: TestPage; asked: string[] }> {
  const page = await newPage({ width });
  await page.addInitScript(saveData, savesData);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js")) asked.push(`${request.resourceType()} ${pathname}`);
  });
  await page.visit(site.url + path);
  return { page, asked };
}

describe("before a visitor does anything", () => {
  test.each(["/", "/coaching"])("%s fetches no script, nor while it is scrolled", async (path) => {
    const { page, asked } = await open(path, { width: 390 });
    await page.evaluate(() => scrollTo({ top: 1e6, behavior: "instant" }));
    await page.settled();
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    await page.locator("body").hover({ position: { x: 5, y: 5 } });
    await page.settled();
    expect(asked).toEqual([]);
    expect(page.problems()).toEqual([]);
  });

  test("a finger that comes down has the code fetched, and not run", async () => {
    const { page, asked } = await open("/", { width: 390, savesData: false });
    await page.locator(".poster-opener").first().dispatchEvent("touchstart");
    await page.settled();
    expect(asked.map((each) => each.split(" ")[0])).toEqual(["fetch", "fetch"]);
    expect(await page.locator("link[data-font]").count()).toBe(0);
  });
});

describe("a press before the code is there", () => {
  test.each([
    ["/", "#highlights .poster-opener", "dialog[open] img"],
    ["/coaching", ".enquiry-forward", ".question-error"],
  ])("of %s is kept and done when the page lives: %s", async (path, press, brings) => {
    const { page } = await open(path);
    const release = await hold(page, "**/assets/*.js");
    const asked = page.waitForRequest(/entry-client/);
    await page.locator(press).first().click();
    await asked;
    await twoFrames(page);
    expect(await page.locator(brings).count()).toBe(0);
    release();
    await page.locator(brings).first().waitFor();
    expect(page.url()).toBe(site.url + path);
    expect(page.problems()).toEqual([]);
  });

  test("on the mailing list's tab opens it", async () => {
    const { page } = await open("/");
    await page.evaluate(() => scrollTo({ top: innerHeight, behavior: "instant" }));
    const release = await hold(page, "**/assets/*.js");
    await page.getByRole("button", { name: "UPDATES" }).click();
    release();
    await page.getByLabel("Email Address *").waitFor();
  });
});

test("the other page is fetched while a pointer rests on its link, and is not fetched again", async () => {
  const { page, asked } = await open("/");
  const fetched: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/coaching")) fetched.push(request.headers()["sec-purpose"] ?? "");
  });
  const link = page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: "Coaching" });
  const ahead = page
    .context()
    .waitForEvent("request", (request) => request.url().endsWith("/coaching"));
  await link.hover();
  await ahead;
  await link.click();
  await page.locator("#coaching-hero").waitFor();
  expect(asked).toEqual([]);
  expect(page.problems()).toEqual([]);
});

/** Runs in the page before anything else. */
function saveData(on: boolean): void {
  Object.defineProperty(navigator, "connection", { value: { saveData: on } });
}
