/** Editing on a phone: the first field is in view, and nothing covers the focused one (specification, section 2.9). */
import { beforeEach, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { findBarriers } from "../../../support/axe.ts";
import type { TestPage } from "../../../support/browser.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { holdRequests } from "../../../support/network.ts";
import { toastOf } from "../../../support/pageState.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site, { width: 390 });
const { button, field } = dashboard;
let page: TestPage;
beforeEach(() => open("hero"));

async function open(tab: string): Promise<void> {
  await dashboard.open(tab);
  ({ page } = dashboard);
}

const measureBox = async (element: Locator) => (await element.boundingBox())!;
const bar = () => page.getByRole("region", { name: "Unsaved changes" });
const sheet = () => page.locator(".preview-sheet");

/** Simulates a phone's keyboard, which leaves `height` of the page visible. */
const openKeyboard = (height: number) =>
  page.evaluate((left) => {
    Object.defineProperty(window.visualViewport!, "height", { configurable: true, value: left });
    window.visualViewport!.dispatchEvent(new Event("resize"));
  }, height);

test("On a phone a tab's first field is in view, and a dialog's buttons stay visible on a low screen", async () => {
  const overview = page.getByRole("region", { name: "Overview" });
  const line = overview.getByRole("button");
  expect((await measureBox(overview)).height).toBeLessThan(70);
  expect(await line.getAttribute("aria-expanded")).toBe("false");
  expect(await page.getByText("Administrative access").isVisible()).toBe(false);
  for (const [tab, label] of [
    ["hero", "Main Title"],
    ["about", "Title"],
  ] as const) {
    await dashboard.goTo(tab);
    await field(label).waitFor();
    expect((await measureBox(field(label))).y).toBeLessThan(330);
  }
  await dashboard.goTo("hero");
  const tiles = page.getByRole("radiogroup", { name: "Background Image" }).locator(".tile");
  expect((await tiles.first().innerText()).trim()).toBe("Upload image");
  const tile = await measureBox(tiles.nth(1));
  expect(tile.width / tile.height).toBeCloseTo(1.6, 1);
  await page.setViewportSize({ width: 390, height: 480 });
  await dashboard.goTo("highlights");
  await button("Add Highlight").click();
  const create = dashboard
    .dialog("Add New Highlight")
    .getByRole("button", { name: /Create|Cancel/ });
  await create.first().waitFor();
  await waitUntilStable(page);
  for (const each of await create.all()) {
    const { y, height } = await measureBox(each);
    expect(y + height).toBeLessThanOrEqual(480);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("Escape");
  await line.click();
  expect(await page.getByText("Administrative access").isVisible()).toBe(true);
});

test("The preview's bottom sheet has three heights, between which buttons, Escape and dragging switch", async () => {
  await sheet().waitFor();
  const isClosed = () => waitForValue(async () => (await measureBox(sheet())).height, 72);
  const isHalf = () => waitForValue(async () => (await measureBox(sheet())).height, 422);
  const isLarge = () => waitForValue(async () => (await measureBox(sheet())).y, 64);
  expect((await measureBox(sheet())).height).toBe(72);
  expect(await page.locator("iframe").count()).toBe(0);
  await button("Show preview").click();
  await isHalf();
  await page.getByTitle("Mobile preview").waitFor();
  await page.frameLocator("iframe").locator(".hero[data-state=loaded]").waitFor();
  await button("Larger preview").click();
  await isLarge();
  await page.keyboard.press("Escape");
  await isClosed();
  await button("Show preview").click();
  await button("Close preview").click();
  await isClosed();
  const pull = async (from: number, to: number) => {
    await page.mouse.move(195, from);
    await page.mouse.down();
    await page.mouse.move(195, to, { steps: 6 });
    await page.mouse.up();
  };
  await pull(785, 120);
  await isLarge();
  await pull(80, 420);
  await isHalf();
  await pull(435, 830);
  await isClosed();
});

test("The preview's sheet is above the save bar, and neither the bar nor a toast covers the focused field", async () => {
  await field("Main Title").fill("Someone");
  await sheet().waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "Hero", level: 2 }).click();
  await sheet().getByText("Not saved yet").waitFor();
  await button("Show preview").click();
  await waitUntilStable(page);
  const [above, below] = [await measureBox(sheet()), await measureBox(bar())];
  expect(above.y + above.height).toBeLessThanOrEqual(below.y + 1);
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await field("Subtitle").fill("Performer & stage coach");
  await bar().waitFor();
  await waitUntilStable(page);
  expect((await measureBox(bar())).height).toBeLessThanOrEqual(57);
  for (const name of ["Discard", "Preview", "Save"]) {
    const { width, height } = await measureBox(bar().getByRole("button", { name }));
    expect([name, Math.min(width, height) >= 44]).toEqual([name, true]);
  }
  expect(await bar().innerText()).toContain("Unsaved");
  await bar().getByRole("button", { name: "Preview" }).click();
  await waitForValue(async () => (await measureBox(sheet())).y, 64);
  await page.keyboard.press("Escape");
  await bar().getByRole("button", { name: "Discard" }).click();
  await waitForValue(() => bar().isVisible(), false);
  await field("Main Title").fill("Someone");
  await openKeyboard(480);
  for (const label of ["Main Title", "Subtitle", "Tagline", "Background Color"]) {
    await field(label).focus();
    const docked = async () => {
      const [typed, edge] = [await measureBox(field(label)), await measureBox(bar())];
      return {
        onKeyboard: Math.round(edge.y + edge.height),
        clear: typed.y + typed.height <= edge.y,
      };
    };
    await waitForValue(docked, { onKeyboard: 480, clear: true });
  }
  await openKeyboard(420);
  await field("Tagline").fill("One • Two");
  await page.keyboard.press("Control+s");
  await dashboard.waitForToast("Hero content updated successfully");
  await waitForValue(async () => {
    const [typed, toast] = [await measureBox(field("Tagline")), await measureBox(toastOf(page))];
    return typed.y + typed.height <= toast.y || typed.y >= toast.y + toast.height;
  }, true);
});

test("a dialog's focused field stays above its buttons, also when pictures above it load late", async () => {
  const release = await holdRequests(page, "**/api/uploads");
  await page.goto(`${site.url}/admin/dashboard?tab=coaching&sub=transformations`);
  await button("Add Transformation").click();
  const dialog = dashboard.dialog("Add Transformation");
  await dialog.getByLabel("Title").fill("Before");
  release();
  await dialog.getByRole("radio").nth(8).waitFor();
  const actions = dialog.locator(".actions");
  await waitForValue(async () => {
    const [typed, edge] = [await measureBox(dialog.getByLabel("Title")), await measureBox(actions)];
    return typed.y > 0 && typed.y + typed.height <= edge.y;
  }, true);
});

test("the preview's sheet is right above the save bar, also when the reason of a failed save makes the bar higher", async () => {
  await field("Main Title").fill("Offline");
  await page.context().setOffline(true);
  await page.keyboard.press("Control+s");
  await bar().getByText("saved on this device").waitFor();
  await field("Main Title").blur();
  await waitForValue(async () => {
    const [stacked, base] = [await measureBox(sheet()), await measureBox(bar())];
    return [base.height > 60, Math.round(stacked.y + stacked.height - base.y)];
  }, [true, 0]);
  await page.context().setOffline(false);
  page.clearProblems();
});
