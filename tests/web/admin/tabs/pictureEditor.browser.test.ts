/** The picture editor: focus, crops, texts, replacing (specification, section 2.19). */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { getHeight, openPublicPage, type TestPage, WIDTHS } from "../../../support/browser.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { inspectAtWidths, expectAccessible } from "../../../support/expectAccessible.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { holdRequests } from "../../../support/network.ts";
import { isFocused } from "../../../support/pageState.ts";
import { createPicture } from "../../../support/pictures.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
let page: TestPage;
let photograph: Uint8Array<ArrayBuffer>;
let stored = { id: "", url: "" };
beforeAll(async () => {
  photograph = await createPicture("jpeg", 800, 450);
});
beforeEach(async () => {
  await site.asOwner("POST", "/api/hero", { backgroundImage: null });
  const all: { id: string }[] = await site.asOwner("GET", "/api/uploads");
  // Storing a photograph takes half a second, so an existing one is reset by a call.
  if (all.length === 1 && all[0]!.id === stored.id) {
    await site.asOwner("PUT", `/api/uploads/${stored.id}`, UNTOUCHED);
    return;
  }
  await replaceItems(site, "/api/uploads");
  stored = await uploadPicture(site, "night.jpg", photograph);
});

const UNTOUCHED = {
  originalName: "night.jpg",
  alt: "",
  decorative: false,
  kind: "photo",
  focus: null,
  cuts: null,
};

const editor = () => page.getByRole("dialog", { name: "Edit image" });
const button = (name: string | RegExp) => editor().getByRole("button", { name });
const readUpload = async () =>
  ((await site.asOwner("GET", "/api/uploads")) as any[]).find(({ id }) => id === stored.id);

async function openEditor(): Promise<void> {
  await dashboard.open("files");
  ({ page } = dashboard);
  await editPicture();
}

/** Opens the editor from the list of files, which is already shown. */
async function editPicture(): Promise<void> {
  await page.getByRole("button", { name: "Edit night.jpg" }).click();
  await editor().getByText("Tap the part that must stay visible.").waitFor();
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>(".crop-board > img");
    return image?.complete && image.naturalWidth > 0;
  });
}

async function save(): Promise<void> {
  await button("Save image").click();
  await dashboard.waitForToast("Image saved");
  // The next editor shows an earlier toast again, so the closed editor shows that this save has finished.
  await editor().waitFor({ state: "detached" });
}

/** The point in the window at these shares of an element's width and height. */
async function getPoint(element: Locator, x: number, y: number) {
  const box = (await element.boundingBox())!;
  return [box.x + box.width * x, box.y + box.height * y] as const;
}

