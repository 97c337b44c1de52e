/**
 * The looks on the public pages: their layouts and their tones. allExtras.browser.test.ts checks that all can be read.
 * Each layout is tried in one look and on one page; with COMBINATIONS=all in all looks, pages and pictures.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { decode, encode } from "fast-png";
import { computeLuminance } from "../../../src/schema/core/color.ts";
import { LOOKS } from "../../../src/schema/looks/looks.ts";
import { TONE_FILTER_SVG } from "../../../src/web/shared/toneFilter.ts";
import {
  getHeight,
  LANDSCAPE_PHONES,
  newPage,
  openPublicPage,
  type TestPage,
} from "../../support/browser.ts";
import { inspectAtWidths } from "../../support/expectAccessible.ts";
import { measureContrasts, measureTexts } from "../../support/facesOnPage.ts";
import { countLines, measureOverflow, readStyle, measureTextBox } from "../../support/pageState.ts";
import { returnPage } from "../../support/pageReuse.ts";
import { readPortrait, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { LOOK_OF_EACH_LAYOUT, applyLook } from "../../support/applyLook.ts";
import { waitForValue, waitUntilStable } from "../../support/waits.ts";

const site = setUpSampleSite();
const IS_COMPLETE = process.env["COMBINATIONS"] === "all";

const measureBox = async (page: TestPage, selector: string) =>
  (await page.locator(selector).first().boundingBox())!;

describe("the layouts of a first screen", () => {
  beforeAll(() => site.asOwner("POST", "/api/hero", { mainTitle: "Anneliese Hohenstein" }));
  afterAll(() => site.asOwner("POST", "/api/hero", { mainTitle: "Jonah Vale" }));

  const pages = ["/", "/coaching"].flatMap((path, pageAt) =>
    (IS_COMPLETE ? LOOKS : LOOK_OF_EACH_LAYOUT.filter((_, at) => at % 2 === pageAt)).map(
      (look) => [look.label, path, look] as const,
    ),
  );

  test.each(pages)(
    "the look %s of the page %s is laid out correctly on a wide screen, a tablet and a phone",
    async (_, path, look) => {
      await applyLook(site, look);
      const page = await openPublicPage(site, path);
      await expectWideScreen(page);
      if (path === "/coaching") await expectRaisedCard(page);
      const widths = [
        ...(path === "/" && ["stage", "card"].includes(look.styles.heroLayout) ? [768] : []),
        ...(["split", "card"].includes(look.styles.heroLayout) ? [390] : []),
      ];
      await inspectAtWidths(page, widths, async (width) => {
        await waitUntilStable(page);
        await (width === 768 ? expectTablet(page) : expectPhone(page));
      });
      await expectLandscape(page, LANDSCAPE_PHONES[path === "/" ? 0 : 1]);
    },
  );

  async function expectWideScreen(page: TestPage): Promise<void> {
    const [picture, title] = [
      await measureBox(page, ".hero-picture"),
      await measureBox(page, ".hero h1"),
    ];
    const layout = await page.locator("html").getAttribute("data-hero");
    if (layout === "stage") expect([picture.x, Math.round(picture.width)]).toEqual([0, 1366]);
    if (layout === "split") {
      expect(Math.round(picture.x)).toBe(Math.round(1366 * 0.44));
      expect(title.x).toBeLessThan(picture.x);
      expect(await readStyle(page, ".hero h1", "background-clip")).toBe("text");
    }
    if (layout === "center")
      expect(Math.abs(title.x + title.width / 2 - 683)).toBeLessThanOrEqual(8);
    if (layout === "card") {
      expect([Math.round(picture.x), Math.round(picture.x + picture.width)]).toEqual([68, 1298]);
      expect(title.y + title.height).toBeLessThanOrEqual(picture.y + picture.height + 1);
      const button = await measureBox(page, ".hero-actions .button");
      expect(button.y).toBeGreaterThanOrEqual(picture.y + picture.height);
    }
  }

  /** The enquiry form's card contrasts with its background. */
  async function expectRaisedCard(page: TestPage): Promise<void> {
    const colorOf = (selector: string) => readStyle(page, selector, "background-color");
    const [card, ground] = [await colorOf(".enquiry-card"), await colorOf(".enquiry")];
    expect(card).not.toBeOneOf(["rgba(0, 0, 0, 0)", ground]);
  }

  /** The tagline is on one line, with the buttons below it. */
  async function expectTablet(page: TestPage): Promise<void> {
    const line = await measureBox(page, ".hero-subtitle");
    const words = await measureBox(page, ".tagline");
    const parts = await page.locator(".tagline li").all();
    const tops = await Promise.all(parts.map(async (each) => (await each.boundingBox())!.y));
    expect(new Set(tops.map(Math.round)).size).toBe(1);
    const button = await measureBox(page, ".hero-actions .button");
    expect(words.y).toBeGreaterThanOrEqual(line.y + line.height);
    expect(button.y).toBeGreaterThanOrEqual(words.y + words.height);
  }

  /** The name is below the picture, which takes the remaining room, so no text is below the fold. */
  async function expectPhone(page: TestPage): Promise<void> {
    const [picture, title] = [
      await measureBox(page, ".hero-picture"),
      await measureBox(page, ".hero h1"),
    ];
    expect(title.y).toBeGreaterThanOrEqual(picture.y + picture.height);
    const hero = await measureBox(page, ".hero");
    expect(hero.height).toBeLessThanOrEqual(844);
    expect(title.y - picture.y - picture.height).toBeLessThan(64);
  }

  /** The name, the tagline and the button are on the screen. */
  async function expectLandscape(
    page: TestPage,
    [width, height]: (typeof LANDSCAPE_PHONES)[number],
  ): Promise<void> {
    await page.setViewportSize({ width, height });
    await waitUntilStable(page);
    const bar = await measureBox(page, ".bar");
    const [title, line, button] = await Promise.all(
      [".hero-title", ".hero :is(.tagline, .hero-lead)", ".hero .button"].map((each) =>
        measureBox(page, each),
      ),
    );
    const tops = [bar.y + bar.height, title!.y, line!.y, button!.y, height - button!.height];
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    expect(await measureOverflow(page)).toBe(0);
  }

  test.each(
    [
      ["broadway", "/nowhere", ".not-found"],
      ["daylight", "/privacy-policy", ".policy-text .title"],
      ["studio", "/nowhere", ".not-found"],
    ].slice(IS_COMPLETE ? 0 : 1),
  )(
    "%s, a look with a light background, has a dark hero on the page %s, which has no picture",
    async (name, path, selector) => {
      await applyLook(site, name);
      const page = await openPublicPage(site, path, { width: 390 });
      const [stage, paper, left, right] = await page.locator(selector).evaluate((each) => {
        const { backgroundColor, left, right } = getComputedStyle(each, "::before");
        const { x, width } = each.getBoundingClientRect();
        const ends = [x + parseFloat(left), x + width - parseFloat(right)] as const;
        return [
          backgroundColor,
          getComputedStyle(document.documentElement).backgroundColor,
          ...ends,
        ] as const;
      });
      const lightOf = (color: string) => computeLuminance(Bun.color(color, "hex")!)!;
      expect(lightOf(stage)).toBeLessThan(0.03);
      expect(lightOf(paper)).toBeGreaterThan(0.7);
      // The hero is a frame between the page's margins.
      expect([left, right]).toEqual([20, 370]);
    },
  );

  test("the layout split is mirrored for right-to-left text", async () => {
    const { mainTitle } = await site.asOwner("GET", "/api/hero");
    await site.asOwner("POST", "/api/hero", { mainTitle: "جوناه فيل" });
    await applyLook(site, "daylight");
    const page = await openPublicPage(site, "/");
    const end = async (selector: string) => {
      const { x, width } = await measureBox(page, selector);
      return x + width;
    };
    const picture = await measureBox(page, ".hero-picture");
    expect([picture.x, picture.width].map(Math.round)).toEqual([0, Math.round(1366 * 0.56)]);
    for (const words of [".hero-actions .button", ".hero-subtitle", ".brand"])
      expect((await measureBox(page, words)).x).toBeGreaterThanOrEqual(await end(".hero-picture"));
    expect(await end(".menu")).toBeLessThan(await end(".hero-picture"));
    // No letters cover a person at the right of the picture.
    const letters = await measureTextBox(page.locator(".hero-title"));
    expect(letters.x).toBeGreaterThanOrEqual(await end(".hero-picture"));
    await site.asOwner("POST", "/api/hero", { mainTitle });
  });

  const PICTURES = [
    ["below a wide picture", "collins-wide", { x: 48, y: 40 }],
    ["beside a portrait", "collins", { x: 48, y: 30 }],
  ] as const;

  test.each(PICTURES.slice(IS_COMPLETE ? 0 : 1))(
    "with right-to-left text the coaching page's button is visible without scrolling %s",
    async (_, name, focus) => {
      const before = await site.asOwner("GET", "/api/coaching-hero");
      const portrait = REAL_PORTRAITS.find((each) => each.name === name)!;
      const { id, url } = await uploadPicture(site, "face.jpg", await readPortrait(portrait));
      await site.asOwner("PUT", `/api/uploads/${id}`, { focus });
      const arabic = { mainTitle: "تدريب", subtitle: "ومرافقة", backgroundImage: url };
      await site.asOwner("POST", "/api/coaching-hero", { ...before, ...arabic });
      for (const look of LOOK_OF_EACH_LAYOUT) {
        await applyLook(site, look);
        const page = await openPublicPage(site, "/coaching");
        const { y, height } = await measureBox(page, ".hero .button");
        expect([look.label, y + height]).toEqual([look.label, Math.min(y + height, 768)]);
        await returnPage(page);
      }
      await site.asOwner("POST", "/api/coaching-hero", before);
    },
  );

  test("a name in two colors is readable if the picture can't be loaded", async () => {
    await applyLook(site, "daylight");
    const page = await newPage();
    await page.route(/\/uploads\//, (route) => route.abort());
    await page.goto(site.url);
    await page.locator("#hero[data-state=failed]").waitFor();
    const fill = await readStyle(page, "#hero h1", "-webkit-text-fill-color");
    expect(fill).toBe(await readStyle(page, "#hero h1", "color"));
  });
});

