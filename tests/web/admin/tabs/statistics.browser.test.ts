/**
 * The Statistics tab, sentence by sentence (specification, section 2.12), with all behavior that the lists of all
 * sections share. data/sectionWrites.test.ts has a table of their requests and messages.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { setUpDashboard, openDashboard } from "../../../support/dashboard.ts";
import { dropRequests, holdRequests } from "../../../support/network.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { isFocused } from "../../../support/pageState.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable, stopClock } from "../../../support/waits.ts";

const site = setUpEmptySite();
// A phone has no preview beside the list; only one of these tests needs it.
const dashboard = setUpDashboard(site, { width: 390 });
const { button, field } = dashboard;

/** Leaves exactly these statistics, as [value, label]. */
async function setStatistics(...statistics: [string, string][]): Promise<void> {
  const items = statistics.map(([value, label]) => ({ value, label }));
  await replaceItems(site, "/api/statistics", items);
  await dashboard.open("statistics");
}

const readStoredLabels = async () =>
  (await site.asOwner<any[]>("GET", "/api/statistics")).map(({ label }) => label);

const rows = () => dashboard.page.locator(".rows > .list-row");
const readLabels = async () => {
  const words = await rows().locator(".row-content").allInnerTexts();
  return words.map((each) => each.split(/\s+/)[0]);
};

test("Add New waits until the list is loaded, so that the new item comes last.", async () => {
  await setStatistics(["1", "one"], ["2", "two"]);
  const release = await holdRequests(dashboard.page, "**/api/statistics", "GET");
  await dashboard.page.reload();
  await dashboard.page.getByText("Loading statistics...", { exact: true }).waitFor();
  await button("Add New").press("Enter");
  expect(await field("Order").count()).toBe(0);
  release();
  await waitForValue(() => field("Order").inputValue(), "2");
  await waitForValue(() => isFocused(field("Value")), true);
});

test("Add New opens a form that requires a value and a label, and the preview shows the unsaved item.", async () => {
  await setStatistics();
  await dashboard.open("statistics", { width: 1366 });
  await dashboard.waitForText("No statistics yet");
  await dashboard.page.locator(".example").waitFor();
  await button("Add New").click();
  await field("Value").fill("  ");
  await button("Save").click();
  await dashboard.waitForRefusal("Value and label are required");
  await waitForValue(() => isFocused(field("Value")), true);
  expect(dashboard.writes).toEqual([]);
  await field("Value").fill("99");
  await button("Cancel").click();
  await button("Add New").click();
  expect(await field("Value").inputValue()).toBe("");
  await field("Value").fill("15+");
  await field("Label").fill("Years on stage");
  const preview = dashboard.page.frameLocator("iframe");
  await preview.getByText("Years on stage").waitFor();
  await dashboard.waitForText("Includes the unsaved item");
  expect(await field("Order").inputValue()).toBe("0");
  await field("Order").fill("");
  await button("Save").click();
  await dashboard.waitForToast("Statistic created successfully");
  expect(dashboard.writes).toEqual([
    { call: "POST /api/statistics", body: { value: "15+", label: "Years on stage", order: 0 } },
  ]);
  expect(await field("Value").count()).toBe(0);
  await waitForValue(() => dashboard.page.locator(".example").count(), 0);
  await button("Add New").click();
  expect(await field("Value").inputValue()).toBe("");
});