test("a picture's focus point is set by a tap or arrow keys, and a crop by mouse or keyboard", async () => {
  await openEditor();
  // A change in another window stays, since that field isn't edited here.
  await site.asOwner("PUT", `/api/uploads/${stored.id}`, { alt: "The night" });
  await page.mouse.click(...(await getPoint(page.locator(".crop-board"), 0.8, 0.25)));
  const ring = editor().getByRole("button", { name: /^Focal point, 80% from the left, 25%/ });
  await ring.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  await editor()
    .getByRole("button", { name: /^Focal point, 81% from the left, 24%/ })
    .waitFor();
  await save();
  const { focus, alt } = await readUpload();
  expect(alt).toBe("The night");
  expect(focus.x).toBeCloseTo(81, 0);
  expect(focus.y).toBeCloseTo(24, 0);
  await site.asOwner("POST", "/api/hero", { backgroundImage: stored.url });
  const visitor = await openPublicPage(site, "/", { width: 390, javaScriptEnabled: false });
  const middle = await visitor.locator(".hero-picture").evaluate(measureVisiblePart);
  expect(middle.left).toBeLessThan(0.81);
  expect(middle.right).toBeGreaterThan(0.81);
  // The focus is in the middle of the frame, as far as the picture's edge allows.
  expect((middle.left + middle.right) / 2).toBeGreaterThan(0.7);
  await visitor.context().close();
  await editPicture();
  await button("About").click();
  await inspectAtWidths(page, WIDTHS, async (width) => {
    if (width === WIDTHS[0]) await expectAccessible(page);
    const box = (await button("Save image").boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(getHeight(width));
  });
  expect(page.problems()).toEqual([]);
  await waitUntilStable(page);
  const frame = page.locator(".crop-frame");
  const before = (await frame.boundingBox())!;
  await page.mouse.move(...(await getPoint(frame, 0.99, 0.99)));
  await page.mouse.down();
  await page.mouse.move(...(await getPoint(frame, 0.6, 0.5)), { steps: 5 });
  await page.mouse.up();
  await waitUntilStable(page);
  const after = (await frame.boundingBox())!;
  expect(after.width).toBeLessThan(before.width * 0.75);
  expect(after.width / after.height).toBeCloseTo(4 / 5, 1);
  expect([Math.round(after.x), Math.round(after.y)]).toEqual([
    Math.round(before.x),
    Math.round(before.y),
  ]);
  await save();
  const { cuts } = await readUpload();
  expect(Object.keys(cuts)).toEqual(["about"]);
  await site.asOwner("POST", "/api/about", { image: stored.url });
  const phone = await openPublicPage(site, "/", { width: 390 });
  const shown = await phone.locator(".about-portrait").evaluate(measureVisiblePart);
  expect(shown.left * 100).toBeCloseTo(cuts.about.x, 0);
  expect(shown.right * 100).toBeCloseTo(cuts.about.x + cuts.about.width, 0);
  await phone.context().close();
  await editPicture();
  await button("About").click();
  await button("Reset crop").click();
  await save();
  expect((await readUpload()).cuts).toBeNull();
  await editPicture();
  await button("Poster").press("Enter");
  const corner = button("bottom right corner of the Poster crop");
  await corner.focus();
  for (let times = 0; times < 10; times++) await page.keyboard.press("ArrowUp");
  await save();
  const { poster } = (await readUpload()).cuts;
  expect(poster.height).toBeCloseTo(90, 0);
  await editPicture();
  await button("Hero, portrait").click();
  const start = (await frame.boundingBox())!;
  await page.mouse.move(...(await getPoint(frame, 0.5, 0.5)));
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 - 90, start.y + start.height / 2, { steps: 4 });
  await page.mouse.up();
  await waitUntilStable(page);
  const end = (await frame.boundingBox())!;
  expect(start.x - end.x).toBeCloseTo(90, 0);
  // A tap inside the frame still sets the focus.
  await page.mouse.click(...(await getPoint(frame, 0.5, 0.5)));
  await button(/^Focal point, \d+% from the left/).waitFor();
  expect((await frame.boundingBox())!.x).toBeCloseTo(end.x, 0);
});

describe("an image's description", () => {
  test("is requested by a button if it is missing, and becomes the alternative text on the page", async () => {
    await site.asOwner("POST", "/api/hero", { backgroundImage: stored.url });
    await dashboard.open("files");
    ({ page } = dashboard);
    await page.getByRole("button", { name: "Add description for night.jpg" }).click();
    const field = editor().getByLabel("Image description");
    await waitForValue(() => isFocused(field), true);
    await field.fill("A full house, seen from the stage");
    await save();
    await waitForValue(() => page.getByText("Add description").count(), 0);
    const visitor = await openPublicPage(site, "/", { javaScriptEnabled: false });
    const alt = await visitor.locator(".hero-picture").getAttribute("alt");
    expect(alt).toBe("A full house, seen from the stage");
    await visitor.context().close();
  });

  test("can't be entered for a decorative image, and closing the editor with unsaved changes asks", async () => {
    await openEditor();
    await editor().getByLabel("Name", { exact: true }).fill(" ");
    await button("Save image").click();
    await editor().getByText("Enter a name.").waitFor();
    const question = dashboard.answerDialog(false);
    await page.keyboard.press("Escape");
    await waitForValue(() => question.text, "Discard your changes to this image?");
    expect(await editor().isVisible()).toBe(true);
    await editor().getByLabel("Name", { exact: true }).fill("Stage door.jpg");
    const second = dashboard.answerDialog(false);
    // A second Escape or Back in a row closes the dialog like this, which no page can prevent.
    await editor().evaluate((dialog) => (dialog as HTMLDialogElement).close());
    await waitForValue(() => second.text !== "", true);
    await editor().waitFor();
    expect(await editor().getByLabel("Name", { exact: true }).inputValue()).toBe("Stage door.jpg");
    dashboard.answerDialog(true);
    await button("Cancel").click();
    await editor().waitFor({ state: "detached" });
    await editPicture();
    await editor().getByRole("switch", { name: "Decorative (screen readers skip it)" }).check();
    expect(await editor().getByLabel("Image description").isDisabled()).toBe(true);
    await save();
    await waitForValue(() => page.getByText("Add description").count(), 0);
    // A logo is shown whole, and found by its filter and its name.
    await editPicture();
    await button("Logo").click();
    await editor().getByText("Logos are never cropped.").waitFor();
    await editor().getByLabel("Name", { exact: true }).fill("Stage door.jpg");
    await save();
    const tiles = page.locator(".file");
    await page.getByRole("button", { name: /^Photos/ }).click();
    await page.getByText("No files match this filter.").waitFor();
    await page.getByRole("button", { name: /^Logos/ }).click();
    await waitForValue(() => tiles.count(), 1);
    await page.getByRole("searchbox", { name: "Search names and descriptions" }).fill("DOOR");
    await waitForValue(() => tiles.count(), 1);
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("No files match your search.").waitFor();
  });
});

