/** The Press tab, as far as it is its own (specification, section 2.15): what lists do is in statistics.browser.test.ts. */
import { beforeEach, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { pictureAs } from "../../../support/pictures.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field, subtab } = dashboard;

/** Leaves exactly the features of these names. */
async function given(...names: string[]): Promise<void> {
  const items = names.map((name) => ({ name, subtitle: "Cover story" }));
  await onlyItems(site, "/api/press-features", items);
  await dashboard.open("press");
}
beforeEach(() => given("Ledger", "Footlight", "Harbour FM"));

test("Add Feature is an inline form; Save is disabled unless name and subtitle are present.", async () => {
  await button("Add Feature").click();
  expect(await dashboard.page.getByRole("dialog").count()).toBe(0);
  expect(await button("Save").isDisabled()).toBe(true);
  await field("Name").fill("Late Edition");
  expect(await button("Save").isDisabled()).toBe(true);
  await field("Subtitle").fill("Third place, first-rate");
  await field("Description (Optional)").fill("A whole page.");
  await button("Save").click();
  await dashboard.toast("Press feature created successfully");
  expect(dashboard.writes).toEqual([
    {
      call: "POST /api/press-features",
      body: {
        name: "Late Edition",
        subtitle: "Third place, first-rate",
        description: "A whole page.",
        logoUrl: null,
        order: 3,
      },
    },
  ]);
});

test("Logo Image is a path text plus a picker, whose empty text is No uploaded files available.", async () => {
  await button("Edit Ledger").click();
  await button("Choose Image").click();
  const overlay = dashboard.page.getByRole("dialog", { name: "Choose Logo Image" });
  await overlay.getByText("No uploaded files available").waitFor();
  await dashboard.page.keyboard.press("Escape");
  const { url } = await uploadPicture(site, "logo.png", await pictureAs("png", 200, 80));
  await dashboard.open("press");
  await button("Edit Ledger").click();
  await button("Choose Image").click();
  await overlay.getByRole("radio", { name: "logo.png" }).click();
  await overlay.getByRole("button", { name: "Done" }).click();
  expect(await field("Logo Image (Optional)").inputValue()).toBe(url);
  await button("Save").click();
  await dashboard.toast("Press feature updated successfully");
  expect(dashboard.writes.at(-1)!.call).toStartWith("PUT /api/press-features/");
  expect(dashboard.writes.at(-1)!.body.logoUrl).toBe(url);
});

test("Enter on a picture of the overlay ends the choice; the feature waits for Save.", async () => {
  await uploadPicture(site, "by-key.png", await pictureAs("png", 200, 80));
  await dashboard.open("press");
  await button("Edit Ledger").click();
  await button("Choose Image").click();
  const overlay = dashboard.page.getByRole("dialog", { name: "Choose Logo Image" });
  const { length } = dashboard.writes;
  await overlay.getByRole("radio", { name: "by-key.png" }).focus();
  await dashboard.page.keyboard.press("Space");
  await dashboard.page.keyboard.press("Enter");
  await overlay.waitFor({ state: "hidden" });
  expect(await field("Logo Image (Optional)").inputValue()).toContain("/uploads/");
  expect(dashboard.writes.length).toBe(length);
  await button("Cancel").click();
});

/** How many columns the cards stand in, in the preview of a device. */
async function columnsOn(device: string): Promise<number> {
  const lefts = await dashboard.page
    .frameLocator(`iframe[title="${device} preview"]`)
    .locator(".features > li")
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().left)));
  return new Set(lefts).size;
}

test("Settings has Section Heading, Section Description and three colors; Preview toggles Desktop or Mobile: 6 columns or 2.", async () => {
  await given("a", "b", "c", "d", "e", "f", "g");
  await subtab("Press", "Settings").click();
  for (const name of ["Section Heading", "Section Description", "Background Color", "Text Color"])
    await field(name).waitFor();
  await field("Accent Color").waitFor();
  await subtab("Press", "Preview").click();
  for (const [device, columns] of [
    ["Desktop", 6],
    ["Mobile", 2],
  ] as const) {
    await button(device).click();
    await eventually(() => columnsOn(device), columns);
  }
});