test("Dragging a statistic reorders the list, and deleting one asks for a confirmation.", async () => {
  await setStatistics(["1", "one"], ["2", "two"], ["3", "three"]);
  const { page } = dashboard;
  // The library marks the rows that it has made sortable.
  await waitForValue(() => dashboard.page.locator('.list-row[draggable="false"]').count(), 3);
  await waitUntilStable(page);
  const grip = await button("Drag to reorder one").boundingBox();
  const target = await rows().nth(2).boundingBox();
  await page.mouse.move(grip!.x + 8, grip!.y + 8);
  await page.mouse.down();
  await page.mouse.move(target!.x + 30, target!.y + 10, { steps: 8 });
  await page.mouse.move(target!.x + 30, target!.y + target!.height - 6, { steps: 8 });
  await waitForValue(readLabels, ["2", "3", "1"]);
  await page.mouse.up();
  await dashboard.waitForToast("Statistics reordered successfully");
  expect(await readStoredLabels()).toEqual(["two", "three", "one"]);
  dashboard.writes.length = 0;
  const dialog = dashboard.answerDialog(false);
  await button("Delete two").click();
  expect(dialog.text).toBe("Are you sure you want to delete this statistic?");
  expect(dashboard.writes).toEqual([]);
  dashboard.answerDialog(true);
  await button("Delete two").click();
  await dashboard.waitForToast("Statistic deleted successfully");
  expect(await readStoredLabels()).toEqual(["three", "one"]);
});

test("A tooltip opens 700 ms after the pointer has reached a button, and the next tooltip at once.", async () => {
  await replaceItems(site, "/api/statistics", [{ value: "1", label: "one" }]);
  const { page } = await openDashboard(site, "statistics");
  const point = (name: string) => page.getByRole("button", { name }).hover();
  const tooltip = page.locator(".ui-tooltip");
  await page.getByRole("button", { name: "Edit one" }).waitFor();
  await stopClock(page);
  await point("Edit one");
  await page.clock.runFor(690);
  expect(await tooltip.count()).toBe(0);
  await page.clock.runFor(20);
  await tooltip.getByText("Edit one").waitFor();
  await point("Delete one");
  await page.clock.runFor(20);
  await tooltip.getByText("Delete one").waitFor();
  await page.context().close();
});

