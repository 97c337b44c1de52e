/**
 * Other programs' clipboard contents, pasted from a real clipboard (specification, sections 2.11 and 5.8).
 */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { TestPage } from "../../../support/browser.ts";
import { pasteInto } from "../../../support/clipboard.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { createPicture } from "../../../support/pictures.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitForValue } from "../../../support/waits.ts";
import expected from "../../../fixtures/clipboards/expected.json";

const site = setUpEmptySite();
// A phone has no preview beside the editor.
const dashboard = setUpDashboard(site, { width: 390 });
let page: TestPage;
beforeAll(async () => {
  await site.asOwner("POST", "/api/about", { content: "<p>Here</p>" });
  await dashboard.open("about");
  ({ page } = dashboard);
  await editor().waitFor();
  page.clearProblems();
});

/** Replaces the editor's content by this HTML. */
async function openEditor(html = "<p>Before</p>"): Promise<void> {
  await pasteOver({ "text/html": html, "text/plain": "plain" });
  await waitForValue(readShown, html);
}

const editor = () => page.getByRole("textbox", { name: "Content" });
const readStored = async () => normalize((await site.asOwner("GET", "/api/about")).content);
const normalize = (html: string) =>
  html
    .replaceAll(' rel="noopener noreferrer"', "")
    .replaceAll("<br />", "<br>")
    .replaceAll("\u00a0", "&nbsp;")
    .replaceAll(/\n/g, "");
/** The editor's HTML, without its own styles and link attributes. */
const readShown = async () =>
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

const pasteFormats = (kinds: Readonly<Record<string, string>>) => pasteInto(page, kinds);
const pasteHtml = (html: string) => pasteFormats({ "text/html": html, "text/plain": "plain" });

/** Replaces all content. */
async function pasteOver(kinds: Readonly<Record<string, string>>): Promise<void> {
  await editor().click();
  await page.keyboard.press("Control+a");
  await pasteFormats(kinds);
}

const FOLDER = join(import.meta.dir, "../../../fixtures/clipboards");

test.each(Object.entries(expected))(
  "content pasted from %s becomes the expected HTML, which is stored as shown",
  async (name, html) => {
    const clipboard = await Bun.file(join(FOLDER, `${name}.txt`)).text();
    await pasteOver({ "text/html": clipboard, "text/plain": "plain" });
    await waitForValue(readShown, html);
    // Stored in another section, whose text has the same rules, since a save here would end the draft.
    await site.asOwner("POST", "/api/connect-settings", { description: html });
    const { description } = await site.asOwner("GET", "/api/connect-settings");
    expect(normalize(description)).toBe(html);
    expect(page.problems()).toEqual([]);
  },
);

test("plain text that looks like HTML is pasted as text without a dialog, and keeps its line breaks", async () => {
  await pasteOver({ "text/plain": "Use <b>tags</b> in text" });
  await waitForValue(() => editor().innerText(), "Use <b>tags</b> in text");
  expect(await page.locator(".jodit-dialog, .jodit-ui-messages").count()).toBe(0);
  await save();
  expect(await readStored()).toContain("Use &lt;b&gt;tags&lt;/b&gt; in text");
  await pasteOver({ "text/plain": "First line\n\n.\nSecond line, I <3 you & me\r\n#actor\n" });
  await save();
  expect(await readStored()).toBe(
    "<p>First line</p><p>.<br>Second line, I &lt;3 you &amp; me<br>#actor</p>",
  );
});

