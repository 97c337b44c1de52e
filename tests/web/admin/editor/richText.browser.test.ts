/** The rich-text editor of the dashboard (specification, section 2.11). */
import { beforeEach, describe, expect, test } from "bun:test";
import { axe } from "../../../support/axe.ts";
import type { TestPage } from "../../../support/browser.ts";
import { dashboardForAll, openDashboard } from "../../../support/dashboard.ts";
import { isFocused } from "../../../support/pageState.ts";
import { gifOf } from "../../../support/gif.ts";
import { pictureAs } from "../../../support/pictures.ts";
import { emptyPng } from "../../../support/png.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { eventually, stopClock } from "../../../support/waits.ts";

const site = emptySite();
const dashboard = dashboardForAll(site);
let page: TestPage;
beforeEach(async () => {
  await site.asOwner("POST", "/api/about", { content: "<p>Before</p>" });
  await dashboard.open("about");
  ({ page } = dashboard);
  await editor().waitFor();
  page.forgetProblems();
});

const editor = () => page.getByRole("textbox", { name: "Content" });
const tool = (name: string) =>
  page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name, exact: true });
const stored = async () => (await site.asOwner("GET", "/api/about")).content;

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

test("text typed right before Save is saved, by the button or the shortcut", async () => {
  // In a new page, since a stopped clock can't be started again.
  const { page } = await openDashboard(site, "about");
  const words = page.locator(".save-bar-text").getByText("Unsaved changes");
  const save = page.locator(".save-bar").getByRole("button", { name: /^Save/ });
  const saves: [string, () => Promise<unknown>][] = [
    ["Pressed", () => save.click()],
    ["Struck", () => page.keyboard.press("Control+s")],
  ];
  for (const [typed, press] of saves) {
    await page.getByRole("textbox", { name: "Content" }).click();
    // Makes the toolbar with its button appear.
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

test("the toolbar offers what the specification lists, and nothing else", async () => {
  const names = await page
    .getByRole("toolbar", { name: "Formatting" })
    .locator("select, button, input")
    .evaluateAll((tools) => tools.map((each) => each.getAttribute("aria-label")));
  expect(names).toEqual(TOOLS);
  expect(await page.locator(".jodit-toolbar__box").count()).toBe(0);
});

test("headings have levels 1 to 3", async () => {
  const style = page.getByRole("combobox", { name: "Style" });
  expect(await style.locator("option").allInnerTexts()).toEqual([
    "Text",
    "Heading 1",
    "Heading 2",
    "Heading 3",
  ]);
  await editor().click();
  await style.selectOption("Heading 2");
  await save();
  expect(await stored()).toBe("<h2>Before</h2>");
});

test("a toolbar button shows its state, and arrow keys move between buttons", async () => {
  await editor().click();
  await page.keyboard.press("Control+a");
  expect(await tool("Bold").getAttribute("aria-pressed")).toBe("false");
  await tool("Bold").click();
  await page.waitForFunction(
    () => document.querySelector('[aria-label="Bold"]')?.getAttribute("aria-pressed") === "true",
  );
  await page.getByRole("combobox", { name: "Style" }).focus();
  await page.keyboard.press("ArrowRight");
  await eventually(() => isFocused(tool("Bold")), true);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await save();
  expect(await stored()).toMatch(/<(em|i|strong|b)><(em|i|strong|b)>Before/);
});

test("colors, alignment and lists are saved as they are shown, and no other host is requested", async () => {
  await editor().click();
  await page.keyboard.press("Control+a");
  await page.getByLabel("Text color", { exact: true }).fill("#ff0000");
  await tool("Center").click();
  await save();
  expect(await stored()).toMatch(/text-align: ?center/);
  expect(await stored()).toMatch(/color: ?(#ff0000|rgb\(255, ?0, ?0\))/);
  await tool("Bulleted list").click();
  await save();
  expect(await stored()).toMatch(/<li>.*Before/);
  expect(page.problems(/\/none/)).toEqual([]);
});

describe("The link box", () => {
  const box = () => page.getByRole("dialog", { name: "Link" });

  test("turns the selection into a link, and refuses an invalid address", async () => {
    await editor().click();
    await page.keyboard.press("Control+a");
    await tool("Link").click();
    expect(await box().getByLabel("Link text").inputValue()).toBe("Before");
    await box().getByLabel("URL").fill("javascript:alert(1)");
    await box().getByRole("button", { name: "Save link" }).click();
    await box().getByText("Enter a URL such as https://example.com").waitFor();
    await box().getByLabel("URL").fill("example.com/tickets");
    await page.keyboard.press("Enter");
    await box().waitFor({ state: "detached" });
    await save();
    expect(await stored()).toContain('href="https://example.com/tickets"');
    expect(await stored()).toContain(">Before</a>");
  });

  test("changes and removes a link", async () => {
    await site.asOwner("POST", "/api/about", { content: '<p><a href="/old">Before</a></p>' });
    await dashboard.open("about");
    await editor().getByText("Before").click();
    await tool("Link").click();
    expect(await box().getByLabel("URL").inputValue()).toBe("/old");
    await box().getByLabel("URL").fill("/coaching");
    await box().getByRole("button", { name: "Save link" }).click();
    await save();
    expect(await stored()).toContain('href="/coaching"');
    await editor().getByText("Before").click();
    await tool("Link").click();
    await box().getByRole("button", { name: "Remove link" }).click();
    await box().waitFor({ state: "detached" });
    await save();
    expect(await stored()).not.toContain("href");
  });

  test("without a selection inserts its text at the cursor", async () => {
    await editor().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Control+k");
    await box().getByLabel("URL").fill("https://example.com");
    await box().getByLabel("Link text").fill("Tickets");
    await box().getByRole("button", { name: "Save link" }).click();
    await save();
    expect(await stored()).toMatch(/Before<a [^>]*href="https:\/\/example.com"[^>]*>Tickets<\/a>/);
  });
});

test("opening and leaving it changes nothing", async () => {
  // In a new page, since a stopped clock can't be started again.
  const { page } = await openDashboard(site, "about");
  await page.getByRole("textbox", { name: "Content" }).click();
  await stopClock(page);
  await page.getByLabel("Title", { exact: true }).focus();
  // The editor checks its content a moment after losing focus.
  await page.clock.runFor(2000);
  expect(await page.getByRole("region", { name: "Unsaved changes" }).isVisible()).toBe(false);
});

/** Pastes HTML or files at the cursor. */
const paste = (html: string, picture: number[] = []) =>
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

test("scripts in pasted text never run and are not stored", async () => {
  await editor().click();
  await paste('<p>Pasted<img src="/none" onerror="window.stung = true"></p>');
  await editor().getByText("Pasted").waitFor();
  await page.evaluate(pictureFailed, "/none");
  expect(await page.evaluate(() => "stung" in window)).toBe(false);
  await save();
  expect(await stored()).not.toContain("onerror");
});

test("pasted tables become lines, and markup of other sites or Word is removed", async () => {
  await editor().click();
  await page.keyboard.press("Control+a");
  await paste(
    `<meta charset="utf-8"><style>p{color:red}</style><div class="MsoNormal" style="margin:2cm">
     <span style="font-weight:700">Dates</span></div>
     <table border="1"><tr><td>3 May</td><td>Leeds</td></tr><tr><td>9 May</td><td>York</td></tr></table>
     <p><img src="https://elsewhere.example/pixel.gif"><a href="javascript:alert(1)">Tickets</a></p>
     <h5>Late</h5>`,
  );
  await editor().getByText("3 May · Leeds").waitFor();
  await save();
  const html: string = await stored();
  expect(html.replaceAll(/\s*\n\s*/g, "")).toBe(
    "<p><strong>Dates</strong></p><p>3 May · Leeds</p><p>9 May · York</p><p>Tickets</p><p>Late</p>",
  );
  expect(page.problems(/\/none/)).toEqual([]);
});

test("a pasted picture is uploaded, and the text shows it from there", async () => {
  await editor().click();
  await paste("", [...(await pictureAs("png", 60, 40))]);
  await editor().locator('img[src^="/uploads/"]').waitFor();
  await save();
  expect(await stored()).toMatch(/<img [^>]*src="\/uploads\/[0-9a-f]{32}\.png"/);
  expect(await page.locator(".upload-row").count()).toBe(0);
});

test("a picture embedded in pasted HTML is uploaded, and a damaged one is reported", async () => {
  const png = Buffer.from(await pictureAs("png", 60, 40));
  const as = (bytes: Buffer) => `<img src="data:image/png;base64,${bytes.toString("base64")}">`;
  await editor().click();
  await paste(`<p>With a picture ${as(png)}</p>`);
  await editor().locator('img[src^="/uploads/"]').waitFor();
  await editor().getByText("With a picture").waitFor();
  await save();
  expect(await stored()).toMatch(/<img [^>]*src="\/uploads\/[0-9a-f]{32}\.png"/);
  await editor().click();
  await paste(`<p>And another ${as(png.subarray(0, png.length >> 1))}</p>`);
  await page.locator(".upload-row").getByText("damaged or incomplete").waitFor();
  await editor().getByText("And another").waitFor();
});

test("of embedded pictures those of one pixel are left out, however few bytes the others have", async () => {
  const png = (width: number, height: number) => Buffer.from(emptyPng(width, height));
  expect(png(8, 8).length).toBeLessThan(100);
  const gif = Buffer.from(gifOf(1, 1, [5]));
  const pictures = [png(1, 1), gif, png(8, 8), png(1, 24)]
    .map(
      (bytes) => `data:image/${bytes[0] === 71 ? "gif" : "png"};base64,${bytes.toString("base64")}`,
    )
    .map((address) => `<img src="${address}">`);
  await editor().click();
  await paste(`<p>Spaced ${pictures.join("")}</p>`);
  await editor().locator('img[src^="/uploads/"]').nth(1).waitFor();
  const sizes = () =>
    editor()
      .locator("img")
      .evaluateAll((all) =>
        all.map((each) => [
          (each as HTMLImageElement).naturalWidth,
          (each as HTMLImageElement).naturalHeight,
        ]),
      );
  await eventually(
    async () => (await sizes()).sort(),
    [
      [1, 24],
      [8, 8],
    ],
  );
});

test("on a phone its buttons are 44 px and stay in one row", async () => {
  const phone = await openDashboard(site, "about", { width: 390 });
  const tools = phone.page.getByRole("toolbar", { name: "Formatting" });
  await tools.waitFor();
  const boxes = await tools
    .locator(".toolbar-button")
    .evaluateAll((all) =>
      all
        .map((each) => each.getBoundingClientRect())
        .map(({ top, width, height }) => [top, width, height]),
    );
  expect(new Set(boxes.map(([top]) => top)).size).toBe(1);
  for (const [, width, height] of boxes) expect([width, height]).toEqual([44, 44]);
  expect(await axe(phone.page)).toEqual([]);
  await phone.page.context().close();
});

/** Runs in the page: an element that requests the same picture later learns of its failure later. */
function pictureFailed(address: string): Promise<void> {
  return new Promise((resolve) => {
    const picture = new Image();
    picture.addEventListener("error", () => resolve());
    picture.src = address;
  });
}
