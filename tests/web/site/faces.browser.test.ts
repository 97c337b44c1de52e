/**
 * First screens: no text is on a face, under the bar or on the announcement, and all text is readable. The pictures
 * are drawn, of five ratios with the face at each ninth, light and dark, or real, from 9:21 to 21:9, or missing, in
 * all looks, on both pages, at eight sizes. One pair of a drawn picture and a look in 192 is tried, and every other
 * real picture in one look, on one of the pages at every third size; all with FACES=1.
 */
import { beforeAll, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { type Look, LOOKS } from "../../../src/schema/looks/looks.ts";
import { LANDSCAPE_PHONES, newPage, type TestPage } from "../../support/browser.ts";
import { type DrawnPortrait, drawPortrait } from "../../support/drawPortrait.ts";
import { type Face, readPortrait, REAL_PORTRAITS } from "../../support/realPortraits.ts";
import {
  measureContrasts,
  measureFace,
  overlaps,
  measureTexts,
  type TextBox,
} from "../../support/facesOnPage.ts";
import { measureOverflow } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { waitUntilStable } from "../../support/waits.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { applyLook } from "../../support/applyLook.ts";

const site = setUpSampleSite();

const RATIOS = [9 / 21, 3 / 4, 1, 3 / 2, 21 / 9];
const NINTHS = [17, 50, 83];
const SIZES = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1024, 768],
  [1366, 768],
  [2560, 1080],
  ...LANDSCAPE_PHONES,
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

/** Wide pictures with the face on the right are left out, since their text is beside the face. */
const DRAWN: Portrait[] = RATIOS.flatMap((ratio, row) =>
  NINTHS.flatMap((x) =>
    NINTHS.filter(() => ratio <= 1.2 || x <= 55).map((y, at) =>
      createDrawnPortrait({
        width: Math.round(480 * Math.sqrt(ratio)),
        height: Math.round(480 / Math.sqrt(ratio)),
        focus: { x, y },
        isLight: (row + at) % 2 === 0,
      }),
    ),
  ),
);

function createDrawnPortrait(portrait: DrawnPortrait): Portrait {
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
    file: () => drawPortrait(portrait),
  };
}

const REAL: Portrait[] = REAL_PORTRAITS.map((portrait) => {
  const { left, top, right, bottom } = portrait.face;
  const focus = { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) };
  return { ...portrait, name: `${portrait.name}.jpg`, focus, file: () => readPortrait(portrait) };
});

const IS_COMPLETE = Boolean(process.env["FACES"]);

/** Pairs each picture with all looks or, without FACES, with one look in this many. */
const pairWithLooks = (portraits: readonly Portrait[], oneIn: number) =>
  portraits.flatMap((portrait, at) =>
    LOOKS.filter((_, of) => IS_COMPLETE || (at * 7 + of * 5) % oneIn === 0).map(
      (look) => [portrait.name, look.label, portrait, look] as const,
    ),
  );

const TESTED_PAIRS = [...pairWithLooks(REAL, 12), ...pairWithLooks(DRAWN, 192)].map(
  (each, at) => [...each, at] as const,
);

beforeAll(async () => {
  await site.asOwner("POST", "/api/announcement", { text: "The final is on Sunday at nine" });
  const [form] = await site.asOwner<{ id: string }[]>("GET", "/api/forms");
  await site.asOwner("PUT", `/api/forms/${form!.id}`, { path: "book" });
});

/** Every other first screen has an announcement. */
const setAnnouncement = (at: number) =>
  site.asOwner("POST", "/api/extras", { on: at % 2 === 0 ? ["announcement"] : [] });

/** Opens one of the two pages, or both with FACES, and returns the faults at every third size. */
async function findProblems(
  at: number,
  find: (page: TestPage) => Promise<object>,
): Promise<object[]> {
  const page = await newPage();
  const faults: object[] = [];
  for (const [pageAt, path] of ["/", "/coaching"].entries()) {
    if (!IS_COMPLETE && pageAt !== at % 2) continue;
    const [[narrowest, lowest]] = SIZES;
    await page.setViewportSize({ width: narrowest, height: lowest });
    await page.visit(site.url + path);
    for (const [index, [width, height]] of SIZES.entries()) {
      if (!IS_COMPLETE && index % 3 !== at % 3) continue;
      await page.setViewportSize({ width, height });
      const found = { ...(await findTextProblems(page)), ...(await find(page)) };
      if (Object.values(found).flat().length > 0) faults.push({ path, width, ...found });
    }
  }
  return faults;
}

