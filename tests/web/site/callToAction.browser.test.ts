/** The button of both heroes: where it leads, where it stands, and that it leads nobody to nothing. */
import { afterEach, describe, expect, test } from "bun:test";
import { axe } from "../../support/axe.ts";
import {
  closePages,
  openPublicPage,
  type PageOptions,
  type TestPage,
} from "../../support/browser.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { leave } from "../../support/passedOn.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { eventually, twoFrames } from "../../support/waits.ts";

const site = sampleSite();
afterEach(closePages);

const open = (path: string, options?: PageOptions) => openPublicPage(site, path, options);
const scrollTo = (page: TestPage, top: number) =>
  page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), top);

test("without a link it leads to the enquiry form", async () => {
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

test("with a link it leads there, in both heroes, after the transformations and docked", async () => {
  const buttonLink = "https://calendar.example.com/jonah";
  await site.asOwner("POST", "/api/hero", { buttonLink });
  await site.asOwner("POST", "/api/coaching-hero", { buttonLink });
  for (const [path, places] of [
    ["/", [".hero", ".dock"]],
    ["/coaching", [".hero", ".transformations-end", ".dock"]],
  ] as const) {
    const page = await open(path, { width: 390 });
    await scrollTo(page, 1000);
    await page.locator(".dock").waitFor({ state: "attached" });
    for (const place of places)
      expect(await page.locator(`${place} .button`).first().getAttribute("href")).toBe(buttonLink);
  }
  await site.asOwner("POST", "/api/hero", { buttonLink: null });
  await site.asOwner("POST", "/api/coaching-hero", { buttonLink: null });
});

test("without words there is none", async () => {
  await site.asOwner("POST", "/api/hero", { buttonText: "" });
  const page = await open("/", { width: 390 });
  await scrollTo(page, 1500);
  await page.getByRole("button", { name: "UPDATES" }).waitFor();
  expect(await page.locator(".hero .button, .dock").count()).toBe(0);
  await site.asOwner("POST", "/api/hero", { buttonText: "Work with me" });
});

test("beside it the highlights can be reached, where there are any", async () => {
  const page = await open("/");
  const down = page.getByRole("link", { name: "See the highlights" });
  await down.click();
  await page.waitForFunction(() => {
    const { top } = document.querySelector("#highlights")!.getBoundingClientRect();
    return top > -10 && top < 120;
  });
  await leave(page);
  const coaching = await open("/coaching");
  expect(await coaching.getByRole("link", { name: "See the results" }).getAttribute("href")).toBe(
    "#transformations",
  );
});

describe("docked on a phone", () => {
  const isShown = (page: TestPage) => () => page.locator(".dock[data-out]").count();

  test("it comes once the hero has left the screen, and leaves at the foot", async () => {
    const page = await open("/", { width: 390 });
    expect(await page.locator(".dock").isVisible()).toBe(false);
    await scrollTo(page, 1200);
    await eventually(isShown(page), 1);
    await page.locator(".dock").getByRole("link", { name: "Work with me" }).waitFor();
    const foot = async () => {
      const { y, height } = (await page.locator(".dock").boundingBox())!;
      return Math.round(y + height);
    };
    await eventually(foot, 844);
    expect(await axe(page)).toEqual([]);
    await scrollTo(page, 1e6);
    await eventually(isShown(page), 0);
    await scrollTo(page, 0);
    await eventually(isShown(page), 0);
  });

  test("it leaves where the form is", async () => {
    const page = await open("/coaching", { width: 390 });
    await page.locator("#transformations-title").scrollIntoViewIfNeeded();
    await scrollTo(page, 900);
    await eventually(isShown(page), 1);
    await page.locator("#enquiry .enquiry-card").evaluate((card) => card.scrollIntoView());
    await eventually(isShown(page), 0);
  });

  test("it covers nothing that is reached by keyboard", async () => {
    const page = await open("/", { width: 390 });
    const count = await page.evaluate(
      () => document.querySelectorAll("main :is(a, button)").length,
    );
    let withDock = 0;
    for (let at = 1; at < count; at += 1) {
      await page.evaluate(focusBefore, at);
      await page.keyboard.press("Tab");
      await twoFrames(page);
      const { what, isDockOut, covered } = await page.evaluate(focusAndDock);
      if (isDockOut) withDock += 1;
      expect([what, covered]).toEqual([what, 0]);
    }
    expect(withDock).toBeGreaterThan(20);
  });

  test("it is not there on a wide screen", async () => {
    const page = await open("/");
    await scrollTo(page, 1500);
    await page.locator(".dock").waitFor({ state: "attached" });
    expect(await page.locator(".dock").isVisible()).toBe(false);
  });
});

test("without an active form /coaching says where to go, at every width", async () => {
  const [form] = await site.asOwner("GET", "/api/forms");
  await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: false });
  const page = await open("/coaching");
  const closed = page.getByRole("region", { name: "Enquiries are closed at the moment" });
  expect(await closed.innerText()).toContain("You can still reach Jonah Vale here.");
  expect(await closed.getByRole("link", { name: "Send an email" }).getAttribute("href")).toBe(
    "mailto:hello@example.com",
  );
  expect(await closed.locator(".platforms a").count()).toBe(6);
  expect(await page.getByRole("link", { name: "Apply for a place" }).count()).toBe(0);
  expect(await page.locator("#enquiry").count()).toBe(0);
  await expectSoundAtWidths(page);
  await closed.getByRole("link", { name: "Go to the home page" }).click();
  await page.locator("#hero h1").waitFor();
  await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: true });
});

/** Runs in the page: the next press of Tab leads to this one, which stands at the window's foot. */
function focusBefore(at: number): void {
  const all = document.querySelectorAll<HTMLElement>("main :is(a, button)");
  all[at - 1]!.focus({ preventScroll: true });
  scrollBy(0, all[at]!.getBoundingClientRect().bottom - innerHeight);
}

/** Runs in the page: how many pixels of what has the focus are under the docked button. */
function focusAndDock() {
  const { top, bottom } = document.activeElement!.getBoundingClientRect();
  const dock = document.querySelector<HTMLElement>(".dock")!;
  const isDockOut = dock.matches("[data-out]");
  // Where it stands once it has come, not on its way there.
  const above = innerHeight - dock.offsetHeight;
  return {
    what: document.activeElement!.className,
    isDockOut,
    covered: isDockOut && top < innerHeight ? Math.max(0, Math.round(bottom - above)) : 0,
  };
}
