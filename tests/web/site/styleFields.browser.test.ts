/**
 * The effect of each color of a section on the page (specification, section 3.10); that of the look's fields is in
 * themes.browser.test.ts.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { newPage, type TestPage } from "../../support/browser.ts";
import { onlyItems } from "../../support/onlyItems.ts";
import { emptySite } from "../../support/siteInBrowser.ts";

const site = emptySite();
let page: TestPage;

const imageUrl = "https://pictures.example/a.jpg";

beforeAll(async () => {
  await onlyItems(site, "/api/statistics", [{ value: "15+", label: "Years" }]);
  await onlyItems(site, "/api/highlights", [{ title: "Opening night", imageUrl }]);
  const link = { platform: "website", url: "https://a.example", displayText: "Site" };
  await onlyItems(site, "/api/connect-links", [{ ...link, isActive: true }]);
  await onlyItems(site, "/api/press-features", [{ name: "Ledger", subtitle: "Cover story" }]);
  await onlyItems(site, "/api/transformations", [{ imageUrl }]);
  page = await newPage({ width: 1366 });
});
afterAll(() => page.close());

const SECTIONS = [
  ["highlightSettings", "/", "#highlights"],
  ["connectSettings", "/", "#connect"],
  ["pressSettings", "/", "#press"],
  ["transformationSettings", "/coaching", "#transformations"],
] as const;

/** The computed styles of everything in each section. */
async function readStyles(): Promise<string[]> {
  const styles: string[] = [];
  for (const [, path, selector] of SECTIONS) {
    if (new URL(page.url()).pathname !== path || selector === "#highlights")
      await page.goto(site.url + path);
    styles.push(await page.evaluate(stylesIn, selector));
  }
  return styles;
}

/** Runs in the page. */
function stylesIn(root: string): string {
  const NAMES =
    /^(?:(?:background|border.*|outline|text-decoration)-color|color|fill|stroke|background-image|border-.*-radius|font-(?:family|size)|box-shadow)$/;
  const names = [...getComputedStyle(document.body)].filter((name) => NAMES.test(name));
  const lines: string[] = [];
  for (const each of document.querySelectorAll(`${root}, ${root} *`))
    for (const pseudo of [undefined, "::before", "::after"]) {
      const style = getComputedStyle(each, pseudo);
      for (const name of names) lines.push(style.getPropertyValue(name));
    }
  return lines.join();
}

test("each color of a section changes a computed style of it", async () => {
  await page.goto(site.url);
  let before = await readStyles();
  for (const name of ["backgroundColor", "textColor", "accentColor"]) {
    const color = name === "backgroundColor" ? "#123456" : "#FEDCBA";
    for (const [key] of SECTIONS)
      await site.asOwner("POST", `/api/${entities[key].name}`, { [name]: color });
    const after = await readStyles();
    for (const [at, [key]] of SECTIONS.entries())
      expect([key, name, after[at] === before[at]]).toEqual([key, name, false]);
    before = after;
  }
});
