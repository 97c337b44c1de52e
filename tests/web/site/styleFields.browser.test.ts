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

/** The computed styles of everything below `selector`. */
async function readStyles(path: string, selector: string): Promise<string> {
  await page.goto(site.url + path);
  return page.evaluate((root) => {
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
  }, selector);
}

const SECTIONS = [
  ["highlightSettings", "/", "#highlights"],
  ["connectSettings", "/", "#connect"],
  ["pressSettings", "/", "#press"],
  ["transformationSettings", "/coaching", "#transformations"],
] as const;
test.each(SECTIONS)(
  "each color of %s changes a computed style of its section",
  async (key, path, selector) => {
    let before = await readStyles(path, selector);
    for (const name of ["backgroundColor", "textColor", "accentColor"]) {
      const color = name === "backgroundColor" ? "#123456" : "#FEDCBA";
      await site.asOwner("POST", `/api/${entities[key].name}`, { [name]: color });
      const after = await readStyles(path, selector);
      expect([name, after === before]).toEqual([name, false]);
      before = after;
    }
  },
);
