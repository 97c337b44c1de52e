/** What the pages weigh and do with everything on them that can be added (specification, section 2.24). */
import { beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { DOWNLOADS } from "../../../src/build/budget.ts";
import { addAllExtras, EXTRAS } from "../../support/allExtras.ts";
import { newPage, openPublicPage, WIDTHS } from "../../support/browser.ts";
import { atWidths, expectSoundAtWidths } from "../../support/expectSound.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { still } from "../../support/waits.ts";
import { wear } from "../../support/wear.ts";
import { runBefore, weigh } from "../../support/weigh.ts";

const site = sampleSite();
const without: Record<string, { html: string; scripts: number }> = {};
const read = async (path: string) => (await fetch(site.url + path)).text();
const PATHS = Object.keys(DOWNLOADS.scripts);

beforeAll(async () => {
  for (const path of PATHS) {
    const html = await read(path);
    without[path] = { html, scripts: runBefore(html) };
  }
  await addAllExtras(site);
});

describe.each(PATHS)("with all extras %s", (path) => {
  test("runs at most 6,000 bytes of scripts and fetches none, and takes at most 48 KB of code", async () => {
    const scripts = runBefore(await read(path));
    const { script, code } = await weigh((page) => page.goto(site.url + path));
    console.log(
      `${path}: scripts ${without[path]!.scripts} bytes without extras, ${scripts} with all; code with all ${code} bytes.`,
    );
    expect([script, scripts <= DOWNLOADS.withExtras.scripts]).toEqual([0, true]);
    expect(code).toBeLessThanOrEqual(DOWNLOADS.withExtras.code);
  });

  test("asks no other host for anything before a press, read to its end", async () => {
    const page = await newPage({ width: 390 });
    const hosts = new Set<string>();
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol.startsWith("http")) hosts.add(host);
    });
    await page.goto(site.url + path);
    await toTheEnd(page);
    expect([...hosts]).toEqual([new URL(site.url).host]);
  });

  test.each([390, 1366])("moves nothing by itself at %i px, read to its end", async (width) => {
    const page = await newPage({ width });
    await page.goto(site.url + path);
    await toTheEnd(page);
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) =>
            resolve(list.getEntries().reduce((sum, each) => sum + (each as LayoutShift).value, 0)),
          );
          observer.observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(0), 500);
        }),
    );
    expect(shifts).toBe(0);
  });
});

describe.each(["spotlight", "daylight"])("with all extras in %s", (look) => {
  test.each(["/", "/coaching"])("nothing is wrong with %s at three widths", async (path) => {
    await wear(site, look);
    const page = await openPublicPage(site, path);
    for (const rest of await page.locator("main summary").all()) await rest.click();
    await expectSoundAtWidths(page);
  });
});

/** How many stand beside each other at 390, 768 and 1366 px. */
test.each([
  ["/", ".posters", [null, 2, 4]],
  ["/", ".features", [2, 4, 6]],
  ["/coaching", "#transformations ul", [2, 2, 4]],
] as const)("on %s %s has as many columns as it should", async (path, selector, columns) => {
  const page = await openPublicPage(site, path);
  await atWidths(page, WIDTHS, async (width) => {
    const wanted = columns[WIDTHS.indexOf(width as 390)];
    const found = await page
      .locator(selector)
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
    if (wanted !== null) expect([width, found]).toEqual([width, wanted!]);
  });
});

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
}

/** Screen by screen, as somebody reads it. */
async function toTheEnd(page: Awaited<ReturnType<typeof newPage>>): Promise<void> {
  await still(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let at = 0; at < height; at += 700) {
    await page.evaluate((top) => scrollTo(0, top), at); // oxlint-disable-line no-await-in-loop
    await page.settled(); // oxlint-disable-line no-await-in-loop
  }
}

test("each extra that stands on a page has a sheet of its own of at most 1,500 bytes", async () => {
  const sheets = (await readdir("dist/web/assets")).filter((name) =>
    /^extra-.*\.css\.br$/.test(name),
  );
  const sizes = Object.fromEntries(
    sheets.map((name) => [
      /^extra-(\w+)-/.exec(name)![1]!,
      Bun.file(`dist/web/assets/${name}`).size,
    ]),
  );
  console.log(sizes);
  // The pair of before and after is no extra, and has one as well.
  expect(Object.keys(sizes).sort()).toEqual([...EXTRAS, "pair"].sort());
  expect(Math.max(...Object.values(sizes))).toBeLessThanOrEqual(1500);
});