describe("the veil over the photo of a first screen", () => {
  let before: object;
  beforeAll(async () => {
    before = await site.asOwner("GET", "/api/hero");
  });
  afterEach(() => site.asOwner("POST", "/api/hero", before));

  /** Opens the home page without scripts, in a look, with an unfiltered photo and these texts over it. */
  async function openLook(look: string, backgroundImage: string, words: object = {}) {
    await applyLook(site, look);
    await site.asOwner("POST", "/api/styles", { pictures: "asShot" });
    await site.asOwner("POST", "/api/hero", { backgroundImage, ...words });
    return openPublicPage(site, "/", { javaScriptEnabled: false });
  }

  const uploaded = new Map<number, string>();

  /** The URL of a picture that is white up to this share of its width, and black beyond. */
  async function getWhitePicture(share = 1): Promise<string> {
    const known = uploaded.get(share);
    if (known !== undefined) return known;
    const [width, height] = [480, 300];
    const data = new Uint8Array(width * height * 3);
    for (let row = 0; row < height; row++)
      data.fill(255, row * width * 3, (row + share) * width * 3);
    const photo = new Uint8Array(encode({ width, height, data, channels: 3 }));
    const { url } = await uploadPicture(site, "photo.png", photo);
    uploaded.set(share, url);
    return url;
  }

  /** The lines of the first screen's text that are hard to read on the picture, without its worst tenth. */
  async function findUnreadable(page: TestPage, of = /hero-(?!outline)|^$/): Promise<string[]> {
    const { written, picture } = await page.evaluate(measureTexts);
    const onPicture = written
      .filter(({ isInBar, label }) => !isInBar && of.test(label))
      .map((line) => ({ ...line, left: Math.max(line.left, picture!.left) }));
    expect(onPicture.length).toBeGreaterThan(0);
    const lines = await measureContrasts(page, onPicture, 10);
    return lines.filter(({ contrast }) => contrast < 4.4).map(({ label }) => label);
  }

  test.each([
    ["spotlight, from right to left", "spotlight", 0.5, "جوناه فيل على المسرح"],
    ["daylight, from left to right", "daylight", 1, "Jonah Vale on the stage"],
    ["studio", "studio", 1, "Jonah Vale"],
  ])(
    "keeps a name readable on a white photo without scripts, in the look %s",
    async (_, look, share, mainTitle) => {
      const page = await openLook(look, await getWhitePicture(share), { mainTitle });
      expect(await findUnreadable(page, /hero-title/)).toEqual([]);
    },
  );

  test("keeps a name of two or three lines and the text below it readable", async () => {
    const mainTitle = "Anneliese Hohenstein Papadopoulos";
    const page = await openLook("spotlight", await getWhitePicture(), { mainTitle });
    const measured: [width: number, lines: number, faults: string[]][] = [];
    for (const width of [390, 768, 1366]) {
      await page.setViewportSize({ width, height: getHeight(width) });
      const lines = await countLines(page.locator(".hero-title"));
      measured.push([width, lines, await findUnreadable(page)]);
    }
    expect(measured).toEqual([
      [390, 3, []],
      [768, 2, []],
      [1366, 2, []],
    ]);
  });

  test("is absent on the sample's dark photo", async () => {
    await applyLook(site, "spotlight");
    const html = await (await fetch(site.url)).text();
    expect(html.includes("--veil-wide")).toBe(false);
  });
});

