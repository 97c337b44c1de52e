/**
 * What is special to the Connect and Press tabs (specification, sections 2.14 and 2.15); statistics.browser.test.ts
 * covers lists.
 */
import { describe, expect, test } from "bun:test";
import { OFFERED_PLATFORMS } from "../../../../src/schema/sections/platforms.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { createPicture } from "../../../support/pictures.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";

const site = setUpEmptySite();
// A phone has no preview beside the form.
const dashboard = setUpDashboard(site, { width: 390 });
const { button, field, dialog, subtab } = dashboard;

/** Leaves exactly these links, as [platform, display text]. */
async function setLinks(...links: [string, string][]): Promise<void> {
  const items = links.map(([platform, displayText]) => {
    return { platform, displayText, url: "https://example.com/nora", isActive: true };
  });
  await replaceItems(site, "/api/connect-links", items);
  await dashboard.open("connect");
}
describe("the Connect tab", () => {
  test("Add Link needs a URL and a Display Text, and an invalid URL is refused and kept.", async () => {
    await setLinks(["instagram", "On stage"]);
    await button("Add Link").click();
    await dialog("Add Connect Link").waitFor();
    await button("Save").click();
    await dashboard.waitForRefusal("URL and Display Text are required");
    expect(await field("Platform").locator("option").allInnerTexts()).toEqual(
      OFFERED_PLATFORMS.map(({ label }) => label),
    );
    for (const { value, label, example } of OFFERED_PLATFORMS) {
      await field("Platform").selectOption(value);
      expect(await field("Display Text").inputValue()).toBe(label);
      expect(await field("URL").inputValue()).toBe(example);
    }
    await field("Platform").selectOption("website");
    await field("URL").fill("javascript:alert(1)");
    await button("Save").click();
    await dialog("Add Connect Link")
      .locator(".field-error", { hasText: "Enter a full URL" })
      .waitFor();
    expect(await field("URL").inputValue()).toBe("javascript:alert(1)");
    expect(dashboard.writes).toEqual([]);
    await field("Platform").selectOption("youtube");
    await button("Save").click();
    const question = dashboard.page.getByText("This is still the example link. Save it anyway?");
    await question.waitFor();
    expect(dashboard.writes).toEqual([]);
    await button("Save").click();
    await dashboard.waitForToast("Connect link saved successfully");
    await dashboard.page.getByText("YouTube · youtube.com/@username", { exact: true }).waitFor();
    await button("Add Link").click();
    await field("Platform").selectOption("tiktok");
    await button("Save").click();
    await question.waitFor();
    await field("URL").fill("https://tiktok.com/@nora");
    await question.waitFor({ state: "detached" });
    await button("Save").click();
    await dashboard.waitForToast("Connect link saved successfully");
    // The row shows a shortened URL.
    await dashboard.page.getByText("TikTok · tiktok.com/@nora", { exact: true }).waitFor();
    await button("Edit TikTok").click();
    await dialog("Edit Connect Link").waitFor();
    const body = { platform: "youtube", url: "https://YouTube.com/@username/", displayText: "Me" };
    const { status } = await (await site.owner()).post("/api/connect-links", body);
    expect(status).toBe(201);
  });

  test("Each link shows the icon of its platform, and links with the same text are distinguished by their platform.", async () => {
    await setLinks(["instagram", "@nora"], ["tiktok", "@nora"]);
    await button("Edit @nora (TikTok)").waitFor();
    await button("Edit @nora (Instagram)").waitFor();
    // home.browser.test.ts checks the icons in that picture.
    const masks = await dashboard.page.locator(".rows .platform-sign").evaluateAll((signs) =>
      signs.map((each) => {
        const { maskImage, maskPosition } = getComputedStyle(each);
        return [maskImage, maskPosition];
      }),
    );
    const icons = expect.stringMatching(/\/assets\/platforms-/);
    expect(masks.map(([image]) => image)).toEqual([icons, icons]);
    expect(masks[0]![1]).not.toBe(masks[1]![1]!);
  });

  test("Section Settings has a heading, a description and three colors, and an unreadable color is corrected with one click.", async () => {
    await dashboard.open("connect");
    await subtab("Connect", "Section Settings").click();
    expect(await field("Section Heading").getAttribute("placeholder")).toBe("CONNECT");
    const description = dashboard.page.getByRole("textbox", { name: "Description Text" });
    await description.click();
    await description.fill("Say hello");
    await field("Section Heading").fill("FIND ME");
    await field("Text Color").fill("#EEEEEE");
    await button("Save Settings").click();
    await dashboard.waitForToast("Connect settings saved successfully");
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
    await dashboard.waitForText("Hard to read on the background");
    await dashboard.page.getByRole("button", { name: /^Use #/ }).click();
    await dashboard.page.getByText("Hard to read on the background").waitFor({ state: "detached" });
  });
});

describe("the Press tab", () => {
  const { button, field } = dashboard;

  /** Leaves exactly the features with these names. */
  async function setFeatures(...names: string[]): Promise<void> {
    const items = names.map((name) => ({ name, subtitle: "Cover story" }));
    await replaceItems(site, "/api/press-features", items);
    await dashboard.open("press");
  }

  test("Add Feature opens an inline form, whose Save is disabled unless name and subtitle are present.", async () => {
    await setFeatures("Ledger", "Footlight", "Harbour FM");
    await button("Add Feature").click();
    expect(await dashboard.page.getByRole("dialog").count()).toBe(0);
    expect(await button("Save").isDisabled()).toBe(true);
    await button("Choose Image").click();
    const overlay = dashboard.page.getByRole("dialog", { name: "Choose Logo Image" });
    await overlay.getByText("No uploaded files available").waitFor();
    await dashboard.page.keyboard.press("Escape");
    await field("Name").fill("Late Edition");
    expect(await button("Save").isDisabled()).toBe(true);
    await field("Subtitle").fill("Third place, first-rate");
    await field("Description (Optional)").fill("A whole page.");
    await button("Save").click();
    await dashboard.waitForToast("Press feature created successfully");
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

  test("Logo Image is a text field with a picker, in which Enter accepts the path without saving the feature.", async () => {
    const { url } = await uploadPicture(site, "logo.png", await createPicture("png", 200, 80));
    await setFeatures("Ledger");
    await button("Edit Ledger").click();
    await button("Choose Image").click();
    const overlay = dashboard.page.getByRole("dialog", { name: "Choose Logo Image" });
    await overlay.getByRole("radio", { name: "logo.png" }).focus();
    await dashboard.page.keyboard.press("Space");
    await dashboard.page.keyboard.press("Enter");
    await overlay.waitFor({ state: "hidden" });
    expect(await field("Logo Image (Optional)").inputValue()).toBe(url);
    expect(dashboard.writes).toEqual([]);
    await button("Choose Image").click();
    await overlay.getByRole("radio", { name: "logo.png" }).click();
    await overlay.getByRole("button", { name: "Done" }).click();
    expect(await field("Logo Image (Optional)").inputValue()).toBe(url);
    await button("Save").click();
    await dashboard.waitForToast("Press feature updated successfully");
    expect(dashboard.writes.at(-1)!.call).toStartWith("PUT /api/press-features/");
    expect(dashboard.writes.at(-1)!.body.logoUrl).toBe(url);
  });
});
