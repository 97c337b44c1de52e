/** Lists by keyboard alone: the focus, Enter, and what is announced (specification, section 2.21). */
import { beforeEach, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { drop, hold } from "../../../support/line.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button } = dashboard;
beforeEach(async () => {
  const items = ["Shows", "Cities", "Encores"].map((label, at) => ({ value: `${at}`, label }));
  await onlyItems(site, "/api/statistics", items);
  await dashboard.open("statistics");
  await button("Edit Shows").waitFor();
});

const stored = () => site.asOwner<{ id: string; label: string }[]>("GET", "/api/statistics");
const labels = async () => (await stored()).map(({ label }) => label);

const labelsShown = async () => {
  const grips = await dashboard.page.getByRole("button", { name: /^Drag to reorder / }).all();
  const names = await Promise.all(grips.map((grip) => grip.getAttribute("aria-label")));
  return names.map((name) => name!.replace("Drag to reorder ", ""));
};

/** Waits until the focus is on the element of this name. */
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

/** Presses an arrow on the grip that has the focus, and waits until the rows stand so and it has the focus again. */
async function pressGrip(grip: string, key: string, rows: readonly string[]): Promise<void> {
  await dashboard.page.keyboard.press(key);
  await eventually(labelsShown, rows);
  await focusOn(grip);
}

test("the list is announced: the item that was moved, not the one it passed", async () => {
  const said = dashboard.page.locator("output");
  await press("Move Encores up");
  await said.getByText("Encores moved to position 2 of 3").waitFor();
  await focusOn("Move Encores up");
  await dashboard.toast("Statistics reordered successfully");
  await press("Move Shows down");
  await said.getByText("Shows moved to position 2 of 3").waitFor();
});

test("a grip moves its row by arrow keys, keeps the focus and says the new place", async () => {
  const said = dashboard.page.locator("output");
  await button("Drag to reorder Shows").focus();
  await dashboard.page.keyboard.press("ArrowDown");
  await said.getByText("Shows moved to position 2 of 3").waitFor();
  await focusOn("Drag to reorder Shows");
  await dashboard.toast("Statistics reordered successfully");
  await dashboard.page.keyboard.press("ArrowDown");
  await said.getByText("Shows moved to position 3 of 3").waitFor();
  await focusOn("Drag to reorder Shows");
  await dashboard.page.keyboard.press("ArrowDown");
  await focusOn("Drag to reorder Shows");
  await dashboard.page.keyboard.press("ArrowUp");
  await said.getByText("Shows moved to position 2 of 3").waitFor();
  await eventually(labels, ["Cities", "Shows", "Encores"]);
});

test("presses that come faster than a save all count; they go in turn, as two writes, with one Undo", async () => {
  await button("Drag to reorder Shows").focus();
  const release = await hold(dashboard.page, "**/api/statistics/reorder");
  await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Shows", "Encores"]);
  await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Encores", "Shows"]);
  await button("Move Cities down").press("Enter");
  await eventually(labelsShown, ["Encores", "Cities", "Shows"]);
  await button("Move Shows up").press("Enter");
  await eventually(labelsShown, ["Encores", "Shows", "Cities"]);
  expect(dashboard.writes.length).toBe(1);
  release();
  await dashboard.toast("Statistics reordered successfully");
  expect(dashboard.writes.length).toBe(2);
  expect(await labels()).toEqual(["Encores", "Shows", "Cities"]);
  expect(await labelsShown()).toEqual(["Encores", "Shows", "Cities"]);
  await button("Undo").click();
  await eventually(labels, ["Shows", "Cities", "Encores"]);
  await eventually(labelsShown, ["Shows", "Cities", "Encores"]);
});

test("of several moves the one that fails is taken back, and what was saved before it stays", async () => {
  await button("Drag to reorder Shows").focus();
  const release = await hold(dashboard.page, "**/api/statistics/reorder");
  await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Shows", "Encores"]);
  await pressGrip("Drag to reorder Shows", "ArrowDown", ["Cities", "Encores", "Shows"]);
  await drop(dashboard.page, "**/api/statistics/reorder");
  release();
  await dashboard.toast("Failed to reorder statistics");
  await eventually(labelsShown, ["Cities", "Shows", "Encores"]);
  expect(await labels()).toEqual(["Cities", "Shows", "Encores"]);
});

test("Add New opens the form with the focus in it; Enter saves, and the focus comes back", async () => {
  const { keyboard } = dashboard.page;
  await press("Add New");
  await focusOn("Value");
  await keyboard.type("9");
  await keyboard.press("Tab");
  await keyboard.type("Prizes");
  await keyboard.press("Enter");
  await dashboard.toast("Statistic created successfully");
  await focusOn("Add New");
  expect(await labels()).toEqual(["Shows", "Cities", "Encores", "Prizes"]);
});

test("Save or cancel closes it, also when nothing was changed", async () => {
  await press("Edit Cities");
  await focusOn("Value");
  const { length } = dashboard.writes;
  await dashboard.page.keyboard.press("Enter");
  await focusOn("Edit Cities");
  expect(await dashboard.page.getByLabel("Value").count()).toBe(0);
  expect(dashboard.writes.length).toBe(length);
  await press("Edit Cities");
  await press("Cancel");
  await focusOn("Edit Cities");
});

test("after a deletion the focus is on the row that follows, else on the last, else on Add New", async () => {
  dashboard.page.on("dialog", (dialog) => void dialog.accept());
  await press("Delete Cities");
  await focusOn("Delete Encores");
  await press("Delete Encores");
  await focusOn("Delete Shows");
  await press("Delete Shows");
  await focusOn("Add New");
  expect(await labels()).toEqual([]);
});
