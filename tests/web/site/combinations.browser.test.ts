/**
 * Combinations of parts on a first screen: looks, photos, extras, widths and pages. Each look is tried once, so that no
 * two have the same photo and extras, at every third width of one of the pages that have a photo (both without extras),
 * and by turns of one without; every combination with COMBINATIONS=all.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import {
  computeRgbLuminance,
  computeLuminanceContrast,
} from "../../../src/schema/core/luminance.ts";
import { type Arrangement, arrangedSite, arrangements } from "../../support/arrangements.ts";
import { newPage, type TestPage } from "../../support/browser.ts";
import { boxesOnPage, type Written } from "../../support/boxesOnPage.ts";
import { meets } from "../../support/facesOnPage.ts";
import { EXTRAS } from "../../support/allExtras.ts";
import { sideways } from "../../support/pageState.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { waitUntilStable } from "../../support/waits.ts";

const site = sampleSite();
const IS_COMPLETE = process.env["COMBINATIONS"] === "all";
const SIZES = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1280, 800],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
] as const;
const PAGES = ["/", "/coaching", "/book", "/privacy-policy", "/nowhere"] as const;

let arrange: (to: Arrangement) => Promise<void>;

beforeAll(async () => {
  arrange = await arrangedSite(site);
  const forms: { id: string }[] = await site.asOwner("GET", "/api/forms");
  const [form] = forms;
  await site.asOwner("PUT", `/api/forms/${form!.id}`, { path: "book" });
});

const TRIED = arrangements(!IS_COMPLETE)
  // Each look with one of the photos.
  .filter((_, at) => IS_COMPLETE || at % 3 === (Math.floor(at / 3) + Number(at > 8)) % 3)
  .map((each, at) => [each.look.label, each.photo, each.added, each, at] as const);

test.each(TRIED)("%s with %s photo and %s added", async (_, __, ___, arrangement, at) => {
  await arrange(arrangement);
  const page = await newPage();
  const wrong: string[] = [];
  const other = at % 2 === 1 ? [PAGES[2 + (at >> 1)]!] : [];
  // Without extras photo and title are largest, and coaching's title has two lines above its button.
  const isLargest = arrangement.photo !== "none" && arrangement.added === "nothing";
  const first = at % 3 === 2 ? ["/coaching"] : ["/", ...(isLargest ? ["/coaching"] : [])];
  const paths = IS_COMPLETE ? PAGES : [...first, ...other];
  for (const path of paths) {
    await page.setViewportSize({ width: SIZES[0][0], height: SIZES[0][1] });
    await page.visit(site.url + path);
    const turn = (path === "/" ? at : at >> 1) % 3;
    // One of those from a tablet on is also looked at for its contrast.
    const looked = [3, 4, 5, 6, 7, 2][turn + 3 * ((at >> 1) % 2)];
    for (const [index, [width, height]] of SIZES.entries()) {
      if (!IS_COMPLETE && index % 3 !== turn) continue;
      await page.setViewportSize({ width, height });
      const faults = await faultsOn(page);
      if (IS_COMPLETE || index === looked) faults.push(...(await hardToRead(page)));
      wrong.push(...faults.map((fault) => `${path} at ${width}: ${fault}`));
    }
  }
  expect(wrong).toEqual([]);
});

/** Elements under the bar, over a portrait or on the announcement, cut off elements, and a button out of sight. */
async function faultsOn(page: TestPage): Promise<string[]> {
  const { bar, announcement, picture, below, button } = await page.evaluate(boxesOnPage);
  const { height } = page.viewportSize()!;
  const named = (fault: string, boxes: readonly { readonly label: string }[]) =>
    boxes.map(({ label }) => `${fault}: ${label}`);
  const covering = picture ? [...bar, ...announcement].filter((each) => meets(each, picture)) : [];
  const covered = announcement.filter((each) => below.some((other) => meets(each, other)));
  return [
    ...((await sideways(page)) > 0 ? ["scrolls sideways"] : []),
    ...named(
      "under the bar",
      [...announcement, ...below].filter(({ top }) => top < barOf(page) - 1),
    ),
    ...named("over the picture", covering),
    ...named("on the announcement", covered),
    ...named(
      "below the fold",
      button.filter(({ bottom }) => bottom > height),
    ),
  ];
}

/** The bar's height, which grows with the window (page.css). */
const barOf = (page: TestPage) =>
  4 * Math.min(22, Math.max(16, 9.3328 + 0.004167 * page.viewportSize()!.width));

/** Text of the bar with little contrast to the pixels behind it, which are read without the text. */
async function hardToRead(page: TestPage): Promise<string[]> {
  const { bar } = await page.evaluate(boxesOnPage);
  await page.evaluate(hideBar, true);
  await waitUntilStable(page);
  const { data, width, channels } = decode(await page.screenshot());
  await page.evaluate(hideBar, false);
  const least = (box: Written): number => {
    const ratios: number[] = [];
    for (let y = Math.ceil(Math.max(0, box.top)); y < box.bottom; y += 3)
      for (let x = Math.ceil(Math.max(0, box.left)); x < Math.min(width, box.right); x += 3) {
        const [red, green, blue] = data.subarray(channels * (y * width + x)) as Uint8Array;
        ratios.push(
          computeLuminanceContrast(
            computeRgbLuminance(box.color),
            computeRgbLuminance([red!, green!, blue!]),
          ),
        );
      }
    ratios.sort((a, b) => a - b);
    return ratios[Math.floor(ratios.length / 20)] ?? 21;
  };
  return bar
    .map((box) => ({ what: box.label, ratio: least(box) }))
    .filter(({ ratio }) => ratio < 4.5)
    .map(({ what, ratio }) => `hard to read, ${ratio.toFixed(1)} : 1: ${what}`);
}

/** Runs in the page. */
function hideBar(isHidden: boolean): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".bar * { visibility: hidden !important }");
  document.adoptedStyleSheets = isHidden ? [sheet] : [];
}

/** By default each is in one pair: others meet where there is everything. */
const PAIRS = EXTRAS.flatMap((one, at) =>
  (IS_COMPLETE ? EXTRAS.slice(at) : at < EXTRAS.length / 2 ? [EXTRAS.at(-1 - at)!] : []).map(
    (other) => [one, other] as const,
  ),
);

describe("each extra with each other", () => {
  test.each(PAIRS)("%s and %s show both, with nothing cut off", async (one, other) => {
    await site.asOwner("POST", "/api/extras", { on: [...new Set([one, other])] });
    const page = await newPage({ width: 390 });
    await page.visit(`${site.url}/`);
    for (const each of [one, other])
      expect(await page.locator(SHOWN[each]!).count()).toBeGreaterThan(0);
    expect(await faultsOn(page)).toEqual([]);
    expect(page.problems()).toEqual([]);
  });
});

/** An extra's element on the home page. */
const SHOWN: Readonly<Record<string, string>> = {
  announcement: ".announcement",
  ...Object.fromEntries(
    ["showreel", "dates", "testimonials", "packages"].map((each) => [each, `#${each}`]),
  ),
};
