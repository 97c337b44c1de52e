/** The rich-text editor of the dashboard (specification, section 2.11). */
import { beforeEach, expect, test } from "bun:test";
import { findBarriers } from "../../../support/axe.ts";
import type { TestPage } from "../../../support/browser.ts";
import { setUpDashboard, openDashboard } from "../../../support/dashboard.ts";
import { isFocused } from "../../../support/pageState.ts";
import { createGif } from "../../../support/gif.ts";
import { createPicture } from "../../../support/pictures.ts";
import { createEmptyPng } from "../../../support/png.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue, stopClock } from "../../../support/waits.ts";

const site = setUpEmptySite();
// A phone has no preview beside the editor.
const dashboard = setUpDashboard(site, { width: 390 });
let page: TestPage;
beforeEach(() => site.asOwner("POST", "/api/about", { content: "<p>Before</p>" }));

async function openAbout(): Promise<void> {
  await dashboard.open("about");
  ({ page } = dashboard);
  await editor().waitFor();
  page.clearProblems();
}

const editor = () => page.getByRole("textbox", { name: "Content" });
const tool = (name: string) =>
  page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name, exact: true });
const readStored = async () => (await site.asOwner("GET", "/api/about")).content;

async function save(): Promise<void> {
  await page.locator(".save-bar-text").getByText("Unsaved changes").waitFor();
  const saved = page.waitForResponse(
    (each) => each.request().method() === "POST" && each.url().endsWith("/api/about"),
  );
  await page.keyboard.press("Control+s");
  expect((await saved).status()).toBe(200);
}

const TOOLS = [
  ["Style", "Bold", "Italic", "Underline", "Strikethrough", "Text color", "Highlight color"],
  ["Bulleted list", "Numbered list", "Decrease indent", "Increase indent"],
  ["Align left", "Center", "Align right", "Justify", "Link", "Clear formatting"],
].flat();

test("leaving the editor changes nothing, and text typed right before a save is saved", async () => {
  // On a page of its own, since a page's clock that was stopped once is no longer the real one.
  const { page } = await openDashboard(site, "about", { width: 390 });
  await page.getByRole("textbox", { name: "Content" }).click();
  await stopClock(page);
  await page.getByLabel("Title", { exact: true }).focus();
  // The editor compares its content a moment after it has lost the focus.
  await page.clock.runFor(2000);
  expect(await page.getByRole("region", { name: "Unsaved changes" }).isVisible()).toBe(false);
  await page.clock.resume();
  const words = page.locator(".save-bar-text").getByText("Unsaved changes");
  const save = page.locator(".save-bar").getByRole("button", { name: /^Save/ });
  const saves: [string, () => Promise<unknown>][] = [
    ["Pressed", () => save.click()],
    ["Struck", () => page.keyboard.press("Control+s")],
  ];
  for (const [typed, press] of saves) {
    await page.getByRole("textbox", { name: "Content" }).click();
    // Makes the save bar with its button appear.
    await page.keyboard.type("First. ");
    await words.waitFor();
    await stopClock(page);
    await page.keyboard.type(typed);
    const sent = page.waitForRequest(
      (each) => each.url().endsWith("/api/about") && each.method() === "POST",
    );
    await press();
    expect((await sent).postData()).toContain(typed);
    await page.clock.resume();
    await words.waitFor({ state: "detached" });
  }
});

