/** Add to your site, and the announcement, as an owner and a visitor use them (specification, section 2.24). */
import { beforeEach, describe, expect, test } from "bun:test";
import { getHeight, newPage } from "../../../support/browser.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { toastOf } from "../../../support/pageState.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site);
const { button, field, dialog } = dashboard;

const ANNOUNCEMENT = { text: "The final is on Sunday at nine", link: "https://tv.example/final" };

const NOTHING = { text: null, link: null, shownFrom: null, shownUntil: null };

const readExtras = () => site.asOwner("GET", "/api/extras");
const setExtras = async (names: string[], words: object = NOTHING) => {
  await site.asOwner("POST", "/api/extras", { on: names });
  await site.asOwner("POST", "/api/announcement", words);
};
beforeEach(() => setExtras([]));

const addedLine = (label: string) =>
  dashboard.page.locator(".callout", {
    hasText: `${label} added to your dashboard. Visitors see the section once it has something to show.`,
  });

const tab = (name: string) => dashboard.page.getByRole("tab", { name, exact: true });

const width = 390;

test("on a phone a tap adds a section and opens its tab, and Undo removes the section", async () => {
  await dashboard.open("add", { width });
  expect(await tab("Announcement").count()).toBe(0);
  await button("Add Announcement").click();
  await addedLine("Announcement").waitFor();
  expect(await toastOf(dashboard.page).count()).toBe(0);
  await field("Text").waitFor();
  expect(await tab("Announcement").getAttribute("aria-selected")).toBe("true");
  expect(await readExtras()).toEqual({ on: ["announcement"] });
  await button("Undo").click();
  await button("Add Announcement").waitFor();
  expect(await tab("Announcement").count()).toBe(0);
  expect(await readExtras()).toEqual({ on: [] });
  // Opened again, without the toast of Undo.
  await dashboard.open("add", { width });
  await button("Add Dates").click();
  await addedLine("Dates").waitFor();
  await button("Add Event").click();
  await waitUntilStable(dashboard.page);
  const fields = dialog("Add Event").locator("input, select, button");
  expect(await fields.evaluateAll(findCovered)).toEqual([]);
  await dashboard.page.keyboard.press("Escape");
  await tab("Hero").click();
  await field("Main Title").waitFor();
  await tab("Dates").click();
  await button("Add Event").waitFor();
  expect(await addedLine("Dates").count()).toBe(0);
});

test("the gallery of sections opens the tab of an added section, and Remove asks and keeps the section's content", async () => {
  await setExtras(["announcement"], ANNOUNCEMENT);
  await dashboard.open("styles", { sub: "sections", width });
  await dashboard.page
    .locator(".section-row", { hasText: "Add section" })
    .getByRole("link")
    .click();
  await dashboard.page.getByText("Added", { exact: true }).waitFor();
  await button("Open Announcement").click();
  await field("Text").waitFor();
  await button("More").click();
  await button("Remove").click();
  await dialog("Remove Announcement?").getByRole("button", { name: "Cancel" }).click();
  expect(await readExtras()).toEqual({ on: ["announcement"] });
  await button("Remove").first().click();
  await dialog("Remove Announcement?").getByRole("button", { name: "Remove" }).click();
  await button("Add Announcement").waitFor();
  expect(await readExtras()).toEqual({ on: [] });
  expect(await site.asOwner("GET", "/api/announcement")).toMatchObject(ANNOUNCEMENT);
});

test("the announcement's text and link are previewed and saved, and its schedule says what visitors see", async () => {
  await site.asOwner("POST", "/api/site", { timeZone: "Europe/Berlin" });
  await setExtras(["announcement"]);
  await dashboard.open("announcement");
  await dashboard.waitForText("Without text, visitors see no announcement.");
  await field("Text").fill(ANNOUNCEMENT.text);
  await field("Link (optional)").fill(ANNOUNCEMENT.link);
  const frame = dashboard.page.frameLocator("iframe[title='Desktop preview']");
  await frame.locator(".announcement", { hasText: ANNOUNCEMENT.text }).waitFor();
  await dashboard.waitForText("Visitors see this until you remove it.");
  await button("Save").click();
  await dashboard.waitForToast("Announcement saved successfully");
  expect(dashboard.getLastWrite("POST").body).toEqual(ANNOUNCEMENT);
  await field("Show until (optional): date").fill("2099-03-15");
  await field("Show until (optional): time").fill("21:00");
  const says = (words: string) =>
    dashboard.page.locator(".card").getByText(words, { exact: true }).waitFor();
  await says("Visitors see this from now until Sun 15 Mar 2099, 21:00.");
  await field("Show from (optional): date").fill("2027-03-28");
  await field("Show from (optional): time").fill("02:30");
  await dashboard.waitForText(
    "02:30 doesn't exist on that day because the clocks change. 03:30 is used instead.",
  );
  await field("Show from (optional): date").fill("2099-03-16");
  await field("Show from (optional): time").fill("");
  await button("Save").click();
  await says("Enter a time such as 20:00.");
  await field("Show from (optional): time").fill("09:00");
  await button("Save").click();
  await says("The end must be after the start.");
  await field("Show from (optional): date").fill("2099-03-14");
  await button("Save").click();
  await dashboard.waitForToast("Announcement saved successfully");
  expect(dashboard.getLastWrite("POST").body).toEqual({
    ...ANNOUNCEMENT,
    shownFrom: "2099-03-14T09:00",
    shownUntil: "2099-03-15T21:00",
  });
});

