/**
 * Other programs' clipboard contents, pasted from a real clipboard (specification, sections 2.11 and 5.8).
 */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { TestPage } from "../../../support/browser.ts";
import { pasteInto } from "../../../support/clipboard.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";
import expected from "../../../fixtures/clipboards/expected.json";

const site = emptySite();
// A phone has no preview beside the editor.
const dashboard = dashboardForAll(site, { width: 390 });
let page: TestPage;
beforeAll(async () => {
  await site.asOwner("POST", "/api/about", { content: "<p>Here</p>" });
  await dashboard.open("about");
  ({ page } = dashboard);
  await editor().waitFor();
  page.forgetProblems();
});

/** Begins with this text in place of all that is there. */
async function begin(html = "<p>Before</p>"): Promise<void> {
  await pasteOver({ "text/html": html, "text/plain": "plain" });
  await eventually(shown, html);
}

const editor = () => page.getByRole("textbox", { name: "Content" });
const stored = async () => normalize((await site.asOwner("GET", "/api/about")).content);
const normalize = (html: string) =>
  html
    .replaceAll(' rel="noopener noreferrer"', "")
    .replaceAll("<br />", "<br>")
    .replaceAll("\u00a0", "&nbsp;")
    .replaceAll(/\n/g, "");
/** The editor's HTML, without its own styles and link attributes. */
const shown = async () =>
  (await editor().innerHTML())
    .replaceAll(' rel="noopener noreferrer"', "")
    .replaceAll(
      /style="([^"]*?);?"/g,
      (_, style: string) => `style="${style.replaceAll(": ", ":")}"`,
    );

async function save(): Promise<void> {
  await page.locator(".save-bar-text").getByText("Unsaved changes").waitFor();
  const saved = page.waitForResponse(
    (each) => each.request().method() === "POST" && each.url().endsWith("/api/about"),
  );
  await page.keyboard.press("Control+s");
  expect((await saved).status()).toBe(200);
}

const paste = (kinds: Readonly<Record<string, string>>) => pasteInto(page, kinds);
const pasteHtml = (html: string) => paste({ "text/html": html, "text/plain": "plain" });

/** Replaces all content. */
async function pasteOver(kinds: Readonly<Record<string, string>>): Promise<void> {
  await editor().click();
  await page.keyboard.press("Control+a");
  await paste(kinds);
}

const FOLDER = join(import.meta.dir, "../../../fixtures/clipboards");

test.each(Object.entries(expected))(
  "pasting from %s keeps the meaning in the editor, and stores what is shown",
  async (name, html) => {
    const clipboard = await Bun.file(join(FOLDER, `${name}.txt`)).text();
    await pasteOver({ "text/html": clipboard, "text/plain": "plain" });
    await eventually(shown, html);
    // Another formatted text is stored by the same rules; the draft stays as it is.
    await site.asOwner("POST", "/api/connect-settings", { description: html });
    const { description } = await site.asOwner("GET", "/api/connect-settings");
    expect(normalize(description)).toBe(html);
    expect(page.problems()).toEqual([]);
  },
);

test("plain text that looks like HTML is pasted as text, without a question, and keeps its line breaks", async () => {
  await pasteOver({ "text/plain": "Use <b>tags</b> in text" });
  await eventually(() => editor().innerText(), "Use <b>tags</b> in text");
  expect(await page.locator(".jodit-dialog, .jodit-ui-messages").count()).toBe(0);
  await save();
  expect(await stored()).toContain("Use &lt;b&gt;tags&lt;/b&gt; in text");
  await pasteOver({ "text/plain": "First line\n\n.\nSecond line, I <3 you & me\r\n#actor\n" });
  await save();
  expect(await stored()).toBe(
    "<p>First line</p><p>.<br>Second line, I &lt;3 you &amp; me<br>#actor</p>",
  );
});

test("one pasted paragraph continues the current one; blocks split it, or a list, and typing continues after them", async () => {
  await begin();
  await page.keyboard.press("End");
  await pasteHtml("<p> and <b>after</b></p>");
  await save();
  expect(await stored()).toMatch(/^<p>Before ?and <strong>after<\/strong><\/p>$/);

  await begin();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await pasteHtml("<h2>One</h2><ul><li>Two</li></ul>");
  await page.keyboard.type("!");
  await save();
  expect(await stored()).toBe("<p>Be</p><h2>One</h2><ul><li>Two!</li></ul><p>fore</p>");

  await begin("<ul><li>First</li><li>Last</li></ul>");
  await editor().getByText("First").click();
  await page.keyboard.press("End");
  await pasteHtml("<p>One</p><p>Two</p>");
  await save();
  expect(await stored()).toBe("<ul><li>First</li></ul><p>One</p><p>Two</p><ul><li>Last</li></ul>");
});

test("indents end at the eighth level, and are stored as they are shown", async () => {
  await begin();
  const more = page.getByRole("button", { name: "Increase indent" });
  for (let press = 0; press < 17; press++) await more.click();
  await save();
  expect(await stored()).toBe('<p style="margin-left:160px">Before</p>');
  const less = page.getByRole("button", { name: "Decrease indent" });
  for (let press = 0; press < 8; press++) await less.click();
  await save();
  expect(await stored()).toBe("<p>Before</p>");
});
