/** The Hero tab, and what is special to the About tab (specification, sections 2.10 and 2.11). */
import { beforeEach, expect, test } from "bun:test";
import { type TestPage } from "../../../support/browser.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { dropRequests, holdRequests } from "../../../support/network.ts";
import { isFocused, toastOf } from "../../../support/pageState.ts";
import { FULL_HOUSE, readPicture, createPicture } from "../../../support/pictures.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { field } = dashboard;
let page: TestPage;
beforeEach(async () => {
  const words = { mainTitle: "Ann Stage", subtitle: "On tour", tagline: "One • Two • Three" };
  await site.asOwner("POST", "/api/hero", { ...words, backgroundImage: null });
  await site.asOwner("POST", "/api/styles", { heroBackgroundColor: "#0A0A0A" });
});

const save = (at: 0 | 1 = 0) => page.getByRole("button", { name: "Save Hero Content" }).nth(at);

async function open(tab: string, width = 1366): Promise<void> {
  await dashboard.open(tab, { width });
  ({ page } = dashboard);
}

async function openHero(width?: number): Promise<void> {
  await open("hero", width);
  await field("Main Title").waitFor();
}

async function captureBody(
  path: string,
  act: () => Promise<void>,
): Promise<Record<string, unknown>> {
  const request = page.waitForRequest(
    (each) => each.method() === "POST" && each.url().endsWith(path),
  );
  await act();
  return (await request).postDataJSON();
}

test("the tab shows a desktop and a mobile preview, and its version history restores an earlier version", async () => {
  await site.asOwner("POST", "/api/hero", { mainTitle: "First" });
  await site.asOwner("POST", "/api/hero", { mainTitle: "Second" });
  await openHero();
  for (const name of ["Desktop preview", "Mobile preview"]) {
    const frame = page.frameLocator(`iframe[title="${name}"]`);
    await frame.getByRole("heading", { name: "Second", includeHidden: true }).waitFor();
  }
  await field("Main Title").fill("Ann Anew");
  const frame = page.frameLocator('iframe[title="Mobile preview"]');
  await frame.getByRole("heading", { name: "Ann Anew", includeHidden: true }).waitFor();
  const widths = () =>
    page
      .locator(".device iframe")
      .evaluateAll((frames) =>
        frames.map((frame) => (frame as HTMLIFrameElement).contentWindow!.innerWidth),
      );
  await waitForValue(widths, [1366, 390]);
  await field("Main Title").fill("Second");
  await page.getByRole("button", { name: "History" }).click();
  const dialog = page.getByRole("dialog", { name: "Version history of Hero" });
  await dialog.getByText(/^Current version, saved today, \d\d:\d\d$/).waitFor();
  const earlier = dialog.frameLocator("iframe");
  await earlier.getByRole("heading", { name: "First", includeHidden: true }).waitFor();
  await dialog.getByRole("button", { name: "Restore this version" }).click();
  await dashboard.waitForToast("Earlier version restored");
  await waitForValue(() => field("Main Title").inputValue(), "First");
  await toastOf(page).getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll("input")].some((input) => input.value === "Second"),
  );
  expect((await site.asOwner("GET", "/api/hero")).mainTitle).toBe("Second");
});

test("one click on Save saves the hero's text and, with /api/styles, its background color", async () => {
  await openHero(390);
  const styles = await site.asOwner("GET", "/api/styles");
  const picker = page.locator('input[type="color"]');
  await field("Background Color").fill("#123456");
  expect(await picker.inputValue()).toBe("#123456");
  await picker.fill("#203040");
  expect(await field("Background Color").inputValue()).toBe("#203040");
  const restore = await dropRequests(page, "**/api/styles");
  await save().click();
  await dashboard.waitForRefusal(
    "Failed to update hero background color. Couldn't reach the site.",
  );
  await restore();
  await field("Main Title").fill("Both");
  const sent = await captureBody("/api/styles", () => save().click());
  expect(sent).toEqual({ ...styles, heroBackgroundColor: "#203040" });
  await dashboard.waitForToast("Hero background color updated successfully");
  await dashboard.waitForToast("Hero content updated successfully");
  expect(await site.asOwner("GET", "/api/styles")).toEqual(sent);
  expect((await site.asOwner("GET", "/api/hero")).mainTitle).toBe("Both");

  expect(await page.getByRole("button", { name: "Save Hero Content" }).count()).toBe(2);
  const before = await site.asOwner("GET", "/api/hero");
  const body = await captureBody("/api/hero", () => save(1).click());
  expect(body).toMatchObject({ mainTitle: before.mainTitle, tagline: before.tagline });
  await dashboard.waitForToast("Hero content updated successfully");
  await page.locator(".save-bar").waitFor({ state: "hidden" });
  expect(await site.asOwner("GET", "/api/hero")).toEqual(before);
});

