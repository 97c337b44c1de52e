/** The Connect tab, as far as it is its own (specification, section 2.14): what lists do is in statistics.browser.test.ts. */
import { beforeEach, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { PLATFORMS } from "../../../../src/schema/platforms.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { onlyItems } from "../../../support/onlyItems.ts";
import { toastOf } from "../../../support/pageState.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field, dialog, subtab } = dashboard;

/** Leaves exactly these links, as [platform, display text]. */
async function given(...links: [string, string][]): Promise<void> {
  const items = links.map(([platform, displayText]) => {
    return { platform, displayText, url: "https://example.com/nora", isActive: true };
  });
  await onlyItems(site, "/api/connect-links", items);
  await dashboard.open("connect");
}
beforeEach(() => given(["instagram", "On stage"], ["youtube", "Off stage"]));

test("Add Link opens Add Connect Link; choosing a platform autofills display text and URL.", async () => {
  await button("Add Link").click();
  await dialog("Add Connect Link").waitFor();
  expect(await field("Platform").locator("option").allInnerTexts()).toEqual(
    PLATFORMS.map(({ label }) => label),
  );
  for (const { value, label, example } of PLATFORMS) {
    await field("Platform").selectOption(value);
    expect(await field("Display Text").inputValue()).toBe(label);
    expect(await field("URL").inputValue()).toBe(example);
  }
});

test("The example address is never saved, and the words about it go once it is changed.", async () => {
  await button("Add Link").click();
  await field("Platform").selectOption("tiktok");
  await button("Save").click();
  await dashboard.refusal("This is the example. Put your own address in its place.");
  expect(dashboard.writes).toEqual([]);
  await field("URL").fill("https://tiktok.com/@nora");
  await toastOf(dashboard.page).waitFor({ state: "detached" });
  await button("Save").click();
  await dashboard.toast("Connect link saved successfully");
  // In its row the address is as short as people write it.
  await dashboard.page.getByText("TikTok · tiktok.com/@nora", { exact: true }).waitFor();
  await button("Edit TikTok").click();
  await dialog("Edit Connect Link").waitFor();
  const body = { platform: "youtube", url: "https://YouTube.com/@username/", displayText: "Me" };
  const { status } = await (await site.owner()).post("/api/connect-links", body);
  expect(status).toBe(422);
});

test("Each link shows the icon of its platform.", async () => {
  const signs = dashboard.page.locator(".rows .platform-sign");
  await signs.nth(1).waitFor();
  await dashboard.page.settled();
  const shapes = [await shapeOf(signs.nth(0)), await shapeOf(signs.nth(1))];
  // Neither an empty square nor a full one, and not the same for both.
  for (const shape of shapes) {
    const inked = shape.filter(Boolean).length / shape.length;
    expect(inked).toBeGreaterThan(0.1);
    expect(inked).toBeLessThan(0.9);
  }
  expect(shapes[0]).not.toEqual(shapes[1]);
});

/** Which pixels of an element, as it is on the screen, are not as its first one, a corner of the row. */
async function shapeOf(element: Locator): Promise<boolean[]> {
  const png = (await element.screenshot()).toString("base64");
  return dashboard.page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d")!;
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    const pixels = new Uint32Array(data.buffer);
    return Array.from(pixels, (pixel) => pixel !== pixels[0]);
  }, png);
}

test("URL and Display Text are required; an address that is none is refused beside its field and stays typed.", async () => {
  await button("Add Link").click();
  await button("Save").click();
  await dashboard.refusal("URL and Display Text are required");
  await field("Platform").selectOption("website");
  await field("URL").fill("javascript:alert(1)");
  await button("Save").click();
  await dialog("Add Connect Link")
    .locator(".field-error", { hasText: "Enter a full address" })
    .waitFor();
  expect(await field("URL").inputValue()).toBe("javascript:alert(1)");
  expect(dashboard.writes).toEqual([]);
});

test("Links of the same words are told apart by their platform.", async () => {
  await given(["instagram", "@nora"], ["tiktok", "@nora"]);
  await button("Edit @nora (TikTok)").waitFor();
  await button("Edit @nora (Instagram)").waitFor();
});

test("Section Settings has Section Heading (placeholder CONNECT), Description Text and three colors; one that is hard to read is put right by one press.", async () => {
  await subtab("Connect", "Section Settings").click();
  expect(await field("Section Heading").getAttribute("placeholder")).toBe("CONNECT");
  const description = dashboard.page.getByRole("textbox", { name: "Description Text" });
  await description.click();
  await description.fill("Say hello");
  await field("Section Heading").fill("FIND ME");
  await field("Text Color").fill("#EEEEEE");
  await button("Save Settings").click();
  await dashboard.toast("Connect settings saved successfully");
  const { call, body } = dashboard.writes.at(-1)!;
  expect(call).toBe("POST /api/connect-settings");
  expect(Object.keys(body)).toEqual([
    "heading",
    "description",
    "backgroundColor",
    "textColor",
    "accentColor",
  ]);
  expect(body.heading).toBe("FIND ME");
  expect(body.description).toContain("Say hello");
  await field("Text Color").fill("#222222");
  await dashboard.page.getByText("Hard to read on the background").waitFor();
  await dashboard.page.getByRole("button", { name: /^Use #/ }).click();
  await dashboard.page.getByText("Hard to read on the background").waitFor({ state: "detached" });
});
