/** Before and after, as visitors move it (specification, section 2.4). */
import { beforeAll, describe, expect, test } from "bun:test";
import { newPage, type PageOptions } from "../../support/browser.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";

const site = sampleSite();

beforeAll(async () => {
  const items: { id: string; imageUrl: string }[] = await site.asOwner(
    "GET",
    "/api/transformations",
  );
  const [first, second] = items;
  for (const [item, other] of [
    [first!, second!],
    [second!, first!],
  ] as const)
    await site.asOwner("PUT", `/api/transformations/${item.id}`, {
      beforeUrl: other.imageUrl,
      consent: "Mia agreed by email on 3 May.",
    });
});

async function opened(options: PageOptions = {}) {
  const page = await newPage(options);
  await page.goto(`${site.url}/coaching`);
  const pair = page.locator("[data-pair]").first();
  await pair.scrollIntoViewIfNeeded();
  const cut = () =>
    pair
      .locator("img")
      .nth(1)
      .evaluate((each) => getComputedStyle(each).clipPath);
  return { page, pair, range: pair.getByRole("slider"), cut };
}

test("arrow keys, Home and End move the line, and the cut follows", async () => {
  const { page, range, cut } = await opened();
  expect(await range.getAttribute("aria-label")).toStartWith("Before and after: ");
  expect(await cut()).toBe("inset(0px 0px 0px 50%)");
  await range.focus();
  await page.keyboard.press("ArrowRight");
  expect(await cut()).toBe("inset(0px 0px 0px 51%)");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  expect(await cut()).toBe("inset(0px 0px 0px 49%)");
  await page.keyboard.press("End");
  expect(await cut()).toBe("inset(0px 0px 0px 100%)");
  await page.keyboard.press("Home");
  expect(await cut()).toBe("inset(0px 0px 0px 0%)");
});

test("the cut is where the grip is, from edge to edge, and a pair doesn't open", async () => {
  const { page, pair, cut } = await opened();
  const box = (await pair.boundingBox())!;
  for (const share of [0.02, 0.3, 0.98]) {
    await page.mouse.click(box.x + box.width * share, box.y + box.height / 3);
    const at = Number(/(\d+)%/.exec(await cut())![1]);
    expect(Math.abs(at / 100 - share)).toBeLessThan(0.011);
  }
  expect(await page.locator("dialog[open]").count()).toBe(0);
  // The other pictures do.
  await page.locator(".poster-opener").first().click();
  await page.locator("dialog[open]").waitFor();
});

test("a finger that moves up and down lets the page scroll", async () => {
  const { range } = await opened({ width: 390 });
  expect(await range.evaluate((each) => getComputedStyle(each).touchAction)).toBe("pan-y");
});

test("without scripts the two stand side by side", async () => {
  const { pair, range } = await opened({ javaScript: false });
  const [before, after] = await pair
    .locator("img")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  expect(Math.round(before.right)).toBe(Math.round(after.left));
  expect(await range.isVisible()).toBe(false);
});

test("in forced colors the line and its grip are there", async () => {
  const { page, range } = await opened();
  await page.emulateMedia({ forcedColors: "active" });
  expect(await range.evaluate((each) => getComputedStyle(each).forcedColorAdjust)).toBe("none");
});

describe.each([390, 768, 1366])("at %i px", (width) => {
  test("a pair is as wide as a picture, on a phone as the row", async () => {
    const { page, pair } = await opened({ width });
    const wide = (await pair.boundingBox())!.width;
    const other = (await page.locator(".poster:not(.pair)").first().boundingBox())!.width;
    if (width === 390) expect(wide).toBeGreaterThan(other * 1.9);
    else expect(Math.round(wide)).toBe(Math.round(other));
  });
});

test("nothing is wrong with it at three widths", async () => {
  const { page } = await opened();
  await expectSoundAtWidths(page);
});