/** The focus, Enter, and announcements (specification, section 2.21). */
describe("by keyboard alone", () => {
  beforeEach(async () => {
    await setStatistics(["0", "Shows"], ["1", "Cities"], ["2", "Encores"]);
    await button("Edit Shows").waitFor();
  });

  const readShownLabels = async () => {
    const grips = await dashboard.page.getByRole("button", { name: /^Drag to reorder / }).all();
    const names = await Promise.all(grips.map((grip) => grip.getAttribute("aria-label")));
    return names.map((name) => name!.replace("Drag to reorder ", ""));
  };

  /** Waits until the element with this name has the focus. */
  async function focusOn(name: string): Promise<void> {
    await dashboard.page.waitForFunction((wanted) => {
      const focused = document.activeElement!;
      const label = (focused as HTMLInputElement).labels?.[0]?.textContent;
      return [focused.getAttribute("aria-label"), label, focused.textContent?.trim()].includes(
        wanted,
      );
    }, name);
  }

  async function press(name: string): Promise<void> {
    await button(name).focus();
    await dashboard.page.keyboard.press("Enter");
  }

  /**
   * Presses an arrow key on the focused grip, and waits until the rows are in this order and the grip has the focus.
   */
  async function pressGrip(grip: string, key: string, rows: readonly string[]): Promise<void> {
    await dashboard.page.keyboard.press(key);
    await waitForValue(readShownLabels, rows);
    await focusOn(grip);
  }

  test("a row is moved by a button or arrow keys on its handle, and its new position is announced", async () => {
    const announcements = dashboard.page.locator("output");
    await press("Move Encores up");
    await announcements.getByText("Encores moved to position 2 of 3").waitFor();
    await focusOn("Move Encores up");
    await dashboard.waitForToast("Statistics reordered successfully");
    await press("Move Encores down");
    await announcements.getByText("Encores moved to position 3 of 3").waitFor();
    await dashboard.waitForToast("Statistics reordered successfully");
    await button("Drag to reorder Shows").focus();
    await dashboard.page.keyboard.press("ArrowDown");
    await announcements.getByText("Shows moved to position 2 of 3").waitFor();
    await focusOn("Drag to reorder Shows");
    await dashboard.waitForToast("Statistics reordered successfully");
    await dashboard.page.keyboard.press("ArrowDown");
    await announcements.getByText("Shows moved to position 3 of 3").waitFor();
    await focusOn("Drag to reorder Shows");
    await dashboard.page.keyboard.press("ArrowDown");
    await focusOn("Drag to reorder Shows");
    await dashboard.page.keyboard.press("ArrowUp");
    await announcements.getByText("Shows moved to position 2 of 3").waitFor();
    await waitForValue(readStoredLabels, ["Cities", "Shows", "Encores"]);
  });

  test("several moves during a save are sent together in one more request, and only they are reverted if it fails", async () => {
    await button("Drag to reorder Shows").focus();
    const release = await holdRequests(dashboard.page, "**/api/statistics/reorder");
    await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Shows", "Encores"]);
    // Before the first request the other moves would be sent with the first one.
    await waitForValue(() => dashboard.writes.length, 1);
    await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Encores", "Shows"]);
    await button("Move Cities down").press("Enter");
    await waitForValue(readShownLabels, ["Encores", "Cities", "Shows"]);
    await button("Move Shows up").press("Enter");
    await waitForValue(readShownLabels, ["Encores", "Shows", "Cities"]);
    expect(dashboard.writes.length).toBe(1);
    release();
    await dashboard.waitForToast("Statistics reordered successfully");
    expect(dashboard.writes.length).toBe(2);
    expect(await readStoredLabels()).toEqual(["Encores", "Shows", "Cities"]);
    expect(await readShownLabels()).toEqual(["Encores", "Shows", "Cities"]);
    await button("Undo").click();
    await waitForValue(readStoredLabels, ["Shows", "Cities", "Encores"]);
    await waitForValue(readShownLabels, ["Shows", "Cities", "Encores"]);
    dashboard.writes.length = 0;
    await button("Drag to reorder Shows").focus();
    const held = await holdRequests(dashboard.page, "**/api/statistics/reorder");
    await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Shows", "Encores"]);
    // Before the first request the second move would be sent with the first one.
    await waitForValue(() => dashboard.writes.length, 1);
    await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Encores", "Shows"]);
    await dropRequests(dashboard.page, "**/api/statistics/reorder");
    held();
    await dashboard.waitForToast("Failed to reorder statistics");
    await waitForValue(readShownLabels, ["Cities", "Shows", "Encores"]);
    expect(await readStoredLabels()).toEqual(["Cities", "Shows", "Encores"]);
  });

  test("Add New focuses the form's first field, and a deletion moves the focus to the next row", async () => {
    const { keyboard } = dashboard.page;
    await press("Add New");
    await focusOn("Value");
    await keyboard.type("9");
    await keyboard.press("Tab");
    await keyboard.type("Prizes");
    await keyboard.press("Enter");
    await dashboard.waitForToast("Statistic created successfully");
    await focusOn("Add New");
    expect(await readStoredLabels()).toEqual(["Shows", "Cities", "Encores", "Prizes"]);
    await press("Edit Cities");
    await focusOn("Value");
    const { length } = dashboard.writes;
    await keyboard.press("Enter");
    await focusOn("Edit Cities");
    expect(await dashboard.page.getByLabel("Value").count()).toBe(0);
    expect(dashboard.writes.length).toBe(length);
    await press("Edit Cities");
    await press("Cancel");
    await focusOn("Edit Cities");
    dashboard.page.on("dialog", (dialog) => void dialog.accept());
    await press("Delete Cities");
    await focusOn("Delete Encores");
    await press("Delete Encores");
    await focusOn("Delete Prizes");
    await press("Delete Prizes");
    await focusOn("Delete Shows");
    await press("Delete Shows");
    await focusOn("Add New");
    expect(await readStoredLabels()).toEqual([]);
  });
});
