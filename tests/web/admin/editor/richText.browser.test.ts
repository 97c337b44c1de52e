/** The rich-text editor of the dashboard (specification, section 2.11). */
import { beforeEach, expect, test } from "bun:test";
import { axe } from "../../../support/axe.ts";
import type { TestPage } from "../../../support/browser.ts";
import { dashboardForAll, openDashboard } from "../../../support/dashboard.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { stopClock } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
let page: TestPage;
beforeEach(async () => {
  await site.asOwner("POST", "/api/about", { content: "<p>Before</p>" });
  await dashboard.open("about");
  ({ page } = dashboard);
  await editor().waitFor();
});

const editor = () => page.getByRole("textbox", { name: "Content" });
const tool = (name: string) => page.locator(`.jodit-toolbar-button_${name} button`).first();
const stored = async () => (await site.asOwner("GET", "/api/about")).content;

async function save(): Promise<void> {
  await page.keyboard.press("Control+s");
  await page.locator(".ui-toast").getByText("About content updated successfully").waitFor();
}

test("the toolbar offers what the specification lists, and nothing else", async () => {
  const names = await page
    .locator(".jodit-toolbar-editor-collection [data-ref]")
    .evaluateAll((tools) => [
      ...new Set(tools.map((each) => (each as HTMLElement).dataset["ref"])),
    ]);
  expect(names.filter((name) => name && !/group|spacer/.test(name))).toEqual(
    "paragraph bold italic underline strikethrough brush ul ol outdent indent left center right justify link eraser".split(
      " ",
    ),
  );
});

test("headers go from 1 to 3", async () => {
  await page.locator(".jodit-toolbar-button_paragraph [class*=trigger]").click();
  const popup = page.locator(".jodit-popup");
  await popup.waitFor();
  const words = (await popup.innerText())
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
  expect(words).toEqual(["Text", "Heading 1", "Heading 2", "Heading 3"]);
});

test("what is typed and made bold is saved as it is shown", async () => {
  await editor().click();
  await page.keyboard.press("Control+a");
  await tool("bold").click();
  await save();
  expect(await stored()).toMatch(/<p><(strong|b)>Before<\/(strong|b)><\/p>/);
});

test("lists are saved as lists", async () => {
  await editor().click();
  await tool("ul").click();
  await save();
  expect(await stored()).toContain("<li>Before</li>");
});

test("opening and leaving it changes nothing", async () => {
  // On a page of its own, as a clock once stopped is one for good.
  const { page } = await openDashboard(site, "about");
  await page.getByRole("textbox", { name: "Content" }).click();
  await stopClock(page);
  await page.getByLabel("Title", { exact: true }).focus();
  // The editor looks at what it holds a moment after it was left.
  await page.clock.runFor(2000);
  expect(await page.getByRole("region", { name: "Unsaved changes" }).isVisible()).toBe(false);
});

test("it works under the page's policy and asks no other host for anything", async () => {
  await editor().click();
  await tool("italic").click();
  await page.locator(".jodit-toolbar-button_brush [class*=trigger]").click();
  await page.locator(".jodit-popup").waitFor();
  await page.keyboard.type("More");
  expect(page.problems()).toEqual([]);
});

test("scripts in pasted text never run and are not stored", async () => {
  await editor().click();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/html", '<p>Pasted<img src="/none" onerror="window.stung = true"></p>');
    const paste = new ClipboardEvent("paste", {
      clipboardData: data,
      bubbles: true,
      cancelable: true,
    });
    document.activeElement!.dispatchEvent(paste);
  });
  await editor().getByText("Pasted").waitFor();
  await page.evaluate(pictureFailed, "/none");
  expect(await page.evaluate(() => "stung" in window)).toBe(false);
  await save();
  expect(await stored()).not.toContain("onerror");
});

/** Runs in the page: an element that asks for the same picture later hears of its failure later. */
function pictureFailed(address: string): Promise<void> {
  return new Promise((resolve) => {
    const picture = new Image();
    picture.addEventListener("error", () => resolve());
    picture.src = address;
  });
}

test("nothing about it is a barrier", async () => {
  expect(await axe(page)).toEqual([]);
});