test("a single pasted paragraph continues the current paragraph, and several pasted blocks split a paragraph or a list", async () => {
  await openEditor();
  await page.keyboard.press("End");
  await pasteHtml("<p> and <b>after</b></p>");
  await save();
  expect(await readStored()).toMatch(/^<p>Before ?and <strong>after<\/strong><\/p>$/);

  await openEditor();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await pasteHtml("<h2>One</h2><ul><li>Two</li></ul>");
  await page.keyboard.type("!");
  await save();
  expect(await readStored()).toBe("<p>Be</p><h2>One</h2><ul><li>Two!</li></ul><p>fore</p>");

  await openEditor("<ul><li>First</li><li>Last</li></ul>");
  await editor().getByText("First").click();
  await page.keyboard.press("End");
  await pasteHtml("<p>One</p><p>Two</p>");
  await save();
  expect(await readStored()).toBe(
    "<ul><li>First</li></ul><p>One</p><p>Two</p><ul><li>Last</li></ul>",
  );
});

test("a paragraph is indented by at most eight levels, which eight clicks on Decrease indent remove", async () => {
  await openEditor();
  const more = page.getByRole("button", { name: "Increase indent" });
  for (let press = 0; press < 17; press++) await more.click();
  await save();
  expect(await readStored()).toBe('<p style="margin-left:160px">Before</p>');
  const less = page.getByRole("button", { name: "Decrease indent" });
  for (let press = 0; press < 8; press++) await less.click();
  await save();
  expect(await readStored()).toBe("<p>Before</p>");
});

/** The point on the screen of a position in the editor's text. */
const findPoint = (text: string, offset: number) =>
  editor().evaluate(
    (root, [wanted, at]) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { currentNode } = texts;
        const start = currentNode.nodeValue!.indexOf(wanted);
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(currentNode, start + at);
        const { x, y, height } = range.getBoundingClientRect();
        return [x, y + height / 2] as const;
      }
      throw new Error(`There is no ${wanted}.`);
    },
    [text, offset] as const,
  );

/** Selects from one text's offset to another's. */
const selectText = (from: string, start: number, to: string, end: number) =>
  editor().evaluate(
    (root, [first, at, last, until]) => {
      root.normalize();
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (texts.nextNode()) found.push(texts.currentNode as Text);
      const [anchor, focus] = [first, last].map((each) => found.find(({ data }) => data === each)!);
      getSelection()!.setBaseAndExtent(anchor!, at, focus!, until);
    },
    [from, start, to, end] as const,
  );

const centerOf = async (selector: string) => {
  const { x, y, width, height } = (await editor().locator(selector).first().boundingBox())!;
  return [x + width / 2, y + height / 2] as const;
};

type Point = readonly [number, number];

async function drag([x, y]: Point, to: Point, key?: string): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 5, y + 5, { steps: 5 });
  if (key !== undefined) await page.keyboard.down(key);
  await page.mouse.move(...to, { steps: 5 });
  await page.mouse.up();
  if (key !== undefined) await page.keyboard.up(key);
}

/** Selects a whole line, up to the start of the next. */
async function selectLine(text: string): Promise<void> {
  await editor().getByText(text, { exact: true }).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
}

test("text dragged within the editor moves to where it is dropped, and text from another program is inserted", async () => {
  await openEditor("<p>alpha beta gamma</p><p>second</p>");
  await selectText("alpha beta gamma", 0, "alpha beta gamma", 6);
  await drag(await findPoint("alpha", 2), await findPoint("second", 6));
  await waitForValue(readShown, "<p>beta gamma</p><p>secondalpha </p>");
  await page.keyboard.press("Control+Home");
  const [clientX, clientY] = await findPoint("second", 6);
  await editor()
    .getByText("second")
    .evaluate(
      (line, at) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData("text/plain", " dropped ");
        const options = { bubbles: true, cancelable: true, dataTransfer };
        line.dispatchEvent(new DragEvent("drop", { ...options, ...at }));
      },
      { clientX, clientY },
    );
  await waitForValue(readShown, "<p>beta gamma</p><p>second droppedalpha </p>");
});