async function replacePicture(): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    button("Replace").click(),
  ]);
  const buffer = Buffer.from(await createPicture("png", 120, 70));
  const release = await holdRequests(page, "**/api/uploads/*/replace");
  await chooser.setFiles({ name: "other.png", mimeType: "image/png", buffer });
  const busy = editor().locator(".picture-actions [aria-busy=true]");
  await busy.waitFor();
  expect(await isFocused(busy)).toBe(true);
  release();
  await dashboard.waitForToast("Image replaced everywhere");
}

describe("replacing an image", () => {
  test("shows the new image everywhere, and keeps its description and unsaved changes", async () => {
    await site.asOwner("POST", "/api/hero", { backgroundImage: stored.url });
    await site.asOwner("PUT", `/api/uploads/${stored.id}`, { alt: "The night" });
    await openEditor();
    await editor().getByLabel("Decorative (screen readers skip it)").check();
    await replacePicture();
    await editor().getByText("120 × 70").waitFor();
    expect(await editor().getByLabel("Image description").inputValue()).toBe("The night");
    // Unsaved changes are kept too.
    expect(await editor().getByLabel("Decorative (screen readers skip it)").isChecked()).toBe(true);
    const { backgroundImage } = await site.asOwner("GET", "/api/hero");
    expect(backgroundImage).toEndWith(".png");
    expect(backgroundImage).not.toBe(stored.url);
  });
});

test("Crop image in a picker opens the picture editor, and the preview is updated after a save", async () => {
  await dashboard.open("hero");
  ({ page } = dashboard);
  await dashboard.field("Subtitle").fill("Not saved yet");
  await page.getByRole("radio", { name: "night.jpg" }).check();
  await page.getByRole("button", { name: "Crop image" }).click();
  await page.mouse.click(...(await getPoint(page.locator(".crop-board"), 0.1, 0.5)));
  await save();
  const placed = ".hero-picture[data-placed], [data-figure] .hero-picture";
  const preview = page.frameLocator('iframe[title="Mobile preview"]');
  await preview.locator(placed).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Crop image" }).click();
  await replacePicture();
  await button("Cancel").click();
  await page.keyboard.press("Control+s");
  await dashboard.waitForToast("Hero content updated successfully");
  const hero = await site.asOwner("GET", "/api/hero");
  expect([hero.subtitle, hero.backgroundImage.endsWith(".png")]).toEqual(["Not saved yet", true]);
});

/** Runs in the page: the visible part of the width of a picture that covers its frame, from 0 to 1. */
function measureVisiblePart(element: Element): { left: number; right: number } {
  const image = element as HTMLImageElement;
  const style = getComputedStyle(image);
  const zoom = Number(style.scale === "none" ? 1 : style.scale);
  const [width, height] = [image.clientWidth, image.clientHeight];
  const cover = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const drawn = image.naturalWidth * cover * zoom;
  const at = Number.parseFloat(style.objectPosition) / 100;
  // The formula of object-position with the drawn width.
  const left = (at * (drawn - width)) / drawn;
  return { left, right: left + width / drawn };
}
