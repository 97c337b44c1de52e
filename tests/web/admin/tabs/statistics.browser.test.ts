/**
 * The Statistics tab, sentence by sentence (specification, section 2.12): what every list of a section does is looked at
 * here. What each of them sends and says has its table in data/sectionWrites.test.ts.
 */
import { beforeEach, describe, expect, test } from "bun:test";
import { dashboardForAll, type NotedWrite, openDashboard } from "../../../support/dashboard.ts";
import { hold } from "../../../support/line.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { isFocused } from "../../../support/pageState.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { eventually, still, stopClock } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field } = dashboard;

/** Leaves exactly these statistics, as [value, label]. */
async function given(...statistics: [string, string][]): Promise<void> {
  const items = statistics.map(([value, label]) => ({ value, label }));
  await onlyItems(site, "/api/statistics", items);
  await dashboard.open("statistics");
}

const stored = async () =>
  (await site.asOwner<any[]>("GET", "/api/statistics")).map(({ value, label, order }) => ({
    value,
    label,
    order,
  }));

const rows = () => dashboard.page.locator(".rows > .row");
const labels = async () => {
  const words = await rows().locator(".row-content").allInnerTexts();
  return words.map((each) => each.split(/\s+/)[0]);
};

describe("without statistics", () => {
  test("While loading it shows Loading statistics..., and then No statistics yet.", async () => {
    await given();
    const release = await hold(dashboard.page, "**/api/statistics");
    await dashboard.page.reload();
    await dashboard.page.getByText("Loading statistics...", { exact: true }).waitFor();
    release();
    await dashboard.page.getByText("No statistics yet").waitFor();
  });

  test("A press of Add New while it is loading waits for it, so that what is new comes last.", async () => {
    await given(["1", "one"], ["2", "two"]);
    const release = await hold(dashboard.page, "**/api/statistics", "GET");
    await dashboard.page.reload();
    await dashboard.page.getByText("Loading statistics...", { exact: true }).waitFor();
    await button("Add New").press("Enter");
    expect(await field("Order").count()).toBe(0);
    release();
    await eventually(() => field("Order").inputValue(), "2");
    await eventually(() => isFocused(field("Value")), true);
  });

  test("An Add New button opens a form with value, label and order.", async () => {
    await given();
    await button("Add New").click();
    await field("Value").fill("15+");
    await field("Label").fill("Years on stage");
    expect(await field("Order").inputValue()).toBe("0");
    await field("Order").fill("");
    await button("Save").click();
    await dashboard.toast("Statistic created successfully");
    expect(dashboard.writes).toEqual([
      {
        call: "POST /api/statistics",
        body: { value: "15+", label: "Years on stage", order: 0 },
      },
    ]);
    expect(await field("Value").count()).toBe(0);
    await button("Add New").click();
    expect(await field("Value").inputValue()).toBe("");
  });
});

describe("the form", () => {
  beforeEach(() => given(["1", "one"], ["2", "two"], ["3", "three"]));

  test("Value and label must be non-empty after trimming, else Value and label are required.", async () => {
    await button("Add New").click();
    await field("Value").fill("  ");
    await button("Save").click();
    await dashboard.refusal("Value and label are required");
    await eventually(() => isFocused(field("Value")), true);
    expect(dashboard.writes).toEqual([]);
  });

  test("Cancel closes the form and clears it.", async () => {
    await button("Add New").click();
    await field("Value").fill("99");
    await button("Cancel").click();
    await button("Add New").click();
    expect(await field("Value").inputValue()).toBe("");
  });

  test("The edit button opens the form; Save sends value, label and order.", async () => {
    await button("Edit two").click();
    await field("Label").fill("deux");
    await button("Save").click();
    await dashboard.toast("Statistic updated successfully");
    const [{ call, body }] = dashboard.writes as [NotedWrite];
    expect(call).toStartWith("PUT /api/statistics/");
    expect(body).toEqual({ value: "2", label: "deux", order: 1 });
  });

  test("The preview shows the newcomer before it is saved.", async () => {
    await button("Add New").click();
    await field("Value").fill("250");
    await field("Label").fill("Students coached");
    const preview = dashboard.page.frameLocator("iframe");
    await preview.getByText("Students coached").waitFor();
    await dashboard.page.getByText("Including the new one").waitFor();
  });
});

describe("deleting", () => {
  beforeEach(() => given(["1", "one"], ["2", "two"]));

  test("Delete a statistic: Are you sure you want to delete this statistic?", async () => {
    const asked = dashboard.answer(false);
    await button("Delete two").click();
    expect(asked.words).toBe("Are you sure you want to delete this statistic?");
    expect(dashboard.writes).toEqual([]);
    dashboard.answer(true);
    await button("Delete two").click();
    await dashboard.toast("Statistic deleted successfully");
    expect(await stored()).toEqual([{ value: "1", label: "one", order: 0 }]);
  });
});

describe("ordering", () => {
  beforeEach(() => given(["1", "one"], ["2", "two"], ["3", "three"]));

  test("Moving sends every item with its new zero-based index as its order, and Undo takes it back.", async () => {
    await button("Move three up").click();
    await dashboard.toast("Statistics reordered successfully");
    expect(dashboard.writes[0]!.call).toBe("POST /api/statistics/reorder");
    expect(dashboard.writes[0]!.body.updates.map(({ order }: any) => order)).toEqual([0, 1, 2]);
    expect((await stored()).map(({ label }) => label)).toEqual(["one", "three", "two"]);
    await button("Undo").click();
    await dashboard.page.waitForFunction(
      () =>
        document.querySelector(".rows > .row:last-child .row-content")?.textContent === "3three",
    );
  });

  test("Dragging a statistic onto a position reorders the list.", async () => {
    const { page } = dashboard;
    // What arranges rows marks those that it has taken.
    await eventually(() => dashboard.page.locator('.row[draggable="false"]').count(), 3);
    await still(page);
    const grip = await button("Drag to reorder one").boundingBox();
    const target = await rows().nth(2).boundingBox();
    await page.mouse.move(grip!.x + 8, grip!.y + 8);
    await page.mouse.down();
    await page.mouse.move(target!.x + 30, target!.y + 10, { steps: 8 });
    await page.mouse.move(target!.x + 30, target!.y + target!.height - 6, { steps: 8 });
    await eventually(labels, ["2", "3", "1"]);
    await page.mouse.up();
    await dashboard.toast("Statistics reordered successfully");
    expect((await stored()).map(({ label }) => label)).toEqual(["two", "three", "one"]);
  });
});

test("A tooltip opens 700 ms after the pointer came, the next one at once.", async () => {
  await given(["1", "one"]);
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
