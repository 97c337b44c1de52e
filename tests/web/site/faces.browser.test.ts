/**
 * Nothing is written on a face: drawn pictures of five ratios with the face at each ninth, light and dark, and real
 * ones from 9:21 to 21:9, in all looks, on both pages, at eight sizes. One pair of a drawn picture and a look in
 * 192 is tried, and every other real picture in one look, on one of the pages at every third size; all with
 * FACES=1.
 */
import { describe, expect, test } from "bun:test";
import { decode } from "fast-png";
import { entities } from "../../../src/schema/index.ts";
import { type Look, LOOKS } from "../../../src/schema/looks/looks.ts";
import {
  computeRgbLuminance,
  computeLuminanceContrast,
} from "../../../src/schema/core/luminance.ts";
import { HELD_ACROSS, newPage, type TestPage } from "../../support/browser.ts";
import { type DrawnPortrait, drawnPortrait } from "../../support/drawnPortrait.ts";
import { type Face, portraitFile, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import { facesAndWords, meets, type Written } from "../../support/facesOnPage.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { waitUntilStable } from "../../support/waits.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { wear } from "../../support/wear.ts";

const site = sampleSite();

const RATIOS = [9 / 21, 3 / 4, 1, 3 / 2, 21 / 9];
const NINTHS = [17, 50, 83];
const SIZES = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1366, 768],
  [2560, 1080],
  ...HELD_ACROSS,
] as const;

/** A picture to upload, its face, and the owner's focus, in percent. */
interface Portrait {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly face: Face;
  readonly focus: { readonly x: number; readonly y: number };
  readonly file: () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>;
}

/** In a wide picture with the face on the right, the text is beside it. */
const DRAWN: Portrait[] = RATIOS.flatMap((ratio, row) =>
  NINTHS.flatMap((x) =>
    NINTHS.filter(() => ratio <= 1.2 || x <= 55).map((y, at) =>
      drawn({
        width: Math.round(480 * Math.sqrt(ratio)),
        height: Math.round(480 / Math.sqrt(ratio)),
        focus: { x, y },
        isLight: (row + at) % 2 === 0,
      }),
    ),
  ),
);

function drawn(portrait: DrawnPortrait): Portrait {
  const { width, height, focus, isLight } = portrait;
  const [x, y] = [width, height].map((side) => (12.5 * Math.min(width, height)) / side) as [
    number,
    number,
  ];
  return {
    name: `drawn ${isLight ? "light" : "dark"}, ${width} × ${height}, face at ${focus.x} / ${focus.y}.png`,
    width,
    height,
    focus,
    face: { left: focus.x - x, top: focus.y - y, right: focus.x + x, bottom: focus.y + y },
    file: () => drawnPortrait(portrait),
  };
}

const REAL: Portrait[] = REAL_PORTRAITS.map((portrait) => {
  const { left, top, right, bottom } = portrait.face;
  const focus = { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) };
  return { ...portrait, name: `${portrait.name}.jpg`, focus, file: () => portraitFile(portrait) };
});

const IS_COMPLETE = Boolean(process.env["FACES"]);

/** Each picture in all looks or, without FACES, in one of this many. */
const paired = (portraits: readonly Portrait[], oneIn: number) =>
  portraits.flatMap((portrait, at) =>
    LOOKS.filter((_, of) => IS_COMPLETE || (at * 7 + of * 5) % oneIn === 0).map(
      (look) => [portrait.name, look.label, portrait, look] as const,
    ),
  );

const TRIED = [...paired(REAL, 12), ...paired(DRAWN, 192)].map(
  (each, at) => [...each, at] as const,
);