test("a background color chosen before the styles have loaded is kept, even if it is the default", async () => {
  await site.asOwner("POST", "/api/styles", { heroBackgroundColor: "#203040" });
  await openHero(390);
  const release = await holdRequests(page, "**/api/styles", "GET");
  await page.reload();
  await field("Background Color").fill("#0A0A0B");
  await field("Background Color").fill("#0A0A0A");
  const read = page.waitForResponse("**/api/styles");
  release();
  await read;
  await save().click();
  await dashboard.waitForToast("Hero background color updated successfully");
  expect((await site.asOwner("GET", "/api/styles")).heroBackgroundColor).toBe("#0A0A0A");
});

test("the hero's image is chosen from the uploaded images, and the text's contrast is measured on it", async () => {
  await openHero();
  await page.getByText("No images available").waitFor();
  await page.getByText("Upload images in the File Management tab first").waitFor();
  await page.getByText("on the background color").waitFor();
  const stored = await uploadPicture(site, "stage-left.jpg", await readPicture(FULL_HOUSE));
  await page.reload();
  const tiles = page.getByRole("radiogroup", { name: "Background Image" });
  await tiles.getByRole("radio", { name: "stage-left.jpg" }).check();
  await save().click();
  await dashboard.waitForToast("Hero content updated successfully");
  expect((await site.asOwner("GET", "/api/hero")).backgroundImage).toBe(stored.url);
  await page.getByText("Image is sharp enough").waitFor();
  await page.getByText("on the photo").waitFor();
  const buffer = Buffer.from(await createPicture("png", 64, 40));
  const file = { name: "new.png", mimeType: "image/png", buffer };
  await page.locator(".tile-upload input").setInputFiles(file);
  const tile = page.getByRole("radio", { name: "new.png" });
  await waitForValue(() => tile.isChecked(), true);
  await waitForValue(() => page.locator(".upload-row").count(), 0);
  await page.getByText("Image is small").waitFor();
});

test("the background color falls back to #1a1a1a, and the picker lists only files whose mimetype starts with image/", async () => {
  await open("email", 390);
  const styles = await site.asOwner("GET", "/api/styles");
  await page.route("**/api/styles", (route) =>
    route.fulfill({ json: { ...styles, heroBackgroundColor: "" } }),
  );
  const files = await site.asOwner("GET", "/api/uploads");
  const other = {
    ...files[0],
    id: "other",
    originalName: "words.pdf",
    mimetype: "application/pdf",
  };
  await page.route("**/api/uploads", (route) => route.fulfill({ json: [...files, other] }));
  await page.getByRole("tab", { name: "Hero" }).click();
  await page.getByRole("radio", { name: "stage-left.jpg" }).waitFor();
  expect(await page.getByRole("radio", { name: "words.pdf" }).count()).toBe(0);
  await waitForValue(() => page.locator('input[type="color"]').inputValue(), "#1a1a1a");
});

test("About's image picker closes by its button or on a choice, by keyboard too, and the image can be removed.", async () => {
  const stage = await uploadPicture(site, "stage.jpg", await createPicture("jpeg", 320, 180));
  await uploadPicture(site, "curtain.png", await createPicture("png", 320, 200));
  await site.asOwner("POST", "/api/about", { content: "<p>First words.</p>", image: null });
  await open("about");
  await page.getByRole("textbox", { name: "Content", exact: true }).waitFor();
  const { button } = dashboard;
  const save = () => button("Save About Content").click();
  expect(await field("Background Color").getAttribute("placeholder")).toBe("#0a0a0a");
  await button("Choose Image").click();
  const group = page.getByRole("radiogroup", { name: "Image" });
  await group.getByRole("radio", { name: "curtain.png" }).waitFor();
  await button("Choose Image").click();
  expect(await group.count()).toBe(0);
  await button("Choose Image").click();
  await group.getByRole("radio", { name: "stage.jpg" }).click();
  await group.waitFor({ state: "detached" });
  await save();
  await dashboard.waitForToast("About content updated successfully");
  await dashboard.waitForText(/Last updated today, \d\d:\d\d/);
  await page.frameLocator("iframe").first().locator("img").waitFor();
  expect(dashboard.writes[0]!.body.image).toBe(stage.url);
  await button("Remove Image").click();
  await save();
  await page.waitForFunction(() => document.querySelector(".folded-picture") === null);
  await dashboard.waitForToast("About content updated successfully");
  expect(dashboard.writes.map(({ body }) => body.image)).toEqual([stage.url, null]);
  await button("Choose Image").focus();
  await page.keyboard.press("Enter");
  await group.getByRole("radio").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await group.count()).toBe(1);
  await page.keyboard.press("Enter");
  await group.waitFor({ state: "detached" });
  await waitForValue(() => isFocused(button("Choose Image")), true);
});
