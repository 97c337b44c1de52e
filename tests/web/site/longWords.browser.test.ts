/** An unbroken word widens no page, wherever the owner or a visitor puts it. */
import { afterEach, beforeAll, expect, test } from "bun:test";
import { closePages, openPublicPage, type TestPage } from "../../support/browser.ts";
import { loggedInPage } from "../../support/dashboard.ts";
import { onlyForm } from "../../support/enquiryForm.ts";
import { atWidths } from "../../support/expectSound.ts";
import { sideways } from "../../support/pageState.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { still } from "../../support/waits.ts";

const site = sampleSite();
const WORD = "W".repeat(80);
const text = `<p>${WORD}</p><h1>${WORD}</h1><ul><li><a href="https://example.com/${WORD}">${WORD}</a></li></ul>`;
afterEach(closePages);

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
  await onlyForm(site, [{ title: WORD, fields }], { title: WORD, description: WORD });
});

test.each(["/", "/coaching", "/privacy-policy", "/nowhere"])("%s at three widths", async (path) => {
  const page = await openPublicPage(site, path);
  await atWidths(page, [320, 390, 1366], async () => {
    await still(page);
    // First, as a page that hides its overflow would not be wider.
    expect(await cutOff(page)).toEqual([]);
    expect(await sideways(page)).toBe(0);
    for (const title of await page.locator("#hero h1, #about-title").all())
      expect(
        await title.evaluate((each) => parseFloat(getComputedStyle(each).fontSize)),
      ).toBeGreaterThanOrEqual(20);
  });
});

/** The elements whose words reach over the window's edges. */
const cutOff = (from: TestPage): Promise<string[]> =>
  from.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!;
      if (!node.textContent?.includes("WWWWWW") || !parent.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, width } = range.getBoundingClientRect();
      // A name in the bar ends in three dots; the carousel's other pictures wait at its side.
      if (
        getComputedStyle(parent).textOverflow === "ellipsis" ||
        parent.closest("#highlights .poster")
      )
        continue;
      const isShown = width > 1 && parent.closest("[hidden], .ui-hidden, select, script") === null;
      if (isShown && (left < -1 || right > window.innerWidth + 1))
        found.push(
          `${parent.tagName}.${parent.className}: ${Math.round(left)} to ${Math.round(right)}`,
        );
    }
    return found;
  });

test("no tab of the dashboard at 390 pixels", async () => {
  const page = await loggedInPage(site, { width: 390 });
  for (const tab of ["hero", "about", "connect", "press", "coaching", "forms", "email", "styles"]) {
    await page.goto(`${site.url}/admin/dashboard?tab=${tab}`);
    await page.locator(".tab-head").waitFor();
    await still(page);
    expect([tab, await sideways(page)]).toEqual([tab, 0]);
  }
});