test("the picture style one tone shows a poster in the theme's tones until it is hovered or focused", async () => {
  await applyLook(site, "neon");
  await site.asOwner("POST", "/api/styles", { pictures: "oneTone" });
  const page = await openPublicPage(site, "/");
  const filterOf = (selector: string) => () => readStyle(page, selector, "filter");
  const poster = page.locator("#highlights .poster").first();
  await poster.scrollIntoViewIfNeeded();
  await page.mouse.move(0, 0);
  expect(await page.locator("filter#tone").count()).toBe(1);
  for (const picture of [".hero-picture", ".about-portrait", ".poster-picture"])
    expect(await filterOf(picture)()).toBe('url("#tone")');
  await poster.hover();
  await waitForValue(filterOf(".poster-picture"), "none");
  await page.mouse.move(0, 0);
  await waitForValue(filterOf(".poster-picture"), 'url("#tone")');
  await poster.getByRole("button").focus();
  await waitForValue(filterOf(".poster-picture"), "none");
  await site.asOwner("POST", "/api/styles", { pictures: "asShot" });
  await page.revisit();
  expect(await page.locator("filter#tone").count()).toBe(0);
  expect(await filterOf(".hero-picture")()).toBe("none");
});

test("the filter of the picture style one tone turns black, gray and white into the theme's three tones", async () => {
  const page = await newPage({ width: 390 });
  await page.setContent(`<style>
    :root { --tone-shadow: #0A0420; --tone-middle: #D0198A; --tone-light: #A6FBFF }
    body { margin: 0 } i { display: block; height: 20px; filter: url(#tone) }
  </style><i style="background: #000"></i><i style="background: #808080"></i><i style="background: #fff"></i>
  ${TONE_FILTER_SVG}`);
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
