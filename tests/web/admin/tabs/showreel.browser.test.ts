/** The tab of the showreel as its owner meets it (specification, section 2.24). */
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

const ADDRESS = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

beforeEach(async () => {
  for (const { id } of await site.asOwner("GET", "/api/videos"))
    await site.asOwner("DELETE", `/api/videos/${id}`);
  await site.asOwner("POST", "/api/extras", { on: [] });
});

const stored = () => site.asOwner("GET", "/api/videos");
const add = async (video: object) => {
  const [{ imageUrl: poster }] = await site.asOwner("GET", "/api/highlights");
  await site.asOwner("POST", "/api/extras", { on: ["showreel"] });
  return site.asOwner("POST", "/api/videos", { title: "Reel", url: ADDRESS, poster, ...video });
};

test("from the gallery to a public showreel on a phone in at most 9 taps and 3 fields", async () => {
  await dashboard.open("add", { width: 390 });
  const counted = await countEfforts(dashboard.page);
  await button("Add Showreel").click();
  await dashboard.page.getByText("No videos yet").waitFor();
  await dashboard.page.getByText("Paste the address of your reel, and choose a picture").waitFor();
  await button("Add Video").last().click();
  // Its first field has the focus.
  await eventually(
    () => field("Address").evaluate((each) => each === document.activeElement),
    true,
  );
  await field("Address").fill(ADDRESS);
  await field("Title").click();
  await field("Title").fill("Reel 2026");
  const pictures = dialog("Add Video").getByRole("radio");
  await pictures.nth(1).click();
  await button("Save").click();
  await dashboard.toast("Video created successfully");
  const { taps, fields } = await counted();
  console.log(`From the gallery to a public showreel: ${taps} taps, ${fields} fields.`);
  expect(taps).toBeLessThanOrEqual(9);
  expect(fields).toBeLessThanOrEqual(3);
  const page = await newPage({ width: 390 });
  await page.goto(site.url);
  await page.locator("#showreel").getByRole("link", { name: "Play Reel 2026" }).waitFor();
});

test("a channel is refused under its field, and nothing typed is lost", async () => {
  await add({});
  await dashboard.open("showreel");
  await button("Add Video").click();
  await field("Address").fill("https://www.youtube.com/@ada");
  await field("Title").fill("Mine");
  await field("Address").focus();
  await field("Title").focus();
  await dialog("Add Video")
    .getByText("That is a channel. Paste the address of one video.")
    .waitFor();
  expect(await field("Title").inputValue()).toBe("Mine");
});

test("rows say where each plays, and which one is large", async () => {
  await add({ title: "Reel", length: "2:10", captioned: true });
  await add({ title: "Trailer", url: "https://harbourtv.example/the-velvet-hour" });
  await dashboard.open("showreel");
  const rows = dashboard.page.locator("li.row");
  await eventually(
    () => rows.locator(".quiet").allInnerTexts(),
    ["YouTube · 2:10 · Captions", "Opens at harbourtv.example"],
  );
  expect(await rows.nth(0).getByText("Large", { exact: true }).count()).toBe(1);
  expect(await rows.nth(1).getByText("Large", { exact: true }).count()).toBe(0);
});

test("previews show posters and no frame, and Styles arranges it once it is on", async () => {
  await add({});
  await dashboard.open("showreel", { sub: "preview" });
  const frame = dashboard.page.frameLocator("iframe[title='Desktop preview']");
  await frame.locator(".reel a[data-embed]").waitFor();
  expect(await frame.locator("iframe").count()).toBe(0);
  await dashboard.open("styles", { sub: "sections" });
  const row = dashboard.page.locator(".section-row", { hasText: "Showreel" });
  await row.getByText("1 video", { exact: true }).waitFor();
  await site.asOwner("POST", "/api/extras", { on: [] });
  await dashboard.open("styles", { sub: "sections" });
  await dashboard.page.locator(".section-row", { hasText: "Highlights" }).waitFor();
  expect(await row.count()).toBe(0);
  expect(await stored()).toHaveLength(1);
});

test("nothing in the tab is wrong at three widths, empty and full", async () => {
  await site.asOwner("POST", "/api/extras", { on: ["showreel"] });
  await dashboard.open("showreel");
  await dashboard.page.getByText("No videos yet").waitFor();
  await expectSoundAtWidths(dashboard.page);
  await add({ title: "A".repeat(120) });
  await dashboard.open("showreel");
  await dashboard.page.locator("li.row").waitFor();
  await expectSoundAtWidths(dashboard.page);
});
