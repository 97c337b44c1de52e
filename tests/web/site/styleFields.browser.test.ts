/** The effect of each style field, and of each section color, on the page (specification, section 3.10). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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

/** The computed styles of the whole page, or below `selector`. */
async function readStyles(path: string, selector = "html"): Promise<string> {
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

const STYLES = {
  headingFont: "Lora",
  bodyFont: "Merriweather",
  primaryColor: "#123456",
  backgroundColor: "#123456",
  textColor: "#FEDCBA",
  accentColor: "#123456",
  borderRadius: "21px",
  headingSize: "small",
  bodySize: "large",
  heroBackgroundColor: "#123456",
  aboutBackgroundColor: "#123456",
  sectionBackgroundColor: "#123456",
} as const;

describe("each of the 12 style fields changes a computed style on /", () => {
  let before: string;
  beforeAll(async () => {
    before = await readStyles("/");
  });
  // Each is compared with the same page, so none may change it permanently.
  afterAll(async () => expect(await readStyles("/")).toBe(before));

  test.each(Object.entries(STYLES))("%s", async (name, value) => {
    await site.asOwner("POST", "/api/styles", { [name]: value });
    expect(await readStyles("/")).not.toBe(before);
    const { initial } = entities.styles.fields[name as keyof typeof STYLES];
    await site.asOwner("POST", "/api/styles", { [name]: initial });
  });
});

const SECTIONS = [
  ["highlightSettings", "/", "#highlights"],
  ["connectSettings", "/", "#connect"],
  ["pressSettings", "/", "#press"],
  ["transformationSettings", "/coaching", "#transformations"],
] as const;
const COLORS = ["backgroundColor", "textColor", "accentColor"] as const;

describe("each section color changes a computed style of its section", () => {
  for (const [key, path, selector] of SECTIONS)
    test.each(COLORS)(`${key}: %s`, async (name) => {
      const before = await readStyles(path, selector);
      const color = name === "backgroundColor" ? "#123456" : "#FEDCBA";
      await site.asOwner("POST", `/api/${entities[key].name}`, { [name]: color });
      expect(await readStyles(path, selector)).not.toBe(before);
    });
});
