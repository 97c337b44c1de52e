/** The dates as visitors meet them (specification, section 2.24). */
import { beforeAll, expect, test } from "bun:test";
import { newPage, type PageOptions } from "../../support/browser.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";

const site = sampleSite();

const LONG = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(2).trim();

beforeAll(async () => {
  await site.asOwner("POST", "/api/extras", { on: ["dates"] });
  for (const [at, more] of [
    { ticketUrl: "https://tickets.example/1", tickets: "few" },
    { title: LONG, venue: LONG, note: LONG, ticketUrl: "https://tickets.example/1" },
    { status: "cancelled" },
    { kind: "screen", venue: "Harbour TV", timeZone: "America/New_York" },
    { endsAt: "2099-03-06T20:00", tickets: "out" },
    { title: "Behind the press" },
  ].entries())
    await site.asOwner("POST", "/api/events", {
      title: `Night ${at}`,
      startsAt: `2099-03-0${at + 1}T20:00`,
      ...more,
    });
});

async function opened(options: PageOptions = {}) {
  const page = await newPage(options);
  await page.goto(site.url);
  const dates = page.locator("#dates");
  await dates.scrollIntoViewIfNeeded();
  return { page, dates };
}

test("the rest is behind a press, without scripts too", async () => {
  const { dates } = await opened({ javaScript: false });
  const late = dates.getByRole("heading", { name: "Behind the press" });
  expect(await late.isVisible()).toBe(false);
  await dates.getByText("All 6 dates").click();
  expect(await late.isVisible()).toBe(true);
});

test.each([320, 390, 1366])(
  "no word makes the page wider at %i px, and no way on is small",
  async (width) => {
    const { page, dates } = await opened({ width });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const box of await dates
      .locator("a, summary")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON())))
      expect(box.height).toBeGreaterThanOrEqual(width < 768 ? 44 : 24);
  },
);

test("nothing is wrong with them at three widths, in two looks", async () => {
  const { page, dates } = await opened();
  await dates.getByText("All 6 dates").click();
  await expectSoundAtWidths(page);
  await site.asOwner("POST", "/api/styles", {
    backgroundColor: "#FFFFFF",
    textColor: "#111111",
    sectionBackgroundColor: "#FFFFFF",
    headingFont: "Playfair Display",
  });
  const light = await opened();
  await expectSoundAtWidths(light.page);
});

test("where there is none, UPDATES opens the mailing list", async () => {
  for (const { id } of await site.asOwner("GET", "/api/events"))
    await site.asOwner("DELETE", `/api/events/${id}`);
  await site.asOwner("POST", "/api/events", { title: "Long ago", startsAt: "2001-03-01T20:00" });
  const { page, dates } = await opened();
  await dates.getByText("No dates at the moment. Join the mailing list to hear first.").waitFor();
  await dates.getByRole("button", { name: "UPDATES" }).click();
  await page.locator("dialog.mailing-list-dialog[open]").waitFor();
});