test("content dragged within the editor keeps its styles, links and pictures, and is copied with Ctrl or Option", async () => {
  const uploads: string[] = [];
  page.on("request", (request) => uploads.push(...(/upload$/.exec(request.url()) ?? [])));
  const { url } = await uploadPicture(site, "stage.png", await createPicture("png", 60, 40));
  const picture = `<img src="${url}" alt="Stage">`;
  const [red, link] = ['<span style="color:#ff0000">red</span>', '<a href="/coaching">link</a>'];
  const styled = '<p style="text-align:center">styled</p><p style="margin-left:20px">indented</p>';
  const reload = async (content: string) => {
    await site.asOwner("POST", "/api/about", { content });
    await dashboard.open("about");
    ({ page } = dashboard);
    await waitForValue(readShown, content);
  };
  await reload(`<p>alpha ${red} ${link} omega</p>${styled}<p>${picture}</p><p>last</p>`);
  await selectText("red", 0, "link", 4);
  await drag(await findPoint("red", 1), await findPoint("last", 4));
  const moved = `<p>last${red} ${link}</p>`;
  await waitForValue(readShown, `<p>alpha  omega</p>${styled}<p>${picture}</p>${moved}`);
  await drag(await centerOf("img"), await findPoint("alpha", 5));
  await waitForValue(readShown, `<p>alpha${picture}  omega</p>${styled}${moved}`);
  await selectText("styled", 0, "indented", 8);
  await drag(await findPoint("styled", 3), await findPoint("last", 2));
  const rest = `${styled}<p>st${red} ${link}</p>`;
  await waitForValue(readShown, `<p>alpha${picture}  omega</p><p>la</p>${rest}`);
  for (const [key, copied] of [
    ["Control", `<p>la${picture}</p>`],
    ["Alt", `<p>la${picture}${picture}</p>`],
  ] as const) {
    await drag(await centerOf("img"), await findPoint("la", 2), key);
    await waitForValue(readShown, `<p>alpha${picture}  omega</p>${copied}${rest}`);
  }
  await reload("<ul><li>One</li><li>Two</li><li>Three</li></ul><p>After</p>");
  await selectText("One", 1, "Two", 1);
  // A selection that is dropped onto itself stays.
  await drag(await findPoint("One", 2), await findPoint("Two", 0));
  await drag(await findPoint("One", 2), await findPoint("After", 5));
  await waitForValue(
    readShown,
    "<ul><li>Owo</li><li>Three</li></ul><p>After</p><ul><li>ne</li><li>T</li></ul>",
  );
  await page.waitUntilSettled();
  expect(uploads).toEqual([]);
  // A picture copied from a page has an absolute URL.
  await pasteOver({ "text/html": `<p>Of ${picture.replace(url, site.url + url)}</p>` });
  await waitForValue(readShown, `<p>Of ${picture}</p>`);
});

test("pasting over parts of two list items or paragraphs joins them, and list items pasted into a list become its items", async () => {
  await openEditor("<ul><li>One</li><li>Two</li></ul><p>After</p>");
  await selectText("One", 1, "Two", 2);
  await pasteFormats({ "text/plain": "XX" });
  await waitForValue(readShown, "<ul><li>OXXo</li></ul><p>After</p>");
  await selectText("OXXo", 3, "After", 2);
  await pasteFormats({ "text/plain": "YY" });
  await waitForValue(readShown, "<ul><li>OXXYYter</li></ul>");
  await page.keyboard.press("End");
  await pasteHtml("<ul><li>A</li><li>B</li></ul>");
  await page.keyboard.type("!");
  await waitForValue(readShown, "<ul><li>OXXYYter</li><li>A</li><li>B!</li></ul>");
});

