/** What is special to the Highlights tab (specification, section 2.13); statistics.browser.test.ts covers lists. */
import { beforeAll, expect, test } from "bun:test";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { holdRequests } from "../../../support/network.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { isFocused } from "../../../support/pageState.ts";
import { createPicture } from "../../../support/pictures.ts";
import { createEmptyPng } from "../../../support/png.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, field, dialog, subtab } = dashboard;
let stage: string;

const readTitles = async () =>
  (await site.asOwner<any[]>("GET", "/api/highlights")).map(({ title }) => title);

beforeAll(async () => {
  stage = (await uploadPicture(site, "stage.jpg", await createPicture("jpeg", 320, 180))).url;
});

test("Create Highlight needs a title and an image, and Escape closes the dialog but keeps the input as Unsaved.", async () => {
  await dashboard.open("highlights");
  await button("Add Highlight").click();
  await dialog("Add New Highlight").waitFor();
  expect(await button("Create Highlight").isDisabled()).toBe(true);
  await field("Title").fill("Opening night");
  expect(await button("Create Highlight").isDisabled()).toBe(true);
  await dashboard.page.getByRole("radio", { name: "stage.jpg" }).click();
  await dashboard.page.getByAltText("Preview of the selected image").waitFor();
  await field("Subtitle (Optional)").fill("Palace Theatre");
  const release = await holdRequests(dashboard.page, "**/api/highlights");
  await button("Create Highlight").click();
  expect(await button("Creating...").isDisabled()).toBe(true);
  release();
  await dashboard.waitForToast("Highlight created successfully");
  expect(dashboard.writes).toEqual([
    {
      call: "POST /api/highlights",
      body: { title: "Opening night", subtitle: "Palace Theatre", imageUrl: stage, order: 0 },
    },
  ]);
  await dialog("Add New Highlight").waitFor({ state: "hidden" });
  await button("Edit Opening night").click();
  await field("Title").fill("uno");
  await dashboard.page.keyboard.press("Escape");
  await dialog("Edit Highlight").waitFor({ state: "hidden" });
  await dashboard.page.getByText("Unsaved", { exact: true }).waitFor();
  await waitForValue(() => isFocused(button("Edit Opening night")), true);
  await button("Edit Opening night").click();
  expect(await field("Title").inputValue()).toBe("uno");
  // An upload that ends after Cancel doesn't restore the discarded input.
  const uploading = dashboard.page.waitForRequest("**/api/upload");
  const finishUpload = await holdRequests(dashboard.page, "**/api/upload");
  const file = {
    name: "late.png",
    mimeType: "image/png",
    buffer: Buffer.from(createEmptyPng(40, 40)),
  };
  const chooser = dashboard.page.locator(".tile-upload input");
  await chooser.focus();
  await chooser.setInputFiles(file);
  await uploading;
  await chooser.and(dashboard.page.locator("[aria-disabled=true]")).waitFor();
  expect(await isFocused(chooser)).toBe(true);
  await button("Cancel").click();
  await dialog("Edit Highlight").waitFor({ state: "hidden" });
  finishUpload();
  await button("Edit Opening night").click();
  await dashboard.page.getByRole("radio", { name: "late.png" }).waitFor();
  expect(await field("Title").inputValue()).toBe("Opening night");
  expect(await dashboard.page.getByRole("radio", { name: "stage.jpg" }).isChecked()).toBe(true);
  await dashboard.page.keyboard.press("Escape");
  await dialog("Edit Highlight").waitFor({ state: "hidden" });
  expect(await dashboard.page.getByText("Unsaved", { exact: true }).count()).toBe(0);
  await button("Edit Opening night").click();
  await expectAccessible(dashboard.page);
  await field("Title").fill("uno");
  const answer = await holdRequests(dashboard.page, "**/api/highlights/*");
  await button("Update Highlight").click();
  expect(await button("Updating...").isDisabled()).toBe(true);
  answer();
  await dashboard.waitForToast("Highlight updated successfully");
  expect(dashboard.page.problems()).toEqual([]);
});

/** Leaves exactly the highlights with these titles. */
async function setHighlights(...names: string[]): Promise<void> {
  const items = names.map((title) => ({ title, subtitle: null, imageUrl: stage }));
  await replaceItems(site, "/api/highlights", items);
  await dashboard.open("highlights");
}

test("A highlight is deleted without a confirmation, and History shows and restores the earlier list.", async () => {
  await setHighlights("one", "two", "three", "four");
  await button("Delete one").click();
  await dashboard.waitForToast("Highlight deleted successfully");
  expect(await readTitles()).toEqual(["two", "three", "four"]);
  await button("History").click();
  const earlier = dialog("Version history of Highlights");
  await earlier.frameLocator("iframe").getByText("one").first().waitFor();
  await earlier.getByRole("button", { name: "Restore this version" }).click();
  await dashboard.waitForToast("Earlier version restored");
  expect(await readTitles()).toEqual(["one", "two", "three", "four"]);
  await subtab("Highlights", "Settings").click();
  for (const name of ["Section Heading", "Background Color", "Text Color", "Accent Color"])
    await field(name).waitFor();
  await button("Save Settings").waitFor();
  await subtab("Highlights", "Preview").click();
  await waitForValue(() => countPosters("Desktop preview"), { posters: 3, rows: 1 });
  await waitForValue(() => countPosters("Mobile preview"), { posters: 3, rows: 3 });
});

/** The number of posters in a preview, and of their rows. */
async function countPosters(title: string): Promise<{ posters: number; rows: number }> {
  const tops = await dashboard.page
    .frameLocator(`iframe[title="${title}"]`)
    .locator(".posters > li")
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  return { posters: tops.length, rows: new Set(tops).size };
}
