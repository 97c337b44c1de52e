/** The tab of the packages as its owner meets it (specification, section 2.24). */
import { beforeEach, expect, test } from "bun:test";
import { newPage } from "../../../support/browser.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { countEfforts } from "../../../support/efforts.ts";
import { expectSoundAtWidths } from "../../../support/expectSound.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = sampleSite();
const dashboard = dashboardForAll(site);
const { button, field, dialog } = dashboard;

beforeEach(async () => {
  for (const { id } of await site.asOwner("GET", "/api/packages"))
    await site.asOwner("DELETE", `/api/packages/${id}`);
  await site.asOwner("POST", "/api/package-settings", { place: "coaching" });
  await site.asOwner("POST", "/api/extras", { on: [] });
});

const add = async (item: object) => {
  await site.asOwner("POST", "/api/extras", { on: ["packages"] });
  return site.asOwner("POST", "/api/packages", { title: "Twelve weeks", ...item });
};

test("from the gallery to a public package on a phone in at most 8 taps and 3 fields", async () => {
  await dashboard.open("add", { width: 390 });
  const counted = await countEfforts(dashboard.page);
  await button("Add Packages").click();
  await dashboard.page.getByText("No packages yet").waitFor();
  await dashboard.page.getByText("Add what you offer, and what it costs.").waitFor();
  await button("Add Package").last().click();
  await eventually(() => field("Title").evaluate((each) => each === document.activeElement), true);
  await field("Title").fill("Twelve weeks");
  await field("Price").click();
  await field("Price").fill("£450");
  await field("What's in it").click();
  await field("What's in it").fill("Six sessions\nA plan");
  await button("Save").click();
  await dashboard.toast("Package created successfully");
  const { taps, fields } = await counted();
  console.log(`From the gallery to a public package: ${taps} taps, ${fields} fields.`);
  expect(taps).toBeLessThanOrEqual(8);
  expect(fields).toBeLessThanOrEqual(3);
  const page = await newPage({ width: 390 });
  await page.goto(`${site.url}/coaching`);
  await page.locator("#packages").getByRole("link", { name: "Book: Twelve weeks" }).waitFor();
});

test("rows say what it costs and where it leads, so that a link that was changed is seen", async () => {
  await add({ title: "First call", price: "Free", per: "20 minutes", buttonText: "" });
  await add({ price: "£450", buttonLink: "https://buy.stripe.com/x", featured: true, order: 1 });
  await add({ title: "An evening", isActive: false, order: 2 });
  await dashboard.open("packages");
  const rows = dashboard.page.locator("li.row");
  await eventually(
    () => rows.locator("span.quiet").allInnerTexts(),
    [
      "Free, 20 minutes · no button",
      "£450 · leads to buy.stripe.com",
      "leads to your enquiry form",
    ],
  );
  const badges = (words: string) =>
    rows.evaluateAll((all, said) => all.map((each) => each.textContent!.includes(said)), words);
  expect(await badges("Stands out")).toEqual([false, true, false]);
  expect(await badges("Hidden")).toEqual([false, false, true]);
});

test("more than twelve lines are refused under their field, and nothing typed is lost", async () => {
  await add({});
  await dashboard.open("packages");
  await button("Add Package").click();
  await field("Title").fill("Everything");
  const lines = Array.from({ length: 13 }, (_, at) => `One, two ${at}`).join("\n");
  await field("What's in it").fill(lines);
  await field("Title").focus();
  await dialog("Add Package").getByText("Use at most 12 lines, one for each.").waitFor();
  expect(await field("What's in it").inputValue()).toBe(lines);
});

test("the preview shows them, and Styles has them in its order while they stand on the home page", async () => {
  await add({ price: "£450" });
  await dashboard.open("packages", { sub: "preview" });
  const frame = dashboard.page.frameLocator("iframe[title='Desktop preview']");
  await frame.getByRole("heading", { name: "Twelve weeks" }).waitFor();
  const row = dashboard.page.locator(".section-row", { hasText: "Packages" });
  const highlights = dashboard.page.locator(".section-row", { hasText: "Highlights" });
  await dashboard.open("styles", { sub: "sections" });
  await highlights.waitFor();
  expect(await row.count()).toBe(0);
  await site.asOwner("POST", "/api/package-settings", { place: "both" });
  await dashboard.open("styles", { sub: "sections" });
  await row.getByText("1 package", { exact: true }).waitFor();
});

test("where they stand is chosen in Settings", async () => {
  await add({});
  await dashboard.open("packages", { sub: "settings" });
  await field("Where").selectOption("Both");
  await button("Save Settings").click();
  await eventually(
    async () => (await (await fetch(site.url)).text()).includes('id="packages"'),
    true,
  );
});

test("nothing in the tab is wrong at three widths, empty and full", async () => {
  await site.asOwner("POST", "/api/extras", { on: ["packages"] });
  await dashboard.open("packages");
  await dashboard.page.getByText("No packages yet").waitFor();
  await expectSoundAtWidths(dashboard.page);
  await add({ title: "A".repeat(80), price: "9".repeat(40), per: "x".repeat(40), featured: true });
  await dashboard.open("packages");
  await dashboard.page.locator("li.row").waitFor();
  await expectSoundAtWidths(dashboard.page);
  await button("Add Package").click();
  await field("Title").waitFor();
  await expectSoundAtWidths(dashboard.page);
});