test("the toolbar's tools show their states, work by arrow keys, and format text that is then saved", async () => {
  await openAbout();
  const names = await page
    .getByRole("toolbar", { name: "Formatting" })
    .locator("select, button, input")
    .evaluateAll((tools) => tools.map((each) => each.getAttribute("aria-label")));
  expect(names).toEqual(TOOLS);
  expect(await page.locator(".jodit-toolbar__box").count()).toBe(0);
  const boxes = await page
    .locator(".toolbar-button")
    .evaluateAll((all) =>
      all
        .map((each) => each.getBoundingClientRect())
        .map(({ top, width, height }) => [top, width, height]),
    );
  expect(new Set(boxes.map(([top]) => top)).size).toBe(1);
  for (const [, width, height] of boxes) expect([width, height]).toEqual([44, 44]);
  expect(await findBarriers(page)).toEqual([]);
  const style = page.getByRole("combobox", { name: "Style" });
  const levels = await style.locator("option").allInnerTexts();
  expect(levels).toEqual(["Text", "Heading 1", "Heading 2", "Heading 3"]);

  await editor().click();
  await page.keyboard.press("Control+a");
  expect(await tool("Bold").getAttribute("aria-pressed")).toBe("false");
  await tool("Bold").click();
  await page.waitForFunction(
    () => document.querySelector('[aria-label="Bold"]')?.getAttribute("aria-pressed") === "true",
  );
  await style.focus();
  await page.keyboard.press("ArrowRight");
  await waitForValue(() => isFocused(tool("Bold")), true);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await save();
  expect(await readStored()).toMatch(/<(em|i|strong|b)><(em|i|strong|b)>Before/);

  await editor().click();
  await page.keyboard.press("Control+a");
  await page.getByLabel("Text color", { exact: true }).fill("#ff0000");
  await tool("Center").click();
  await save();
  expect(await readStored()).toMatch(/text-align: ?center/);
  expect(await readStored()).toMatch(/color: ?(#ff0000|rgb\(255, ?0, ?0\))/);
  await editor().click();
  await style.selectOption("Heading 2");
  await save();
  expect(await readStored()).toMatch(/^<h2.*Before.*<\/h2>$/);
  await editor().click();
  await tool("Bulleted list").click();
  await save();
  expect(await readStored()).toMatch(/<li>.*Before/);
  // Requests to other hosts are among the problems.
  expect(page.problems()).toEqual([]);
});

test("when the server normalizes the saved HTML, the Save button keeps the focus, and the next tool applies to the same selection", async () => {
  await openAbout();
  await editor().click();
  await page.keyboard.press("Control+a");
  await page.getByLabel("Text color", { exact: true }).fill("#ff0000");
  const button = page.getByRole("button", { name: "Save About Content" });
  await button.click();
  await waitForValue(async () => (await editor().innerHTML()) === (await readStored()), true);
  expect(await readStored()).toContain("color:");
  expect(await isFocused(button)).toBe(true);
  await page.getByRole("combobox", { name: "Style" }).selectOption("Heading 2");
  await save();
  expect(await readStored()).toMatch(/^<h2.*Before.*<\/h2>$/);
});

test("the link dialog inserts, changes and removes links, and refuses an invalid URL", async () => {
  await openAbout();
  const box = page.getByRole("dialog", { name: "Link" });
  const saveLink = () => box.getByRole("button", { name: "Save link" }).click();
  await editor().click();
  await page.keyboard.press("Control+a");
  await tool("Link").click();
  expect(await box.getByLabel("Link text").inputValue()).toBe("Before");
  await box.getByLabel("URL").fill("javascript:alert(1)");
  await saveLink();
  await box.getByText("Enter a URL such as https://example.com").waitFor();
  await box.getByLabel("URL").fill("example.com/tickets");
  await page.keyboard.press("Enter");
  await box.waitFor({ state: "detached" });
  await save();
  expect(await readStored()).toContain('href="https://example.com/tickets"');
  expect(await readStored()).toContain(">Before</a>");
  await editor().getByText("Before").click();
  await tool("Link").click();
  expect(await box.getByLabel("URL").inputValue()).toBe("https://example.com/tickets");
  await box.getByLabel("URL").fill("/coaching");
  await saveLink();
  await save();
  expect(await readStored()).toContain('href="/coaching"');
  await editor().getByText("Before").click();
  await tool("Link").click();
  await box.getByRole("button", { name: "Remove link" }).click();
  await box.waitFor({ state: "detached" });
  await save();
  expect(await readStored()).not.toContain("href");
  await editor().click();
  await page.keyboard.press("End");
  await page.keyboard.press("Control+k");
  await box.getByLabel("URL").fill("ann@example.com");
  await box.getByLabel("Link text").fill("Write");
  await saveLink();
  await save();
  expect(await readStored()).toMatch(
    /Before<a [^>]*href="mailto:ann@example\.com"[^>]*>Write<\/a>/,
  );
});

/** Pastes HTML or files at the cursor. */
const pasteContent = (html: string, picture: number[] = []) =>
  page.evaluate(
    ([text, bytes]) => {
      const data = new DataTransfer();
      if (text) data.setData("text/html", text as string);
      if (bytes!.length > 0)
        data.items.add(
          new File([new Uint8Array(bytes as number[])], "shot.png", { type: "image/png" }),
        );
      const event = new ClipboardEvent("paste", {
        clipboardData: data,
        bubbles: true,
        cancelable: true,
      });
      document.activeElement!.dispatchEvent(event);
    },
    [html, picture],
  );

test("pasted scripts and foreign markup are removed, and pasted pictures are uploaded", async () => {
  await openAbout();
  await editor().click();
  await pasteContent('<p>Pasted<img src="/none" onerror="window.stung = true"></p>');
  await editor().getByText("Pasted").waitFor();
  await page.evaluate(waitForFailedPicture, "/none");
  expect(await page.evaluate(() => "stung" in window)).toBe(false);
  await save();
  expect(await readStored()).not.toContain("onerror");
  // Saving may have taken the focus.
  await editor().click();
  await page.keyboard.press("Control+a");
  await pasteContent(
    `<meta charset="utf-8"><style>p{color:red}</style><div class="MsoNormal" style="margin:2cm">
     <span style="font-weight:700">Dates</span></div>
     <table border="1"><tr><td>3 May</td><td>Leeds</td></tr><tr><td>9 May</td><td>York</td></tr></table>
     <p><img src="https://elsewhere.example/pixel.gif"><a href="javascript:alert(1)">Tickets</a></p>
     <h5>Late</h5>`,
  );
  await editor().getByText("3 May · Leeds").waitFor();
  await save();
  const html: string = await readStored();
  expect(html.replaceAll(/\s*\n\s*/g, "")).toBe(
    "<p><strong>Dates</strong></p><p>3 May · Leeds</p><p>9 May · York</p><p>Tickets</p><p>Late</p>",
  );
  expect(page.problems(/\/none/)).toEqual([]);

  const png = Buffer.from(await createPicture("png", 60, 40));
  const imageOf = (bytes: Buffer) =>
    `<img src="data:image/${bytes[0] === 71 ? "gif" : "png"};base64,${bytes.toString("base64")}">`;
  const pictures = editor().locator('img[src^="/uploads/"]');
  const shown = (count: number) => waitForValue(() => pictures.count(), count);
  await editor().click();
  await pasteContent("", [...png]);
  await shown(1);
  expect(await page.locator(".upload-row").count()).toBe(0);
  await pasteContent(`<p>With a picture ${imageOf(png)}</p>`);
  await shown(2);
  await editor().getByText("With a picture").waitFor();
  await save();
  const addresses = (await readStored()).matchAll(/<img [^>]*src="\/uploads\/[0-9a-f]{32}\.png"/g);
  expect([...addresses]).toHaveLength(2);
  // Only pictures of one pixel are left out, even if others have as few bytes.
  const empty = (width: number, height: number) => Buffer.from(createEmptyPng(width, height));
  expect(empty(8, 8).length).toBeLessThan(100);
  const small = [empty(1, 1), Buffer.from(createGif(1, 1, [5])), empty(8, 8), empty(1, 24)];
  await pasteContent(`<p>Spaced ${small.map(imageOf).join("")}</p>`);
  await shown(4);
  const sizes = () =>
    editor()
      .locator("img")
      .evaluateAll((all) =>
        (all as HTMLImageElement[]).map((each) => [each.naturalWidth, each.naturalHeight].join()),
      );
  await waitForValue(async () => (await sizes()).sort(), ["1,24", "60,40", "60,40", "8,8"]);
  await pasteContent(`<p>And another ${imageOf(png.subarray(0, png.length >> 1))}</p>`);
  await page.locator(".upload-row").getByText("damaged or incomplete").waitFor();
  await editor().getByText("And another").waitFor();
});

/** Runs in the page: resolves when a second element has failed to load the picture, which is after the first. */
function waitForFailedPicture(address: string): Promise<void> {
  return new Promise((resolve) => {
    const picture = new Image();
    picture.addEventListener("error", () => resolve());
    picture.src = address;
  });
}
