/** The Highlights tab, sentence by sentence (specification, section 2.13). */
import { expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { expectSoundAtWidths } from "../../../support/expectSound.ts";
import { drop, hold } from "../../../support/line.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { isFocused } from "../../../support/pageState.ts";
import { FULL_HOUSE, picture } from "../../../support/pictures.ts";
import { emptyPng } from "../../../support/png.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field, dialog, subtab } = dashboard;
let stage: string;

const titles = async () =>
  (await site.asOwner<any[]>("GET", "/api/highlights")).map(({ title }) => title);

test("Without uploads the picker says No images available.", async () => {
  await dashboard.open("highlights");
  await button("Add Highlight").click();
  await dialog("Add New Highlight").getByText("No images available").waitFor();
  await button("Cancel").click();
  stage = (await uploadPicture(site, "stage.jpg", await picture(FULL_HOUSE))).url;
});

test("Create Highlight is disabled unless title and image are there, then sends the four fields.", async () => {
  await dashboard.open("highlights");
  await button("Add Highlight").click();
  await dialog("Add New Highlight").waitFor();
  expect(await button("Create Highlight").isDisabled()).toBe(true);
  await field("Title").fill("Opening night");
  expect(await button("Create Highlight").isDisabled()).toBe(true);
  await dashboard.page.getByRole("radio", { name: "stage.jpg" }).click();
  await dashboard.page.getByAltText("Preview of the selected image").waitFor();
  await field("Subtitle (Optional)").fill("Palace Theatre");
  const release = await hold(dashboard.page, "**/api/highlights");
  await button("Create Highlight").click();
  expect(await button("Creating...").isDisabled()).toBe(true);
  release();
  await dashboard.toast("Highlight created successfully");
  expect(dashboard.writes).toEqual([
    {
      call: "POST /api/highlights",
      body: { title: "Opening night", subtitle: "Palace Theatre", imageUrl: stage, order: 0 },
    },
  ]);
  await dialog("Add New Highlight").waitFor({ state: "hidden" });
});

/** Leaves exactly the highlights of these titles. */
async function given(...names: string[]): Promise<void> {
  const items = names.map((title) => ({ title, subtitle: null, imageUrl: stage }));
  await onlyItems(site, "/api/highlights", items);
  await dashboard.open("highlights");
}

test("The edit dialog is Edit Highlight with Update Highlight, which reads Updating... while pending.", async () => {
  await given("one", "two");
  await button("Edit two").click();
  await dialog("Edit Highlight").waitFor();
  await field("Title").fill("deux");
  const release = await hold(dashboard.page, "**/api/highlights/*");
  await button("Update Highlight").click();
  expect(await button("Updating...").isDisabled()).toBe(true);
  release();
  await dashboard.toast("Highlight updated successfully");
  expect(dashboard.writes[0]!.call).toStartWith("PUT /api/highlights/");
  expect(dashboard.writes[0]!.body).toEqual({
    title: "deux",
    subtitle: null,
    imageUrl: stage,
    order: 1,
  });
});

test("Escape closes the dialog and keeps what was typed, marked Unsaved; Cancel forgets it.", async () => {
  await given("one");
  await button("Edit one").click();
  await field("Title").fill("uno");
  await dashboard.page.keyboard.press("Escape");
  await dialog("Edit Highlight").waitFor({ state: "hidden" });
  await dashboard.page.getByText("Unsaved", { exact: true }).waitFor();
  await eventually(() => isFocused(button("Edit one")), true);
  await button("Edit one").click();
  expect(await field("Title").inputValue()).toBe("uno");
  // An upload that ends after that brings nothing back.
  const uploading = dashboard.page.waitForRequest("**/api/upload");
  const release = await hold(dashboard.page, "**/api/upload");
  const file = { name: "late.png", mimeType: "image/png", buffer: Buffer.from(emptyPng(40, 40)) };
  await dashboard.page.locator(".tile-upload input").setInputFiles(file);
  await uploading;
  await button("Cancel").click();
  await dialog("Edit Highlight").waitFor({ state: "hidden" });
  release();
  await button("Edit one").click();
  await dashboard.page.getByRole("radio", { name: "late.png" }).waitFor();
  expect(await field("Title").inputValue()).toBe("one");
  expect(await dashboard.page.getByRole("radio", { name: "stage.jpg" }).isChecked()).toBe(true);
  await dashboard.page.keyboard.press("Escape");
  await dialog("Edit Highlight").waitFor({ state: "hidden" });
  expect(await dashboard.page.getByText("Unsaved", { exact: true }).count()).toBe(0);
});

test("Deleting a highlight has no confirmation; Undo brings it back.", async () => {
  await given("one", "two");
  await button("Delete one").click();
  await dashboard.toast("Highlight deleted successfully");
  expect(await titles()).toEqual(["two"]);
  await button("Undo").click();
  await dashboard.toast("Highlight restored");
  expect(await titles()).toEqual(["one", "two"]);
});

test("Moving sends every item with its new zero-based index.", async () => {
  await given("one", "two", "three");
  await button("Move one down").click();
  await dashboard.toast("Highlights reordered successfully");
  expect(dashboard.writes[0]!.call).toBe("POST /api/highlights/reorder");
  expect(dashboard.writes[0]!.body.updates.map(({ order }: any) => order)).toEqual([0, 1, 2]);
  expect(await titles()).toEqual(["two", "one", "three"]);
});

test("History shows the list as it was and brings it back.", async () => {
  await given("one", "two");
  await button("Delete one").click();
  await dashboard.toast("Highlight deleted successfully");
  await button("History").click();
  const earlier = dialog("Earlier versions");
  await earlier.frameLocator("iframe").getByText("one").first().waitFor();
  await earlier.getByRole("button", { name: "Restore this version" }).click();
  await dashboard.toast("Earlier version restored");
  expect(await titles()).toEqual(["one", "two"]);
});

test("Settings has Section Heading, three colors and Save Settings, Saving... while pending.", async () => {
  await given("one");
  await subtab("Highlights", "Settings").click();
  await field("Section Heading").fill("MOMENTS");
  await field("Background Color").fill("#000000");
  await field("Text Color").fill("#FFFFFF");
  await field("Accent Color").fill("#00BFFF");
  const release = await hold(dashboard.page, "**/api/highlight-settings");
  await button("Save Settings").click();
  await dashboard.page.getByRole("main").getByRole("button", { name: "Saving..." }).waitFor();
  release();
  await dashboard.toast("saved successfully");
  expect(dashboard.writes.at(-1)).toEqual({
    call: "POST /api/highlight-settings",
    body: {
      heading: "MOMENTS",
      backgroundColor: "#000000",
      textColor: "#FFFFFF",
      accentColor: "#00BFFF",
    },
  });
});

test("A settings failure without the server's words says Failed to save settings.", async () => {
  await dashboard.open("highlights", { sub: "settings" });
  const restore = await drop(dashboard.page, "**/api/highlight-settings");
  await field("Section Heading").fill("LOST");
  await button("Save Settings").click();
  await dashboard.toast("Failed to save settings");
  await restore();
  await button("Discard").click();
});

/** How many posters a preview has, and in how many rows they stand. */
async function postersIn(title: string): Promise<{ posters: number; rows: number }> {
  const tops = await dashboard.page
    .frameLocator(`iframe[title="${title}"]`)
    .locator(".posters > li")
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  return { posters: tops.length, rows: new Set(tops).size };
}

test("Preview shows desktop in 3 columns and mobile stacked, with the first 3 highlights.", async () => {
  await given("one", "two", "three", "four");
  await subtab("Highlights", "Preview").click();
  await eventually(() => postersIn("Desktop preview"), { posters: 3, rows: 1 });
  await eventually(() => postersIn("Mobile preview"), { posters: 3, rows: 3 });
});

test("Every subtab and the dialog are sound at every width.", async () => {
  await given("one", "two");
  for (const sub of ["list", "settings", "preview"]) {
    await dashboard.open("highlights", { sub });
    await expectSoundAtWidths(dashboard.page);
  }
  await dashboard.open("highlights");
  await button("Add Highlight").click();
  await dashboard.page.getByRole("radiogroup").waitFor();
  await expectSoundAtWidths(dashboard.page);
  expect(dashboard.page.problems()).toEqual([]);
});