/** What is wrong with the text of a first screen, whatever its picture. */
async function findTextProblems(page: TestPage) {
  const { written, barEnd, announcement, figure } = await page.evaluate(measureTexts);
  const { width, height } = page.viewportSize()!;
  const words = written.filter(({ isInBar }) => !isInBar);
  const [button] = words.filter(({ label }) => label === "button");
  const bar = written.filter(({ isInBar }) => isInBar);
  const over = [...bar, ...(announcement ? [announcement] : [])];
  const belowBar = [...words, ...(announcement ? [announcement] : [])];
  // On a low screen all of the text is visible.
  const visible = height < 480 ? words : height >= 768 && button ? [button] : [];
  return {
    wider: (await measureOverflow(page)) > 0 ? [width] : [],
    underBar: belowBar.filter(({ top }) => top < barEnd - 1),
    onAnnouncement: words.filter((each) => announcement && overlaps(each, announcement)),
    overFigure: over.filter((each) => figure && overlaps(each, figure)),
    belowFold: visible.filter(({ bottom }) => bottom > height + 1),
    hardToRead: width === 1366 ? await findUnreadable(page, written) : [],
  };
}

/** Of the pixels behind a text one in twenty may have less contrast. */
async function findUnreadable(page: TestPage, written: readonly TextBox[]) {
  const read = written.filter(
    ({ label, bottom }) =>
      label !== "button" && !label.includes("outline") && bottom <= page.viewportSize()!.height,
  );
  await waitUntilStable(page);
  const contrasts = await measureContrasts(page, read, 20);
  return contrasts.filter(({ size, contrast }) => contrast < (size >= 24 ? 3 : 4.5));
}

test.each(TESTED_PAIRS)(
  "text on the portrait %s in the look %s is readable, and doesn't cover the face",
  async (_, __, portrait, look, at) => {
    await setAnnouncement(at);
    await showPortrait(portrait, look);
    const faults = await findProblems(at, async (page) => {
      const { width, height, face: faceBox } = portrait;
      const face = await page.evaluate(measureFace, { width, height, face: faceBox });
      const { written } = await page.evaluate(measureTexts);
      // A drawn face may be at the edge of its picture; one that fills a narrow picture is cropped above a phone's
      // text.
      const isWhole = !REAL.includes(portrait) || face.coveredShare >= 0.6;
      return {
        covered: written.filter((each) => overlaps(each, face)),
        outOfSight: face.isInSight && isWhole ? [] : [face],
      };
    });
    expect(faults).toEqual([]);
  },
);

async function showPortrait({ name, focus, file }: Portrait, look: Look): Promise<void> {
  const { id, url } = await uploadPicture(site, name.replace(/.*(?=\.)/, "portrait"), await file());
  await site.asOwner("PUT", `/api/uploads/${id}`, { focus });
  await setPicture(url);
  await applyLook(site, look);
}

async function setPicture(backgroundImage: string | null): Promise<void> {
  for (const key of ["hero", "coachingHero"] as const) {
    const path = `/api/${entities[key].name}`;
    const hero = await site.asOwner("GET", path);
    await site.asOwner("POST", path, { ...hero, backgroundImage });
  }
}

const WITHOUT_PICTURE = (IS_COMPLETE ? LOOKS : LOOKS.slice(0, 2)).map(
  (look, at) => [look.label, look, at] as const,
);

test.each(WITHOUT_PICTURE)("hero text without a picture is readable: %s", async (_, look, at) => {
  await setAnnouncement(at);
  await setPicture(null);
  await applyLook(site, look);
  expect(await findProblems(at, async () => ({}))).toEqual([]);
});

test("the title of pages without a hero is below the navigation bar and the announcement", async () => {
  await setAnnouncement(0);
  const page = await newPage();
  for (const path of ["/book", "/privacy-policy", "/nowhere"]) {
    await page.visit(site.url + path);
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const { barEnd, announcement } = await page.evaluate(measureTexts);
      const title = (await page.getByRole("heading", { level: 1 }).boundingBox())!;
      const order = [barEnd, announcement!.top, announcement!.bottom, title.y + 1];
      expect([path, width, order]).toEqual([path, width, order.toSorted((a, b) => a - b)]);
    }
  }
});
