/** The Coaching tab, sentence by sentence (specification, section 2.16). */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { setUpDashboard, openDashboard } from "../../../support/dashboard.ts";
import { dropRequests, holdRequests } from "../../../support/network.ts";
import { replaceItems } from "../../../support/replaceItems.ts";
import { isFocused } from "../../../support/pageState.ts";
import { createPicture } from "../../../support/pictures.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitForValue, stopClock } from "../../../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, field } = dashboard;
let stage: string;

beforeAll(async () => {
  stage = (await uploadPicture(site, "stage.jpg", await createPicture("jpeg", 320, 180))).url;
});

const tab = (name: string) => dashboard.page.getByRole("tab", { name, exact: true });
const preview = () => dashboard.page.frameLocator("iframe").first();

describe("Hero Content", () => {
  beforeEach(async () => {
    await site.asOwner("POST", "/api/coaching-hero", {
      mainTitle: "COACHING",
      subtitle: "& MENTORING",
      tagline: "Transform your potential into success",
      backgroundImage: null,
    });
    await dashboard.open("coaching");
    await field("Main Title").waitFor();
  });

  test("Choosing a background image, or No Background, saves at once and marks the choice Active, unless the save failed.", async () => {
    await field("Tagline").fill("Still being typed");
    const group = dashboard.page.getByRole("radiogroup", { name: "Background Image" });
    const none = group.getByRole("radio", { name: "No Background" });
    expect(await none.isChecked()).toBe(true);
    const restore = await dropRequests(dashboard.page, "**/api/coaching-hero");
    await group.getByRole("radio", { name: "stage.jpg" }).click();
    await dashboard.waitForToast("Failed to save coaching hero");
    await waitForValue(() => none.isChecked(), true);
    await restore();
    dashboard.writes.length = 0;
    await group.getByRole("radio", { name: "stage.jpg" }).click();
    await dashboard.waitForToast("Coaching hero saved successfully");
    expect(dashboard.writes).toHaveLength(1);
    expect(dashboard.writes[0]!.body).toEqual({
      mainTitle: "COACHING",
      subtitle: "& MENTORING",
      tagline: "Transform your potential into success",
      backgroundImage: stage,
      buttonText: null,
      buttonLink: null,
    });
    const active = group.locator(".tile", {
      has: dashboard.page.getByRole("radio", { checked: true }),
    });
    await active.getByText("Active").waitFor();
    expect(await field("Tagline").inputValue()).toBe("Still being typed");
    await none.click();
    const stored = async () => (await site.asOwner("GET", "/api/coaching-hero")).backgroundImage;
    await waitForValue(stored, null);
    await dashboard.waitForToast("Coaching hero saved successfully");
    // The second choice is made while the first is being saved.
    dashboard.writes.length = 0;
    const release = await holdRequests(dashboard.page, "**/api/coaching-hero");
    await group.getByRole("radio", { name: "stage.jpg" }).click();
    await group.getByRole("radio", { name: "No Background" }).click();
    release();
    const sent = () => dashboard.writes.map(({ body }) => body.backgroundImage);
    await waitForValue(sent, [stage, null]);
    await waitForValue(stored, null);
    await waitForValue(() => none.isChecked(), true);
  });
});

describe("Transformations", () => {
  beforeEach(async () => {
    await replaceItems(site, "/api/transformations", [{ imageUrl: stage }, { imageUrl: stage }]);
    await dashboard.open("coaching", { sub: "transformations" });
  });

  test("A transformation without an image isn't saved, and Preview shows the first 6 images.", async () => {
    await dashboard.waitForText("Transformation #1");
    await dashboard.waitForText("Transformation #2");
    await button("Add Transformation").click();
    await button("Save Transformation").click();
    await dashboard.waitForRefusal("Image is required");
    expect(dashboard.writes).toEqual([]);
    const images = dashboard.page.getByRole("radiogroup", { name: "Image", exact: true });
    await waitForValue(() => isFocused(images), true);
    expect(await images.getAttribute("aria-invalid")).toBe("true");
    expect(await images.getAttribute("aria-required")).toBe("true");
    const note = await images.getAttribute("aria-describedby");
    expect(await dashboard.page.locator(`[id="${note}"]`).innerText()).toBe("This can't be empty.");
    await dashboard.page.getByRole("radio", { name: "stage.jpg" }).click();
    await button("Save Transformation").click();
    await dashboard.waitForToast("Transformation created successfully");
    expect(dashboard.writes[0]!.body).toEqual({ imageUrl: stage, order: 2 });
    await dashboard.waitForText("Transformation #3");
    for (const order of [3, 4, 5, 6])
      await site.asOwner("POST", "/api/transformations", { imageUrl: stage, order });
    const inner = dashboard.page.getByRole("tablist", { name: "Transformations" });
    expect(await inner.getByRole("tab").allInnerTexts()).toEqual([
      "Gallery",
      "Settings",
      "Preview",
    ]);
    await tab("Settings").click();
    await field("Section Heading").waitFor();
    await dashboard.page.reload();
    await field("Section Heading").waitFor();
    expect(await tab("Transformations").getAttribute("aria-selected")).toBe("true");
    await tab("Preview").click();
    const pictures = preview().locator(".transformations > li");
    await pictures.first().waitFor();
    expect(await pictures.count()).toBe(6);
  });

  test("Settings are saved automatically 1000 ms after a change, except an incomplete color.", async () => {
    const {
      page,
      field,
      button,
      writes,
      waitForToast: toast,
    } = await openDashboard(site, "coaching", {
      sub: "transformations.settings",
    });
    await field("Section Heading").waitFor();
    await stopClock(page);
    await field("Accent Color").fill("#00");
    await page.clock.runFor(3000);
    expect(await page.locator(".field-error, [data-phase=failed]").count()).toBe(0);
    await page.getByText("Unsaved changes").first().waitFor();
    await field("Accent Color").fill("#FF8800");
    await button("Save Settings").click();
    await page.clock.resume();
    await toast("Transformations settings saved successfully");
    expect(writes.map(({ body }) => body.accentColor)).toEqual(["#FF8800"]);
    writes.length = 0;
    // The clock is stopped again, or the next change could come too late.
    await stopClock(page);
    await field("Section Heading").fill("BEFORE AND AFTER");
    await page.getByText("Unsaved changes").first().waitFor();
    await page.clock.runFor(980);
    expect(writes).toEqual([]);
    await page.clock.runFor(40);
    await waitForValue(() => writes.length, 1);
    await page.clock.resume();
    await toast("Transformations settings saved successfully");
    expect(writes).toEqual([
      {
        call: "POST /api/transformation-settings",
        body: {
          heading: "BEFORE AND AFTER",
          description: "",
          backgroundColor: "#0a0a0a",
          textColor: "#ffffff",
          accentColor: "#FF8800",
        },
      },
    ]);
    await stopClock(page);
    await field("Section Heading").fill("x");
    await field("Section Heading").fill("BEFORE AND AFTER");
    await page.clock.runFor(3000);
    await field("Section Heading").fill("AFTER");
    await page.clock.runFor(1040);
    await waitForValue(() => writes.map(({ body }) => body.heading), ["BEFORE AND AFTER", "AFTER"]);
  });
});
