/**
 * Faults that a designer would see first: holes in rows, bullets, touching letters, voids below a picture. One look of
 * each layout is tried, and all with COMBINATIONS=all.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import { entities } from "../../../src/schema/index.ts";
import { LOOKS } from "../../../src/schema/looks/looks.ts";
import { heightAt, newPage, openPublicPage, type TestPage } from "../../support/browser.ts";
import { styleOf } from "../../support/pageState.ts";
import { portraitFile, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { LOOK_OF_EACH_LAYOUT, wear } from "../../support/wear.ts";

const site = sampleSite();
const IS_COMPLETE = process.env["COMBINATIONS"] === "all";

describe("the rows", () => {
  const LISTS = [
    ["highlights", "/", "#highlights .posters > li"],
    ["transformations", "/coaching", "#transformations .transformations > li"],
  ] as const;

  test.each(LISTS)("of %s have no gap where rows of three or four can be full", async (...list) => {
    const [name, path, selector] = list;
    const stored = site.store.of(entities[name] as typeof entities.highlights);
    const { value: items } = stored.read();
    await stored.update(() =>
      Array.from({ length: 9 }, (_, order) => ({
        ...items[order % items.length]!,
        id: Bun.randomUUIDv7(),
        order,
      })),
    );
    const page = await openPublicPage(site, path);
    const seen: number[][] = [];
    for (const count of [9, 8, 6, 5]) {
      await page.locator(selector).evaluateAll((all, most) => {
        for (const each of all.slice(most)) each.remove();
      }, count);
      for (const width of count === 5 ? [1366, 768] : [768, 1024, 1280, 1920]) {
        const [first, last] = await rowsOf(page, selector, width);
        seen.push([count, width, first!, last!]);
      }
    }
    await stored.update(() => items);
    const holes = seen.filter(([count, , first, last]) => count !== 5 && first !== last);
    expect(holes).toEqual([]);
    // Five, which fill no rows, have as many columns as others.
    expect(seen.slice(-2)).toEqual([
      [5, 1366, 4, 1],
      [5, 768, 2, 1],
    ]);
    if (path === "/") return;
    for (const [width, columns] of [
      [639, 1],
      [640, 2],
    ] as const)
      expect([width, (await rowsOf(page, selector, width))[0]]).toEqual([width, columns]);
  });

  test.each([
    [1, 1, 1],
    [3, 3, 2],
  ])("of %d highlights are full, with %d on a wide page and %d on a tablet", async (...row) => {
    const [count, wide, medium] = row;
    const stored = site.store.of(entities.highlights);
    const { value: all } = stored.read();
    await stored.update(() => all.slice(0, count));
    const page = await openPublicPage(site, "/");
    for (const [width, expected] of [
      [1366, wide],
      [768, medium],
    ] as const) {
      expect((await rowsOf(page, LISTS[0][2], width))[0]).toBe(expected);
      const edges = await page
        .locator(LISTS[0][2])
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().right));
      const edge = width - parseFloat(await styleOf(page, "#highlights", "padding-right"));
      expect(Math.round(edges[expected - 1]!)).toBe(Math.round(edge));
    }
    await stored.update(() => all);
  });
});

/** The number of elements in the first and in the last row. */
async function rowsOf(page: TestPage, selector: string, width: number): Promise<number[]> {
  await page.setViewportSize({ width, height: heightAt(width) });
  const tops = await page
    .locator(selector)
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  return [tops[0], tops.at(-1)].map((top) => tops.filter((each) => each === top).length);
}

describe("a first screen", () => {
  let wide: string;
  let sample: string;
  beforeAll(async () => {
    const portrait = REAL_PORTRAITS.find(({ name }) => name === "collins-wide")!;
    ({ url: wide } = await uploadPicture(site, "wide.jpg", await portraitFile(portrait)));
    ({ backgroundImage: sample } = await site.asOwner("GET", "/api/hero"));
  });
  afterAll(() => site.asOwner("POST", "/api/hero", { backgroundImage: sample }));
  const NAMES = (IS_COMPLETE ? LOOKS : LOOK_OF_EACH_LAYOUT).map(
    (look) => [look.label, look] as const,
  );

  test.each(NAMES)(
    "in %s has the tagline's bullet centered between words, and no empty space under a wide photo",
    async (_, look) => {
      await wear(site, look);
      // With another photo or none the text alone is elsewhere, in one layout.
      for (const backgroundImage of look.styles.heroLayout === "stage"
        ? [sample, wide, null]
        : [wide]) {
        await site.asOwner("POST", "/api/hero", { backgroundImage });
        const page = await openPublicPage(site, "/", { width: 390 });
        const [before, after] = await page.locator(".tagline").evaluate(besideBullet);
        expect(before).toBeGreaterThan(4);
        expect(Math.abs(before! - after!)).toBeLessThan(2);
        if (backgroundImage !== wide) continue;
        expect(Math.max(...(await page.locator(".hero").evaluate(gapsIn)))).toBeLessThan(64);
      }
    },
  );

  test("in Neon has no hairline between its letters", async () => {
    await wear(site, "neon");
    await site.asOwner("POST", "/api/hero", { backgroundImage: null });
    const page = await newPage({ density: 2 });
    await page.visit(site.url);
    const box = (await page.locator(".hero-title").boundingBox())!;
    const { data, width, height, channels } = decode(await page.screenshot({ clip: box }));
    const isLit = (x: number, y: number) => data[channels * (y * width + x)]! > 128;
    const litRows = Array.from({ length: height }, (_, y) => y).filter((y) =>
      Array.from({ length: width }, (_, x) => x).some((x) => isLit(x, y)),
    );
    // The feet of most letters are near the bottom of the drawn rows.
    const foot = litRows[Math.round(litRows.length * 0.95)]!;
    const line = Array.from({ length: width }, (_, x) => (isLit(x, foot) ? "x" : " ")).join("");
    const gaps = line
      .trim()
      .match(/ +/g)!
      .map(({ length }) => length);
    expect(gaps.length).toBeGreaterThan(5);
    expect(Math.min(...gaps)).toBeGreaterThan(4);
  });
});

/** Runs in the page: the space before and after the bullet of the second item. */
function besideBullet(tagline: Element): number[] {
  const [first, second] = [...tagline.querySelectorAll("li")].map((item) => {
    const range = document.createRange();
    range.selectNodeContents(item);
    return { item, box: range.getBoundingClientRect() };
  });
  const bullet = getComputedStyle(second!.item, "::before");
  const [after, size] = [bullet.marginInlineEnd, bullet.width].map(Number.parseFloat);
  return [second!.box.left - after! - size! - first!.box.right, after!];
}

/** Runs in the page: the empty space between the parts of a first screen, and below the last. */
function gapsIn(hero: Element): number[] {
  const parts = [...hero.querySelectorAll(".hero-picture, h1, .hero-subtitle, .tagline, .button")];
  const boxes = parts
    .map((part) => part.getBoundingClientRect())
    .filter(({ height }) => height > 0);
  boxes.sort((a, b) => a.top - b.top);
  const tops = [...boxes.slice(1).map(({ top }) => top), hero.getBoundingClientRect().bottom];
  return boxes.map(({ bottom }, at) => tops[at]! - bottom);
}
