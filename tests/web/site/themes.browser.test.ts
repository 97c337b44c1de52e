/** The public pages with other styles and content at its limits (specification, section 3.10). */
import { beforeAll, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { newPage, openPublicPage, type TestPage } from "../../support/browser.ts";
import { replaceForms } from "../../support/enquiryForm.ts";
import { inspectAtWidths, expectAccessibleAtWidths } from "../../support/expectAccessible.ts";
import { measureOverflow, readStyle } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { waitUntilStable, waitTwoFrames } from "../../support/waits.ts";

const PAGES = ["/", "/privacy-policy", "/coaching"];
const LIGHT = {
  headingFont: "Playfair Display",
  bodyFont: "Lora",
  primaryColor: "#B00020",
  backgroundColor: "#FFFFFF",
  textColor: "#000000",
  accentColor: "#5A3E00",
  borderRadius: "24px",
  headingSize: "xlarge",
  bodySize: "large",
  heroBackgroundColor: "#FFF4E0",
  aboutBackgroundColor: "#F0F0F0",
  sectionBackgroundColor: "#FAFAFA",
};
const LIGHT_SECTION = {
  backgroundColor: "#FFFFFF",
  textColor: "#111111",
  accentColor: "#B00020",
};

const site = setUpSampleSite();

const SECTIONS = [
  ["highlightSettings", "/", "#highlights"],
  ["connectSettings", "/", "#connect"],
  ["pressSettings", "/", "#press"],
  ["transformationSettings", "/coaching", "#transformations"],
] as const;

test("each color setting of a section changes a computed style of the section", async () => {
  const page = await openPublicPage(site, "/");
  let before = await readStyles(page);
  for (const name of ["backgroundColor", "textColor", "accentColor"]) {
    const color = name === "backgroundColor" ? "#123456" : "#FEDCBA";
    for (const [key] of SECTIONS)
      await site.asOwner("POST", `/api/${entities[key].name}`, { [name]: color });
    const after = await readStyles(page);
    for (const [at, [key]] of SECTIONS.entries())
      expect([key, name, after[at] === before[at]]).toEqual([key, name, false]);
    before = after;
  }
});

/** The computed styles of everything in each section. */
async function readStyles(page: TestPage): Promise<string[]> {
  const styles: string[] = [];
  for (const [, path, selector] of SECTIONS) {
    if (new URL(page.url()).pathname !== path || selector === "#highlights")
      await page.goto(site.url + path);
    styles.push(await page.evaluate(collectStyles, selector));
  }
  return styles;
}

/** Runs in the page: the computed styles of an element and everything in it. */
function collectStyles(root: string): string {
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

test("a light theme is readable on a phone and a laptop, and all twelve style settings visibly apply", async () => {
  await site.asOwner("POST", "/api/styles", LIGHT);
  for (const section of ["highlight", "connect", "press", "transformation"])
    await site.asOwner("POST", `/api/${section}-settings`, LIGHT_SECTION);
  await site.asOwner("POST", "/api/coaching-hero", { backgroundImage: null });
  const page = await newPage({ shouldHoldToasts: true });
  const style = (selector: string, name: string) => readStyle(page, selector, name);

  await page.visit(site.url);
  expect(await style("#hero h1", "font-family")).toStartWith('"Playfair Display"');
  expect(await style("#connect .rich p", "font-family")).toStartWith("Lora");
  expect(await style(".hero-subtitle", "color")).toBe("rgb(176, 0, 32)");
  expect(await style(".foot", "background-color")).toBe("rgb(250, 250, 250)");
  expect(await style("#hero h1", "color")).toBe("rgb(0, 0, 0)");
  expect(await style(".feature-name", "color")).toBe("rgb(90, 62, 0)");
  expect(await style("#hero", "background-color")).toBe("rgb(255, 244, 224)");
  expect(await style("#about", "background-color")).toBe("rgb(240, 240, 240)");
  expect(await style("#connect .title", "font-size")).toBe("104.909px");
  expect(await style("#connect .rich", "font-size")).toBe("19px");
  expect(await style("html", "color-scheme")).toBe("light");
  expect(await style("html", "background-color")).toBe("rgb(255, 255, 255)");
  await expectAccessibleAtWidths(page, [390, 1366]);

  await page.visit(`${site.url}/privacy-policy`);
  expect(await style(".policy", "background-color")).toBe("rgb(250, 250, 250)");
  await expectAccessibleAtWidths(page, [390, 1366]);

  await page.visit(`${site.url}/coaching`);
  expect(await style(".enquiry-forward", "border-radius")).toBe("24px");
  expect(await style(".enquiry-forward", "color")).toBe("rgb(255, 255, 255)");
  // Without a picture the text is readable on the hero's dark gray.
  expect(await style("#coaching-hero", "color")).toBe("rgb(255, 255, 255)");
  expect(await style("#coaching-hero", "background-color")).toBe("rgb(26, 26, 26)");
  await page.locator(".enquiry-forward").click();
  await page.getByText("Validation Error").waitFor();
  await expectAccessibleAtWidths(page, [390, 1366]);
});

test("the carousel's bars for fifty highlights stay in one row, with the current bar in view", async () => {
  await site.store.of(entities.highlights).update((all) =>
    Array.from({ length: 50 }, (_, order) => ({
      ...all[order % all.length]!,
      id: Bun.randomUUIDv7(),
      order,
    })),
  );
  const page = await openPublicPage(site, "/", { width: 390 });
  const bars = page.locator(".carousel-bars");
  expect((await bars.boundingBox())!.height).toBeLessThanOrEqual(44);
  await page.getByRole("button", { name: "Previous", exact: true }).click();
  const last = page.locator('[aria-label="Go to highlight 50"][aria-current]');
  await last.waitFor();
  await waitUntilStable(page);
  const [row, bar] = [(await bars.boundingBox())!, (await last.boundingBox())!];
  expect(bar.x + bar.width).toBeLessThanOrEqual(row.x + row.width + 1);
});

test("a picture that can't be loaded covers nothing of the page", async () => {
  const content = '<p>Before</p><p><img src="/uploads/gone.webp" alt=""> after</p>';
  await site.asOwner("POST", "/api/about", { title: "ABOUT", content });
  await site.asOwner("POST", "/api/transformations", { imageUrl: "/uploads/gone.webp", order: 0 });
  const page = await openPublicPage(site, "/");
  await page.evaluate(() => document.querySelector("#about .rich img")!.scrollIntoView());
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>("#about .rich img")!.complete,
  );
  await waitTwoFrames(page);
  await page.evaluate(() => scrollTo(0, 0));
  const onTop = await page.locator("#hero h1").evaluate((title) => {
    const { x, y, height } = title.getBoundingClientRect();
    return document.elementFromPoint(x + 20, y + height / 2)!.localName;
  });
  expect(onTop).toBe("h1");
  await page.visit(`${site.url}/coaching`);
  await page.locator("#transformations button").first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});

describe("an unbroken word widens no page", () => {
  const WORD = "W".repeat(80);
  const text = `<p>${WORD}</p><h1>${WORD}</h1><ul><li><a href="https://example.com/${WORD}">${WORD}</a></li></ul>`;

  beforeAll(async () => {
    const save = (path: string, body: unknown) => site.asOwner("POST", path, body);
    const pictures = await site.asOwner<{ url: string }[]>("GET", "/api/uploads");
    const picture = pictures[0]!.url;
    await save("/api/site", { name: WORD, agencyName: WORD, agencyUrl: "https://example.com" });
    await save("/api/hero", { mainTitle: WORD, subtitle: WORD, tagline: `${WORD} • ${WORD}` });
    await save("/api/about", { title: WORD, content: text });
    await save("/api/statistics", { value: "W".repeat(20), label: WORD, order: 0 });
    await save("/api/highlights", { title: WORD, subtitle: WORD, imageUrl: picture, order: 0 });
    await save("/api/highlight-settings", { heading: WORD });
    await save("/api/connect-settings", { heading: WORD, description: text });
    await save("/api/connect-links", {
      url: "https://example.com/vera",
      displayText: WORD,
      order: 0,
    });
    await save("/api/press-settings", { heading: WORD, description: WORD });
    await save("/api/press-features", {
      name: WORD,
      subtitle: WORD,
      description: WORD,
      order: 0,
    });
    await save("/api/coaching-hero", { mainTitle: WORD, subtitle: WORD, tagline: WORD });
    await save("/api/transformation-settings", { heading: WORD, description: WORD });
    await save("/api/transformations", { imageUrl: picture, title: WORD, order: 0 });
    const options = `${WORD}, ${WORD}x`;
    const fields = [
      { label: WORD, isRequired: true },
      { label: `${WORD}1`, fieldType: "radio", options },
      { label: `${WORD}2`, fieldType: "checkbox", options },
      { label: `${WORD}3`, fieldType: "select", options },
      { label: `${WORD}4`, fieldType: "international_phone" },
      { label: `${WORD}5`, fieldType: "country" },
    ] as const;
    await replaceForms(site, [{ title: WORD, fields }], { title: WORD, description: WORD });
  });

  test("on the narrowest phone and a laptop", async () => {
    const page = await newPage();
    for (const path of [...PAGES, "/nowhere"]) {
      await page.visit(site.url + path);
      await inspectAtWidths(page, [320, 1366], async () => {
        await waitUntilStable(page);
        // Clipped text is looked for first, since a page that hides its overflow isn't wider.
        expect(await findClipped(page)).toEqual([]);
        expect(await measureOverflow(page)).toBe(0);
        for (const title of await page.locator("#hero h1, #about-title").all())
          expect(
            await title.evaluate((each) => parseFloat(getComputedStyle(each).fontSize)),
          ).toBeGreaterThanOrEqual(20);
      });
    }
  });

  /** Elements whose text extends beyond the window. */
  const findClipped = (from: TestPage): Promise<string[]> =>
    from.evaluate(() => {
      const clipped: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement!;
        if (!node.textContent?.includes("WWWWWW") || !parent.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right, width } = range.getBoundingClientRect();
        // A name in the bar ends in an ellipsis; the carousel's other pictures are beside it.
        if (
          getComputedStyle(parent).textOverflow === "ellipsis" ||
          parent.closest("#highlights .poster")
        )
          continue;
        const isShown =
          width > 1 && parent.closest("[hidden], .visually-hidden, select, script") === null;
        if (isShown && (left < -1 || right > window.innerWidth + 1))
          clipped.push(
            `${parent.tagName}.${parent.className}: ${Math.round(left)} to ${Math.round(right)}`,
          );
      }
      return clipped;
    });
});