test("pasting over several paragraphs or list items leaves a single one, and pasting over a line keeps the next line", async () => {
  const texts = [
    ["<p>One</p><p>Two</p>", "<p>XX</p>"],
    ["<h2>One</h2><p>Between</p><h3>Two</h3>", "<h2>XX</h2>"],
    ["<ul><li>One</li><li>Two</li></ul>", "<ul><li>XX</li></ul>"],
    ["<p>One</p><ul><li>Outer<ul><li>Two</li></ul></li></ul>", "<p>XX</p>"],
    ["<blockquote><p>One</p><p>Two</p></blockquote>", "<blockquote><p>XX</p></blockquote>"],
  ] as const;
  for (const [before, after] of texts) {
    await openEditor(before);
    await selectText("One", 0, "Two", 3);
    await pasteFormats({ "text/plain": "XX" });
    await waitForValue(readShown, after);
  }
  await openEditor(texts[0][0]);
  await selectText("One", 0, "Two", 3);
  await pasteFormats({ "text/plain": "XX" });
  await save();
  expect(await readStored()).toBe(texts[0][1]);
  const lines = [
    ["<p>One</p><p>Two</p>", "<p>XX</p><p>Two</p>"],
    [
      "<ul><li>Outer<ul><li>One</li><li>Two</li></ul></li></ul>",
      "<ul><li>Outer<ul><li>XX</li><li>Two</li></ul></li></ul>",
    ],
  ] as const;
  for (const [before, after] of lines) {
    await openEditor(before);
    await selectLine("One");
    await pasteFormats({ "text/plain": "XX" });
    await waitForValue(readShown, after);
    await openEditor(before);
    await editor().getByText("One", { exact: true }).click({ clickCount: 3 });
    await pasteFormats({ "text/plain": "XX" });
    await waitForValue(readShown, after);
  }
});

test("text pasted over a selection across a nested list's edge stays in the list item where the selection began", async () => {
  await openEditor("<ul><li>One<ul><li>Two</li><li>Three</li></ul></li></ul>");
  await selectText("One", 1, "Two", 2);
  await pasteFormats({ "text/plain": "XX" });
  await waitForValue(readShown, "<ul><li>OXXo<ul><li>Three</li></ul></li></ul>");
  await openEditor("<ul><li>One<ul><li>Two</li></ul></li></ul><p>After</p>");
  await selectText("Two", 1, "After", 2);
  await pasteFormats({ "text/plain": "YY" });
  await waitForValue(readShown, "<ul><li>One<ul><li>TYYter</li></ul></li></ul>");
});

test("Backspace and Delete remove a whole emoji", async () => {
  await openEditor("<p>a👩🏽‍🚀🇬🇧b</p>");
  await page.keyboard.press("End");
  for (const left of ["<p>a👩🏽‍🚀🇬🇧</p>", "<p>a👩🏽‍🚀</p>", "<p>a</p>"]) {
    await page.keyboard.press("Backspace");
    await waitForValue(readShown, left);
  }
  await openEditor("<p>👨‍👩‍👧a</p>");
  await page.keyboard.press("Home");
  await page.keyboard.press("Delete");
  await waitForValue(readShown, "<p>a</p>");
  await openEditor("<p>12\u{fe0f}\u{20e3}#\u{fe0f}\u{20e3}</p>");
  await page.keyboard.press("End");
  for (const left of ["<p>12\u{fe0f}\u{20e3}</p>", "<p>1</p>"]) {
    await page.keyboard.press("Backspace");
    await waitForValue(readShown, left);
  }
  await openEditor("<p>*\u{20e3}a</p>");
  await page.keyboard.press("Home");
  await page.keyboard.press("Delete");
  await waitForValue(readShown, "<p>a</p>");
});

test("the checkboxes of a Google Docs checklist are not uploaded as pictures", async () => {
  const uploads: string[] = [];
  page.on("request", (request) => uploads.push(...(/upload$/.exec(request.url()) ?? [])));
  const box = Buffer.from(await createPicture("png", 18, 18)).toString("base64");
  await pasteOver({
    "text/html": `<ul><li role="checkbox" aria-checked="false"><img src="data:image/png;base64,${box}" alt="unchecked" aria-roledescription="checkbox" /><p role="presentation">Tune the piano</p></li></ul>`,
    "text/plain": "plain",
  });
  await waitForValue(readShown, "<ul><li>Tune the piano</li></ul>");
  await page.waitUntilSettled();
  expect(uploads).toEqual([]);
});