test("an item's schedule is collapsed in its form, and its start is shown in its row", async () => {
  const item = (await site.asOwner("GET", "/api/highlights"))[0];
  await dashboard.open("highlights");
  await button(`Edit ${item.title}`).click();
  const when = dialog("Edit Highlight").locator("summary", { hasText: "Schedule" });
  await when.getByText("Visible as soon as you save").waitFor();
  await when.click();
  await field("Show from (optional): date").fill("2099-12-01");
  await field("Show from (optional): time").fill("09:00");
  await dialog("Edit Highlight")
    .getByText("Visitors see this from Tue 1 Dec 2099, 09:00 until you remove it.")
    .waitFor();
  await button("Update Highlight").click();
  const row = dashboard.page.locator("li.list-row", { hasText: item.title });
  await row
    .locator(".badge[data-tone=warn]", { hasText: "Starts Tue 1 Dec 2099, 09:00" })
    .waitFor();
  await site.asOwner("PUT", `/api/highlights/${item.id}`, { shownFrom: null });
});

const sheet = () => dashboard.page.locator("#all-tabs");

test("on a phone All tabs stays at the start of the tab strip, and opens a sheet that leads to every tab", async () => {
  await dashboard.open("hero", { width });
  expect(await button("All tabs").count()).toBe(0);
  expect(await tab("Add section").count()).toBe(0);
  expect(await button("Add section").count()).toBe(1);
  await setExtras(["announcement"]);
  await dashboard.open("files", { width });
  const { page } = dashboard;
  const left = async () => (await button("All tabs").boundingBox())!.x;
  expect(await left()).toBeLessThan(20);
  const strip = page.locator(".rail-strip");
  expect(await strip.evaluate((each) => each.scrollLeft)).toBeGreaterThan(100);
  const isOpen = () => sheet().isVisible();
  const boxOf = async (name: string) =>
    (await sheet().getByRole("button", { name }).boundingBox())!;
  await button("All tabs").click();
  const [hero, about] = [await boxOf("Hero"), await boxOf("About")];
  expect([hero.y, hero.x]).toEqual([about.y, (await boxOf("Statistics")).x]);
  expect(about.x).toBeGreaterThan(hero.x + hero.width);
  expect(hero.height).toBeGreaterThanOrEqual(46);
  await page.keyboard.press("Escape");
  await waitForValue(isOpen, false);
  await button("All tabs").click();
  const box = (await sheet().boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y];
  await page.mouse.move(x, y + 14);
  await page.mouse.down();
  await page.mouse.move(x, y + 40);
  await page.mouse.up();
  expect(await isOpen()).toBe(true);
  await page.mouse.move(x, y + 14);
  await page.mouse.down();
  await page.mouse.move(x, y + 160, { steps: 3 });
  await page.mouse.up();
  await waitForValue(isOpen, false);
  await button("All tabs").click();
  await page.mouse.click(195, 30);
  await waitForValue(isOpen, false);
  await button("All tabs").click();
  await waitForValue(() => sheet().getByRole("button").count(), 13);
  await sheet().getByRole("button", { name: "Announcement" }).click();
  await field("Text").waitFor();
  await waitForValue(isOpen, false);
});

describe("visitors", () => {
  const openPage = async (width: number, path = "/") => {
    const page = await newPage({ width });
    await page.goto(site.url + path);
    return page;
  };
  const measureBox = (page: Awaited<ReturnType<typeof openPage>>, selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return { top, bottom, height };
    });

  test("see the announcement over the hero, whose picture stays in its place", async () => {
    const page = await openPage(390);
    const turn = async (width: number) => {
      await page.setViewportSize({ width, height: getHeight(width) });
      // A page that is resized or reloaded may be at another scroll position.
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await waitUntilStable(page);
    };
    const before = new Map<number, object>();
    for (const width of [390, 1366]) {
      await turn(width);
      before.set(width, await measureBox(page, ".hero-picture"));
    }
    await setExtras(["announcement"], ANNOUNCEMENT);
    await page.reload();
    for (const width of [1366, 390]) {
      await turn(width);
      expect(await measureBox(page, ".hero-picture")).toEqual(before.get(width) as never);
      const label = await measureBox(page, ".announcement p");
      expect(label.height).toBeGreaterThanOrEqual(44);
      expect(label.top).toBeGreaterThanOrEqual(96);
      // The whole label can be pressed.
      const link = page.locator(".announcement a");
      expect(await link.getAttribute("href")).toBe(ANNOUNCEMENT.link);
      const at = await page.locator(".announcement p").evaluate((element) => {
        const { right, bottom } = element.getBoundingClientRect();
        return document.elementFromPoint(right - 4, bottom - 4)?.tagName;
      });
      expect(at).toBe("A");
    }
  });
});

/** Runs in the page: elements of a dialog that are in the window but covered by anything except its docked buttons. */
function findCovered(all: Element[]): (string | null)[] {
  return all
    .filter((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (width === 0 || y < 0 || y > innerHeight) return false;
      const covering = document.elementFromPoint(x, y);
      const targets = [each, each.closest("label"), ...document.querySelectorAll(".actions")];
      return !targets.some((one) => one?.contains(covering));
    })
    .map((each) => each.getAttribute("aria-label") ?? each.textContent);
}
