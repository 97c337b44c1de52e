/** The looks on the public pages: their layouts, their tones, and that all of them can be read and used. */
import { afterEach, describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import { COLORED, type Look, LOOKS, lookNamed } from "../../../src/schema/looks.ts";
import { entities } from "../../../src/schema/index.ts";
import { TONE_FILTER } from "../../../src/web/shared/tone.ts";
import { axe } from "../../support/axe.ts";
import { closePages, newPage, openPublicPage, type TestPage } from "../../support/browser.ts";
import { sideways } from "../../support/pageState.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { eventually } from "../../support/waits.ts";

const site = sampleSite();
afterEach(closePages);

async function wear({ styles, sections }: Look): Promise<void> {
  await site.asOwner("POST", "/api/styles", styles);
  for (const key of COLORED)
    await site.asOwner("POST", `/api/${entities[key].name}`, sections[key]);
}

const boxOf = async (page: TestPage, selector: string) =>
  (await page.locator(selector).first().boundingBox())!;

describe.each(LOOKS.map((look) => [look.label, look] as const))("%s", (_, look) => {
  test.each([390, 1366])("can be read and holds the width at %d px", async (width) => {
    await wear(look);
    for (const path of ["/", "/coaching"]) {
      const page = await openPublicPage(site, path, { width });
      expect([path, await axe(page)]).toEqual([path, []]);
      expect([path, await sideways(page)]).toEqual([path, 0]);
      expect([path, page.problems()]).toEqual([path, []]);
      await page.context().close();
    }
  });
});

describe("the layouts of a first screen", () => {
  const layouts = ["/", "/coaching"].flatMap((path) =>
    (["spotlight", "daylight", "velvet", "studio"] as const).map((name) => [name, path] as const),
  );

  test.each(layouts)("%s of %s stands as it should on a wide screen", async (name, path) => {
    await wear(lookNamed(name)!);
    const page = await openPublicPage(site, path);
    const [picture, title] = [await boxOf(page, ".hero-picture"), await boxOf(page, ".hero h1")];
    const layout = await page.evaluate(() => document.documentElement.dataset["hero"]);
    if (layout === "stage") expect([picture.x, Math.round(picture.width)]).toEqual([0, 1366]);
    if (layout === "split") {
      expect(Math.round(picture.x)).toBe(Math.round(1366 * 0.44));
      expect(title.x).toBeLessThan(picture.x);
      const fill = await page
        .locator(".hero h1")
        .evaluate((each) => getComputedStyle(each).backgroundClip);
      expect(fill).toBe("text");
    }
    if (layout === "center")
      expect(Math.abs(title.x + title.width / 2 - 683)).toBeLessThanOrEqual(8);
    if (layout === "card") {
      expect([Math.round(picture.x), Math.round(picture.x + picture.width)]).toEqual([68, 1298]);
      expect(title.y + title.height).toBeLessThanOrEqual(picture.y + picture.height + 1);
      const button = await boxOf(page, ".hero-actions .button");
      expect(button.y).toBeGreaterThanOrEqual(picture.y + picture.height);
    }
  });

  test.each(["daylight", "studio"])(
    "%s has the name below the picture on a phone",
    async (name) => {
      await wear(lookNamed(name)!);
      for (const path of ["/", "/coaching"]) {
        const page = await openPublicPage(site, path, { width: 390 });
        const [picture, title] = [
          await boxOf(page, ".hero-picture"),
          await boxOf(page, ".hero h1"),
        ];
        expect(title.y).toBeGreaterThanOrEqual(picture.y + picture.height);
        await page.context().close();
      }
    },
  );

  test("a picture that has failed leaves the words readable in every layout", async () => {
    for (const name of ["daylight", "studio", "velvet"]) {
      await wear(lookNamed(name)!);
      const page = await openPublicPage(site, "/privacy-policy");
      await page.route(/\/uploads\//, (route) => route.abort());
      await page.goto(site.url);
      await page.locator("#hero[data-state=failed]").waitFor();
      const color = await page.locator("#hero h1").evaluate((each) => {
        const { color, webkitTextFillColor } = getComputedStyle(each);
        return [color, webkitTextFillColor];
      });
      expect(color[1]).toBe(color[0]!);
      await page.context().close();
    }
  });
});

test("one tone shows a poster in the theme's tones until it is pointed at or has the focus", async () => {
  await wear(lookNamed("neon")!);
  const page = await openPublicPage(site, "/");
  const filterOf = (selector: string) => () =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => getComputedStyle(each).filter);
  const poster = page.locator("#highlights .poster").first();
  await poster.scrollIntoViewIfNeeded();
  await page.mouse.move(0, 0);
  expect(await page.locator("filter#tone").count()).toBe(1);
  for (const picture of [".hero-picture", ".about-portrait", ".poster-picture"])
    expect(await filterOf(picture)()).toBe('url("#tone")');
  await poster.hover();
  await eventually(filterOf(".poster-picture"), "none");
  await page.mouse.move(0, 0);
  await eventually(filterOf(".poster-picture"), 'url("#tone")');
  await poster.getByRole("button").focus();
  await eventually(filterOf(".poster-picture"), "none");
});

test("as shot leaves pictures and the page without a filter", async () => {
  await wear(lookNamed("spotlight")!);
  const page = await openPublicPage(site, "/");
  expect(await page.locator("filter#tone").count()).toBe(0);
  const filter = await page
    .locator(".hero-picture")
    .evaluate((each) => getComputedStyle(each).filter);
  expect(filter).toBe("none");
});

test("the filter turns black, middle gray and white into the three tones", async () => {
  const page = await newPage({ width: 390 });
  await page.setContent(`<style>
    :root { --tone-shadow: #0A0420; --tone-middle: #D0198A; --tone-light: #A6FBFF }
    body { margin: 0 } i { display: block; height: 20px; filter: url(#tone) }
  </style><i style="background: #000"></i><i style="background: #808080"></i><i style="background: #fff"></i>
  ${TONE_FILTER}`);
  const { width, channels, data } = decode(await page.screenshot());
  const rows = [10, 30, 50].map((y) => [...data.subarray(y * width * channels).subarray(0, 3)]);
  const wanted = [
    [10, 4, 32],
    [208, 25, 138],
    [166, 251, 255],
  ];
  for (const [row, color] of wanted.entries())
    for (const [channel, value] of color.entries())
      expect(Math.abs(rows[row]![channel]! - value)).toBeLessThanOrEqual(4);
});
