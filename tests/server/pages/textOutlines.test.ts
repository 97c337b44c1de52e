/** Text drawn without a browser or a font. */
import { expect, test } from "bun:test";
import { decode } from "fast-png";
import type { FontOutlines } from "../../../src/server/pages/fontCatalog.ts";
import { drawSvg } from "../../../src/server/pages/drawSvg.ts";
import {
  selectDrawableText,
  chooseOutlines,
  loadOutlines,
  createTextPath,
  measureTextWidth,
} from "../../../src/server/pages/textOutlines.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { canBeDrawn, DRAWABLE_CODE_POINTS } from "../../../src/schema/looks/sharePictures.ts";
import { FONT_FAMILIES } from "../../../src/schema/sections/styles.ts";

const shapes: FontOutlines = {
  em: 1000,
  glyphs: {
    B: [1000, "M0,0L1000,0L1000,1000L0,1000Z"],
    // A ring: the inner square runs in the other direction.
    O: [1000, "M0,0L1000,0L1000,1000L0,1000ZM250,250L250,750L750,750L750,250Z"],
    C: [
      1000,
      "M1000,500C1000,776 776,1000 500,1000C224,1000 0,776 0,500C0,224 224,0 500,0C776,0 1000,224 1000,500Z",
    ],
    "/": [1000, "M0,0L100,0L1000,1000L900,1000Z"],
  },
  kern: { BO: -200 },
};

/** The share of each pixel that the text covers, from 0 to 1. */
async function measureCoverage(
  text: string,
  size: number,
  x: number,
  y: number,
): Promise<number[]> {
  const words = createTextPath({ text, font: shapes, size }, x, y);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="50">${words}</svg>`;
  const { data } = decode(await drawSvg(svg));
  return Array.from({ length: 60 * 50 }, (_, at) => data[at * 4 + 3]! / 255);
}
const addUp = (values: readonly number[]) => values.reduce((all, each) => all + each, 0);

test("a drawn letter covers the same area at any position between pixels", async () => {
  for (const [x, y] of [
    [5, 40],
    [5.3, 40.7],
    [7.99, 30.01],
  ] as const) {
    const area = async (text: string) => addUp(await measureCoverage(text, 20, x, y)); // oxlint-disable-line no-await-in-loop
    expect((await area("B")) / 400).toBeCloseTo(1, 1);
    expect((await area("O")) / 300).toBeCloseTo(1, 1);
    expect((await area("C")) / (Math.PI * 100)).toBeCloseTo(1, 1);
    expect((await area("/")) / 40).toBeCloseTo(1, 1);
  }
});

test("letter pairs are kerned as the font says, and a missing letter takes no space", async () => {
  expect(measureTextWidth({ text: "BO", font: shapes, size: 10 })).toBe(18);
  expect(measureTextWidth({ text: "OB", font: shapes, size: 10 })).toBe(20);
  expect(measureTextWidth({ text: "BxO", font: shapes, size: 10 })).toBe(20);
  const single = await measureCoverage("B", 10, 0, 30);
  const pair = await measureCoverage("BO", 10, 0, 30);
  // The second letter begins two pixels before the first ends.
  expect([single[25 * 60 + 9], single[25 * 60 + 12], pair[25 * 60 + 17]]).toEqual([1, 0, 1]);
  expect(pair[25 * 60 + 18]).toBe(0);
});

test("drawing an SVG reads no file, URL or system font", async () => {
  const svg = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="8" height="8">${content}</svg>`;
  const requested: string[] = [];
  const server = Bun.serve({
    port: 0,
    fetch: ({ url }) => (requested.push(url), new Response(null, { status: 404 })),
  });
  const empty = decode(await drawSvg(svg(""))).data;
  for (const content of [
    `<image width="8" height="8" xlink:href="${server.url}a.png"/>`,
    `<image width="8" height="8" xlink:href="file://${import.meta.path}"/>`,
    `<text y="8" font-family="sans-serif">X</text>`,
  ])
    expect(decode(await drawSvg(svg(content))).data).toEqual(empty); // oxlint-disable-line no-await-in-loop
  await server.stop(true);
  expect(requested).toEqual([]);
  await expect(drawSvg("no SVG")).rejects.toThrow();
});

test("every font family has the letters of European names at every weight", async () => {
  const build = await loadWebBuild();
  for (const family of FONT_FAMILIES)
    for (const weight of [300, 900]) {
      const font = (await loadOutlines(build, family, weight))!;
      expect([family, selectDrawableText("Zoë Żółć-O’Brien & Šárka", font)]).toEqual([
        family,
        "Zoë Żółć-O’Brien & Šárka",
      ]);
      // These two packages have no kerning.
      const isKerned = !["Poppins", "Open Sans"].includes(family);
      expect([family, (font.kern["AV"] ?? 0) < 0]).toEqual([family, isKerned]);
    }
  expect(await loadOutlines(build, "constructor", 400)).toBeUndefined();
});

test("a name in an unsupported script isn't drawn at all, instead of in part", async () => {
  const font = (await loadOutlines(await loadWebBuild(), "Bebas Neue", 700))!;
  expect([selectDrawableText("Женя K.", font), selectDrawableText("Zoë 🎤", font)]).toEqual([
    "",
    "Zoë",
  ]);
});

test("letters that the look's font lacks are drawn in a font with Greek, Cyrillic and Vietnamese", async () => {
  const build = await loadWebBuild();
  for (const name of ["ЖЕНЯ БІЛОЗІР", "ΜΑΡΊΑ ΠΆΛΛΑ", "NGUYỄN THỊ ÁNH", "ȘTEFAN ƏLIYEV"]) {
    const font = await chooseOutlines(build, name, "Bebas Neue", 700);
    expect(selectDrawableText(name, font)).toBe(name);
  }
  const glyphs = await chooseOutlines(build, "ZOË", "Bebas Neue", 700);
  expect(glyphs).toEqual((await loadOutlines(build, "Bebas Neue", 700))!);
});

test("every letter listed as drawable is in the font, and a name with other letters doesn't count as drawable", async () => {
  const build = await loadWebBuild();
  for (const weight of [300, 900]) {
    const { glyphs } = (await loadOutlines(build, "Inter", weight))!;
    const missing = DRAWABLE_CODE_POINTS.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)),
    ).filter((each) => /\p{L}/u.test(each) && !Object.hasOwn(glyphs, each));
    expect(missing).toEqual([]);
  }
  expect(["Женя", "Zoë 🎤", "Ana 山田", "سلمى", "Noa נועה"].map(canBeDrawn)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
