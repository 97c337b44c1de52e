/** Rows of pictures without gaps (specification, sections 2.3 and 2.4). */
import { describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { getHeight, openPublicPage, type TestPage } from "../../support/browser.ts";
import { measureBoxes, readStyle } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";

const site = setUpSampleSite();

describe("the rows of pictures", () => {
  const LISTS = [
    ["highlights", "/", "#highlights .posters > li"],
    ["transformations", "/coaching", "#transformations .transformations > li"],
  ] as const;

  test.each(LISTS)("of %s have no gaps if rows of three or four can be full", async (...list) => {
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
      for (const width of count === 5 ? [1366, 768] : [768, 1024, 1280]) {
        const [first, last] = await countPerRow(page, selector, width);
        seen.push([count, width, first!, last!]);
      }
    }
    await stored.update(() => items);
    const holes = seen.filter(([count, , first, last]) => count !== 5 && first !== last);
    expect(holes).toEqual([]);
    // Five pictures, which can't fill their rows, have as many columns as other numbers.
    expect(seen.slice(-2)).toEqual([
      [5, 1366, 4, 1],
      [5, 768, 2, 1],
    ]);
    if (path === "/") return;
    for (const [width, columns] of [
      [639, 1],
      [640, 2],
    ] as const)
      expect([width, (await countPerRow(page, selector, width))[0]]).toEqual([width, columns]);
  });

  test("of three highlights end at the page's margin, with three columns on a wide page and two on a tablet", async () => {
    const stored = site.store.of(entities.highlights);
    const { value: all } = stored.read();
    await stored.update(() => all.slice(0, 3));
    const page = await openPublicPage(site, "/");
    for (const [width, columns] of [
      [1366, 3],
      [768, 2],
    ] as const) {
      expect((await countPerRow(page, LISTS[0][2], width))[0]).toBe(columns);
      const { right } = (await measureBoxes(page.locator(LISTS[0][2])))[columns - 1]!;
      const edge = width - parseFloat(await readStyle(page, "#highlights", "padding-right"));
      expect(Math.round(right)).toBe(Math.round(edge));
    }
    await stored.update(() => all);
  });
});

/** The number of elements in the first and in the last row. */
async function countPerRow(page: TestPage, selector: string, width: number): Promise<number[]> {
  await page.setViewportSize({ width, height: getHeight(width) });
  const tops = await page
    .locator(selector)
    .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  return [tops[0], tops.at(-1)].map((top) => tops.filter((each) => each === top).length);
}
