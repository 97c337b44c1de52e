/** The tab of the dates as its owner meets it (specification, section 2.24). */
import { beforeEach, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { countEfforts } from "../../../support/efforts.ts";
import { expectSoundAtWidths } from "../../../support/expectSound.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = sampleSite();
const dashboard = dashboardForAll(site);
const { button, field, dialog } = dashboard;

beforeEach(async () => {
  for (const { id } of await site.asOwner("GET", "/api/events"))
    await site.asOwner("DELETE", `/api/events/${id}`);
  await site.asOwner("POST", "/api/extras", { on: ["dates"] });
  await site.asOwner("POST", "/api/site", { timeZone: "Europe/London" });
});

const stored = () => site.asOwner("GET", "/api/events");
const add = (event: object) =>
  site.asOwner("POST", "/api/events", { title: "The Velvet Hour", ...event });

test("a tour of twelve dates on a phone takes at most 70 taps and 26 fields", async () => {
  await dashboard.open("dates", { width: 390 });
  const counted = await countEfforts(dashboard.page);
  await dashboard.page.getByText("No dates yet").waitFor();
  await button("Add Date").click();
  await field("Title").fill("The Velvet Hour");
  await field("Starts: day").fill("2099-03-01");
  await field("Starts: time").fill("20:00");
  await field("Venue").fill("Palace Theatre");
  await field("City").fill("Leeds");
  await button("Save").click();
  for (let week = 1; week < 12; week++) {
    await eventually(async () => (await stored()).length, week);
    await dialog().waitFor({ state: "detached" });
    await button("Duplicate The Velvet Hour")
      .nth(week - 1)
      .click();
    // The copy is a week on, with the focus where the day is.
    const day = field("Starts: day");
    await eventually(() => day.evaluate((each) => each === document.activeElement), true);
    await field("City").fill(`City ${week}`);
    await button("Save").click();
  }
  await eventually(async () => (await stored()).length, 12);
  const { taps, fields } = await counted();
  console.log(`A tour of twelve dates: ${taps} taps, ${fields} fields.`);
  expect(taps).toBeLessThanOrEqual(70);
  expect(fields).toBeLessThanOrEqual(26);
  const all: { startsAt: string; venue: string }[] = await stored();
  expect(new Set(all.map(({ venue }) => venue))).toEqual(new Set(["Palace Theatre"]));
  expect(all.slice(0, 3).map(({ startsAt }) => startsAt)).toEqual([
    "2099-03-01T20:00",
    "2099-03-08T20:00",
    "2099-03-15T20:00",
  ]);
});

test("those to come and those that are over stand apart, with what isn't as usual", async () => {
  await add({ title: "Long ago", startsAt: "2001-03-01T20:00" });
  await add({ title: "Gone", startsAt: "2099-03-02T20:00", tickets: "out" });
  await add({ title: "Off", startsAt: "2099-03-01T20:00", status: "cancelled", city: "Hull" });
  await dashboard.open("dates");
  const rows = dashboard.page.locator("li.row");
  await eventually(() => rows.locator("strong").allInnerTexts(), ["Off", "Gone"]);
  await rows.first().getByText("Cancelled", { exact: true }).waitFor();
  await rows.first().getByText("20:00 · Hull").waitFor();
  await rows.nth(1).getByText("Sold out", { exact: true }).waitFor();
  await dashboard.page.getByText(/^London time, \d\d:\d\d there$/).waitFor();
  await button(/^Past/).click();
  await eventually(() => rows.locator("strong").allInnerTexts(), ["Long ago"]);
  await button("Delete Long ago").click();
  await dashboard.toast("Date deleted successfully");
  await button("Undo").click();
  await eventually(() => rows.locator("strong").allInnerTexts(), ["Long ago"]);
});

test("the form says what is wrong, what is over, and what of it goes by where it takes place", async () => {
  await dashboard.open("dates");
  await button("Add Date").click();
  await field("Title").fill("Now");
  await field("Starts: day").fill("2001-03-01");
  await field("Starts: time").fill("20:00");
  await dialog().getByText("This is over already: it goes to Past.").waitFor();
  await button("Add an end").click();
  await field("Ends (optional): day").fill("2001-02-28");
  await field("Ends (optional): time").fill("20:00");
  await dialog().getByLabel("Where", { exact: true }).selectOption("screen");
  expect(await field("Channel").count()).toBe(1);
  expect(await field("Where to watch").count()).toBe(1);
  await button("Save").click();
  await dialog().locator(".field-error", { hasText: "It ends before it starts." }).waitFor();
  expect(await stored()).toEqual([]);
  expect(await field("Title").inputValue()).toBe("Now");
});

test("settings have the calendar's address, and nothing is wrong at three widths", async () => {
  await dashboard.open("dates");
  await dashboard.page.getByText("No dates yet").waitFor();
  await expectSoundAtWidths(dashboard.page);
  await add({ title: "A".repeat(120), startsAt: "2099-03-01T20:00", venue: "B".repeat(120) });
  await dashboard.open("dates");
  await dashboard.page.locator("li.row").waitFor();
  await expectSoundAtWidths(dashboard.page);
  await dashboard.open("dates", { sub: "settings" });
  await dashboard.page.getByText(`${site.url}/dates.ics`).waitFor();
  await expectSoundAtWidths(dashboard.page);
});
