/** The order of the home page's sections, and link previews (specification, sections 2.19 and 3.10). */
import { beforeEach, expect, test } from "bun:test";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import { entities } from "../../../../src/schema/index.ts";
import { openPublicPage } from "../../../support/browser.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { FULL_HOUSE, readPicture } from "../../../support/pictures.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site);
const { button, field, card } = dashboard;

beforeEach(async () => {
  const { sectionOrder, hiddenSections } = getInitialValues(entities.styles.fields);
  await site.asOwner("POST", "/api/styles", { sectionOrder, hiddenSections });
  await site.asOwner("POST", "/api/sharing", getInitialValues(entities.sharing.fields));
});

const fetchPage = async (path: string) => (await site.visitor().get(path)).text;

/** The ids of the home page's sections, in order. */
async function readShownSections(): Promise<string[]> {
  const sections = new Set(["hero", "about", "highlights", "connect", "press"]);
  const ids = [...(await fetchPage("/")).matchAll(/<section id="([\w-]+)"/g)].map(([, id]) => id!);
  return ids.filter((id) => sections.has(id));
}

async function open(sub: string, width = 1366): Promise<void> {
  await dashboard.open("styles", { sub, width });
}

test("sections missing from a chosen order come last in the default order, and unknown names are ignored", async () => {
  expect(await readShownSections()).toEqual(["hero", "about", "highlights", "connect", "press"]);
  await site.asOwner("POST", "/api/styles", { sectionOrder: ["gone", "press", "about"] });
  expect(await readShownSections()).toEqual(["hero", "press", "about", "highlights", "connect"]);
});

test("sections can be moved, hidden and reset to the default order, which the navigation bar follows", async () => {
  await open("sections");
  await button("Move Press up").click();
  await button("Move Press up").click();
  await field("Show Connect").uncheck();
  const labels = () => card("Navigation bar").locator("li").allTextContents();
  expect(await labels()).toEqual(["About", "Highlights", "Coaching"]);
  expect(dashboard.writes).toEqual([]);
  await button("Save Styles").click();
  await dashboard.waitForToast("Site styles updated successfully");
  expect(dashboard.getLastWrite("POST").body).toMatchObject({
    sectionOrder: ["about", "press", "highlights", "connect"],
    hiddenSections: ["connect"],
  });
  expect(await readShownSections()).toEqual(["hero", "about", "press", "highlights"]);
  const page = await openPublicPage(site, "/");
  const buttons = page.getByRole("navigation", { name: "Main" }).getByRole("button");
  expect(await buttons.allTextContents()).toEqual(["About", "Highlights"]);
  expect(page.problems()).toEqual([]);
  await button("Reset order").click();
  await button("Save Styles").click();
  await waitForValue(async () => (await site.asOwner("GET", "/api/styles")).sectionOrder, []);
  expect(await readShownSections()).toEqual(["hero", "about", "highlights", "press"]);
  await field("Show Updates").uncheck();
  await button("Drag to reorder About").focus();
  await dashboard.page.keyboard.press("ArrowDown");
  await dashboard.page.locator("output", { hasText: "About moved to position 2 of 4" }).waitFor();
  await button("Save Styles").click();
  await waitForValue(readShownSections, ["hero", "highlights", "about", "press"]);
  await page.visit(`${site.url}/`);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  // With the page scrolled to its end, the tab would be shown if it weren't hidden.
  await page.locator("footer").waitFor();
  await waitForValue(() => page.evaluate(() => scrollY > innerHeight), true);
  expect(await page.getByRole("button", { name: "UPDATES" }).count()).toBe(0);
  await page.close();
});

test("empty fields show each page's default, and the owner's title, description and picture are in the page's head", async () => {
  await open("sharing");
  const shown = dashboard.page.locator(".share-search .share-title");
  const made = /<title>([^<]*)<\/title>/.exec(await fetchPage("/"))![1]!;
  await waitForValue(() => shown.textContent(), made);
  await button("Coaching").click();
  const words = /<title>([^<]*)<\/title>/.exec(await fetchPage("/coaching"))![1]!;
  await waitForValue(() => shown.textContent(), words);
  await field("Title").fill("Coaching in Leeds");
  await waitForValue(() => shown.textContent(), "Coaching in Leeds");
  await button("Home").click();
  await waitForValue(() => shown.textContent(), made);
  await dashboard.waitForText("Set the site's public URL");
  const missing = dashboard.page.getByText("can't be shown in full on the generated image");
  expect(await missing.count()).toBe(0);
  const { name } = await site.asOwner("GET", "/api/site");
  await site.asOwner("POST", "/api/site", { name: "سلمى" });
  await dashboard.page.reload();
  expect(await missing.textContent()).toStartWith("سلمى can't be shown in full");
  await site.asOwner("POST", "/api/site", { name });

  await field("Title").fill("Jonah & friends");
  await field("Description").fill('A "quoted" evening.');
  await dashboard.page.locator(".share-search").getByText("Jonah & friends").waitFor();
  const drawn = dashboard.page.locator(".share-message img");
  expect(await drawn.getAttribute("src")).toBe("/share-home.jpg");
  await waitForValue(() => drawn.evaluate((each) => (each as HTMLImageElement).naturalWidth), 1200);
  await button("Save Styles").click();
  const storedTitle = async () => (await site.asOwner("GET", "/api/sharing")).homeTitle;
  await waitForValue(storedTitle, "Jonah & friends");
  const { url } = await uploadPicture(site, "full-house.jpg", await readPicture(FULL_HOUSE));
  await site.asOwner("POST", "/api/sharing", { icon: url, homePicture: url });
  const head = await fetchPage("/");
  expect(head).toContain("<title>Jonah &amp; friends</title>");
  expect(head).toContain('content="A &quot;quoted&quot; evening."');
  expect(head).toContain(`<link rel="icon" href="${url}"`);
  expect(await fetchPage("/coaching")).not.toContain("Jonah &amp; friends");
});