describe("no text covers a face, and all of it is readable", () => {
  test.each(TRIED)("%s, in %s", async (_, __, portrait, look, at) => {
    await show(portrait, look);
    const page = await newPage();
    for (const [pageAt, path] of ["/", "/coaching"].entries()) {
      if (!IS_COMPLETE && pageAt !== at % 2) continue;
      const [[narrowest, lowest]] = SIZES;
      await page.setViewportSize({ width: narrowest, height: lowest });
      await page.visit(site.url + path);
      for (const [index, [width, height]] of SIZES.entries()) {
        if (!IS_COMPLETE && index % 3 !== at % 3) continue;
        await page.setViewportSize({ width, height });
        const { face, written } = await page.evaluate(facesAndWords, {
          width: portrait.width,
          height: portrait.height,
          of: portrait.face,
        });
        const covered = written.filter((each) => meets(each, face));
        expect([path, width, covered]).toEqual([path, width, []]);
        expect([path, width, face.isInSight]).toEqual([path, width, true]);
        // A drawn face may be at the edge of its picture; one that fills a narrow picture is cropped above a phone's
        // text.
        const share = REAL.includes(portrait) ? face.share : 1;
        expect([path, width, share]).toEqual([path, width, Math.max(share, 0.6)]);
        if (path === "/" && height >= 768) expectButtonInSight(written, height);
        // On a low screen all of the text is visible.
        const below = height < 480 ? written.filter(({ bottom }) => bottom > height + 1) : [];
        expect([path, width, below]).toEqual([path, width, []]);
        if (width === 1366) await expectReadable(page, written);
      }
    }
  });
});

async function show({ name, focus, file }: Portrait, look: Look): Promise<void> {
  const { id, url } = await uploadPicture(site, name.replace(/.*(?=\.)/, "portrait"), await file());
  await site.asOwner("PUT", `/api/uploads/${id}`, { focus });
  for (const key of ["hero", "coachingHero"] as const) {
    const path = `/api/${entities[key].name}`;
    const hero = await site.asOwner("GET", path);
    await site.asOwner("POST", path, { ...hero, backgroundImage: url });
  }
  await wear(site, look);
}

/** The first screen's button is visible. */
function expectButtonInSight(written: readonly Written[], height: number): void {
  const [button] = written.filter(({ label }) => label === "button");
  expect(button!.bottom).toBeLessThanOrEqual(height);
}

/** Checks the pixels behind the text, which is hidden: the twentieth with the least contrast. */
async function expectReadable(page: TestPage, written: readonly Written[]): Promise<void> {
  await page.evaluate(withoutWords);
  await waitUntilStable(page);
  const { data, width, height, channels } = decode(await page.screenshot());
  for (const { label, color, size, ...box } of written) {
    if (label === "button" || label.includes("outline") || box.bottom > height) continue;
    const ink = computeRgbLuminance(channelsOf(color));
    const ratios: number[] = [];
    for (let y = Math.ceil(Math.max(0, box.top)); y < Math.min(height, box.bottom); y += 3)
      for (let x = Math.ceil(Math.max(0, box.left)); x < Math.min(width, box.right); x += 3) {
        const from = channels * (y * width + x);
        const behind = computeRgbLuminance([data[from]!, data[from + 1]!, data[from + 2]!]);
        ratios.push(computeLuminanceContrast(ink, behind));
      }
    ratios.sort((a, b) => a - b);
    const least = ratios[Math.floor(ratios.length / 20)] ?? 21;
    expect([label, least]).toEqual([label, Math.max(least, size >= 24 ? 3 : 4.5)]);
  }
}

/** Runs in the page: hides the text. */
function withoutWords(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ":is(.hero-text, .bar, .hero > .scroll-cue) *, .hero > .scroll-cue { visibility: hidden !important }",
  );
  document.adoptedStyleSheets = [sheet];
}

/** The channels of a computed color, in bytes or, if it was mixed, in shares of one. */
function channelsOf(color: string): [number, number, number] {
  const channels = color.match(/[\d.]+/g)!.map(Number);
  const [red, green, blue] = color.startsWith("color(")
    ? channels.map((each) => 255 * each)
    : channels;
  return [red!, green!, blue!];
}
