/**
 * Nothing is written on a face: drawn pictures of five ratios with the face at each ninth, light and dark, in all
 * looks, on both pages, at six widths. One pair of picture and look in sixteen is tried, all with FACES=1.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import { contrastRatio } from "../../../src/schema/contrast.ts";
import { entities } from "../../../src/schema/index.ts";
import { COLORED, type Look, LOOKS } from "../../../src/schema/looks.ts";
import { closePages, newPage, type TestPage } from "../../support/browser.ts";
import { type DrawnPortrait, drawnPortrait } from "../../support/drawnPortrait.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";

const site = sampleSite();
afterAll(closePages);

const RATIOS = [9 / 21, 3 / 4, 1, 3 / 2, 21 / 9];
const NINTHS = [17, 50, 83];
const SIZES = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1366, 768],
  [2560, 1080],
] as const;

/** A wide one with the face right of the words is a stage's, which is written on beside it. */
const PORTRAITS: DrawnPortrait[] = RATIOS.flatMap((ratio, row) =>
  NINTHS.flatMap((x) =>
    NINTHS.filter(() => ratio <= 1.2 || x <= 55).map((y, at) => ({
      width: Math.round(480 * Math.sqrt(ratio)),
      height: Math.round(480 / Math.sqrt(ratio)),
      focus: { x, y },
      isLight: (row + at) % 2 === 0,
    })),
  ),
);

const ONE_IN = process.env["FACES"] ? 1 : 16;
const TRIED = PORTRAITS.flatMap((portrait, at) =>
  LOOKS.filter((_, of) => (at * 7 + of * 5) % ONE_IN === 0).map(
    (look) => [nameOf(portrait), look.label, portrait, look] as const,
  ),
);

function nameOf({ width, height, focus, isLight }: DrawnPortrait): string {
  return `${isLight ? "light" : "dark"}, ${width} × ${height}, face at ${focus.x} / ${focus.y}`;
}

describe("no letter lies on a face, and all can be read", () => {
  test.each(TRIED)("%s, in %s", async (_, __, portrait, look) => {
    await show(portrait, look);
    for (const path of ["/", "/coaching"]) {
      const page = await newPage();
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        if (page.url() === "about:blank") await page.visit(site.url + path);
        const { face, written } = await page.evaluate(facesAndWords, portrait);
        const covered = written.filter((each) => meets(each, face));
        expect([path, width, covered]).toEqual([path, width, []]);
        expect([path, width, face.isInSight]).toEqual([path, width, true]);
        if (width === 1366) await expectReadable(page, written);
      }
      await page.context().close();
    }
  });
});

async function show(portrait: DrawnPortrait, { styles, sections }: Look): Promise<void> {
  const { id, url } = await uploadPicture(site, "drawn.png", drawnPortrait(portrait));
  await site.asOwner("PUT", `/api/uploads/${id}`, { focus: portrait.focus });
  for (const key of ["hero", "coachingHero"] as const) {
    const path = `/api/${entities[key].name}`;
    const hero = await site.asOwner("GET", path);
    await site.asOwner("POST", path, { ...hero, backgroundImage: url });
  }
  await site.asOwner("POST", "/api/styles", styles);
  for (const key of COLORED)
    await site.asOwner("POST", `/api/${entities[key].name}`, sections[key]);
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Written extends Box {
  readonly what: string;
  readonly color: string;
  readonly size: number;
}

/** A pixel of both is none. */
const meets = (a: Box, b: Box) =>
  a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

/** Runs in the page: where the face is drawn, and every line of words in the hero and in the bar. */
function facesAndWords({ width, height, focus }: DrawnPortrait) {
  const picture = document.querySelector<HTMLElement>(".hero-picture")!;
  const { objectFit, objectPosition, paddingLeft, paddingTop } = getComputedStyle(picture);
  const box = picture.getBoundingClientRect();
  const [left, top] = [box.left + parseFloat(paddingLeft), box.top + parseFloat(paddingTop)];
  const [wide, high] = [box.right - left - (left - box.left), box.bottom - top - (top - box.top)];
  const scales = [wide / width, high / height];
  const scale = objectFit === "contain" ? Math.min(...scales) : Math.max(...scales);
  const [atX, atY] = objectPosition.split(" ").map((each) => parseFloat(each) / 100);
  const x = left + (wide - width * scale) * atX! + (focus.x / 100) * width * scale;
  const y = top + (high - height * scale) * atY! + (focus.y / 100) * height * scale;
  const half = (Math.min(width, height) * scale) / 8;
  const face = {
    left: Math.max(x - half, box.left),
    top: Math.max(y - half, box.top),
    right: Math.min(x + half, box.right),
    bottom: Math.min(y + half, box.bottom),
    isInSight: x > left && x < left + wide && y > top && y < top + high,
  };
  const selector =
    ".hero-title, .hero-subtitle, .tagline li, .hero-lead, .hero-actions .button, .scroll-cue, .bar a:not(.skip), .bar form button";
  const written = [...document.querySelectorAll<HTMLElement>(selector)].flatMap((each) => {
    if (!each.checkVisibility() || each.closest(".menu:popover-open")) return [];
    const words = document.createRange();
    words.selectNodeContents(each);
    const isBox = each.matches(".button");
    const { color, fontSize } = getComputedStyle(each);
    const rects = isBox ? [each.getBoundingClientRect()] : [...words.getClientRects()];
    return rects
      .filter((rect) => rect.width > 1 && rect.bottom > 0)
      .map(({ left, top, right, bottom }) => ({
        left,
        top,
        right,
        bottom,
        color,
        what: isBox ? "button" : each.className,
        size: parseFloat(fontSize),
      }));
  });
  return { face, written };
}

/** Looks at what is behind the words, which are taken away: the twentieth that is hardest to read on. */
async function expectReadable(page: TestPage, written: readonly Written[]): Promise<void> {
  await page.evaluate(withoutWords);
  const { data, width, height, channels } = decode(await page.screenshot());
  for (const { what, color, size, ...box } of written) {
    if (what === "button" || what.includes("outline") || box.bottom > height) continue;
    const ink = hexOf(channelsOf(color));
    const ratios: number[] = [];
    for (let y = Math.ceil(Math.max(0, box.top)); y < Math.min(height, box.bottom); y += 3)
      for (let x = Math.ceil(Math.max(0, box.left)); x < Math.min(width, box.right); x += 3) {
        const from = channels * (y * width + x);
        ratios.push(contrastRatio(ink, hexOf(Array.from(data.slice(from, from + 3))))!);
      }
    ratios.sort((a, b) => a - b);
    const least = ratios[Math.floor(ratios.length / 20)] ?? 21;
    expect([what, least]).toEqual([what, Math.max(least, size >= 24 ? 3 : 4.5)]);
  }
}

/** Runs in the page. */
function withoutWords(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ":is(.hero-words, .bar, .hero > .scroll-cue) *, .hero > .scroll-cue { visibility: hidden !important }",
  );
  document.adoptedStyleSheets = [sheet];
}

/** Of a computed color, which is written in bytes or, where it was mixed, in shares of one. */
function channelsOf(color: string): number[] {
  const found = color
    .match(/[\d.]+/g)!
    .map(Number)
    .slice(0, 3);
  return color.startsWith("color(") ? found.map((share) => Math.round(255 * share)) : found;
}

const hexOf = (channels: readonly number[]) =>
  `#${channels
    .slice(0, 3)
    .map((each) => each.toString(16).padStart(2, "0"))
    .join("")}`;
