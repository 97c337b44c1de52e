/** What is special to the About tab (specification, section 2.11); hero.browser.test.ts covers singletons. */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { isFocused } from "../../../support/pageState.ts";
import { pictureAs } from "../../../support/pictures.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { eventually } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field } = dashboard;
let stage: string;

beforeAll(async () => {
  stage = (await uploadPicture(site, "stage.jpg", await pictureAs("jpeg", 320, 180))).url;
  await uploadPicture(site, "curtain.png", await pictureAs("png", 320, 200));
});
beforeEach(async () => {
  await site.asOwner("POST", "/api/about", {
    title: "ABOUT",
    content: "<p>First words.</p>",
    image: null,
  });
  await dashboard.open("about");
  await editor().waitFor();
});

const editor = () => dashboard.page.getByRole("textbox", { name: "Content", exact: true });
const preview = () => dashboard.page.frameLocator("iframe").first();
const save = () => button("Save About Content").click();

test("The image picker is image-only, removable, toggles open and closes on choice, by keyboard too.", async () => {
  expect(await field("Background Color").getAttribute("placeholder")).toBe("#0a0a0a");
  await button("Choose Image").click();
  const group = dashboard.page.getByRole("radiogroup", { name: "Image" });
  expect(await group.getByRole("radio").count()).toBe(2);
  await button("Choose Image").click();
  expect(await group.count()).toBe(0);
  await button("Choose Image").click();
  await group.getByRole("radio", { name: "stage.jpg" }).click();
  await group.waitFor({ state: "detached" });
  await save();
  await dashboard.toast("About content updated successfully");
  await dashboard.shows(/Last updated Today, \d\d:\d\d/);
  await preview().locator("img").waitFor();
  expect(dashboard.writes[0]!.body.image).toBe(stage);
  await button("Remove Image").click();
  await save();
  await dashboard.page.waitForFunction(() => document.querySelector(".folded-picture") === null);
  await dashboard.toast("About content updated successfully");
  expect(dashboard.writes.map(({ body }) => body.image)).toEqual([stage, null]);
  await button("Choose Image").focus();
  await dashboard.page.keyboard.press("Enter");
  await group.getByRole("radio").first().focus();
  await dashboard.page.keyboard.press("ArrowRight");
  await dashboard.page.keyboard.press("ArrowRight");
  expect(await group.count()).toBe(1);
  await dashboard.page.keyboard.press("Enter");
  await group.waitFor({ state: "detached" });
  await eventually(() => isFocused(button("Choose Image")), true);
});
