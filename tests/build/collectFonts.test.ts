import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openFont } from "../../src/build/fontFallbacks.ts";
import { FONT_FAMILIES } from "../../src/schema/sections/styles.ts";
import { loadWebBuild } from "../../src/server/pages/webBuild.ts";
import { computeLetterWidths } from "../../src/web/shared/theme.ts";

const build = await loadWebBuild();
/** The build's own fonts: collecting them again would take eleven seconds. */
const fonts = { catalog: build.fonts, directory: join(build.directory, "fonts/files") };

const getFaces = (family: string) => fonts.catalog.families[family]!.faces;
const LETTERS = "AVaegimnÄéß&–“";

describe("the site's fifteen font families", () => {
  test("have the subsets latin and latin-ext", () => {
    expect(Object.keys(fonts.catalog.families)).toEqual([...FONT_FAMILIES]);
    for (const family of FONT_FAMILIES)
      expect(new Set(getFaces(family).map((face) => face.subset))).toEqual(
        new Set(["latin-ext", "latin"]),
      );
  });

  test("have no other font files than theirs, each of which is named by its content", async () => {
    const files = Object.values(fonts.catalog.families).flatMap(({ faces }) =>
      faces.map((face) => face.file),
    );
    const fontFiles = (await readdir(fonts.directory)).filter((name) => name.endsWith(".woff2"));
    expect(fontFiles.sort()).toEqual([...files].sort());
    let total = 0;
    for (const file of files) {
      expect(file).toMatch(/^[a-z-]+-(latin|latin-ext)-(wght|[3-9]00)-[0-9a-f]{8}\.woff2$/);
      const bytes = await Bun.file(join(fonts.directory, file)).bytes();
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      expect(file).toContain(`-${hash.slice(0, 8)}.`);
      const font = await openFont(bytes);
      expect(font.measureAdvance(file.includes("latin-ext") ? "ł" : "a", 400)).toBeGreaterThan(0);
      total += bytes.length;
    }
    expect(fonts.catalog.totalBytes).toBe(total);
  });

  test("have the ASCII letters in latin and the Polish letters in latin-ext", () => {
    const ranges = Object.fromEntries(getFaces("Lato").map((f) => [f.subset, f.unicodeRange]));
    expect(ranges["latin"]).toStartWith("U+0000-00FF,");
    expect(ranges["latin-ext"]).toStartWith("U+0100-02BA,");
  });

  test("have a license file with the copyright lines and the license", async () => {
    const name = (await readdir(fonts.directory)).find((file) =>
      /^licenses-[0-9a-f]{8}\.txt$/.test(file),
    );
    const text = await Bun.file(join(fonts.directory, name!)).text();
    for (const owner of ["The Bebas Neue Project Authors", "The Inter Project Authors", "ParaType"])
      expect(text).toContain(owner);
    expect(text.split("SIL OPEN FONT LICENSE Version 1.1")).toHaveLength(2);
  });
});

describe("a font file contains only what pages can show", () => {
  const modules = join(import.meta.dir, "../../node_modules");
  const readPackagedFont = (name: string) => Bun.file(join(modules, name)).bytes();
  const findLatinFont = async (family: string, weight = 400) => {
    const face = getFaces(family).find(
      ({ subset, weights: [from, to] }) => subset === "latin" && from <= weight && weight <= to,
    )!;
    return Bun.file(join(fonts.directory, face.file)).bytes();
  };

  test.each([
    ["Inter", "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", 0.56],
    ["Bebas Neue", "@fontsource/bebas-neue/files/bebas-neue-latin-400-normal.woff2", 0.55],
    ["Roboto", "@fontsource-variable/roboto/files/roboto-latin-wght-normal.woff2", 0.7],
  ])("%s loses unused letters, the others keep their widths", async (family, source, ratio) => {
    const [whole, slim] = [await readPackagedFont(source), await findLatinFont(family)];
    expect(slim.length / whole.length).toBeLessThan(ratio);
    const [before, after] = [await openFont(whole), await openFont(slim)];
    for (const letter of LETTERS) {
      expect(after.measureAdvance(letter, 400)).toBe(before.measureAdvance(letter, 400));
      expect(after.measureAdvance(letter, 700)).toBe(before.measureAdvance(letter, 700));
    }
  });

  test("letters of the light weight are as wide as in the full font", async () => {
    const light = await openFont(await findLatinFont("Inter", 300));
    const whole = await openFont(
      await readPackagedFont("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
    );
    for (const letter of LETTERS)
      expect(light.measureAdvance(letter, 300)).toBeCloseTo(whole.measureAdvance(letter, 300), 3);
  });

  test.each([
    ["Lora", "@fontsource-variable/lora/files/lora-latin-wght-normal.woff2"],
    ["PT Sans", "@fontsource/pt-sans/files/pt-sans-latin-400-normal.woff2"],
  ])("the file of %s is unchanged, since its font name is reserved", async (family, source) => {
    expect(await findLatinFont(family)).toEqual(await readPackagedFont(source));
  });
});

describe('the measured width of "aegnm" is the width in a browser', () => {
  /** The width of "aegnm" at 1000 px without kerning, measured in Chromium 153. */
  test.each([
    ["Montserrat", 300, 3599],
    ["Montserrat", 400, 3616],
    ["Montserrat", 700, 3688],
    ["Raleway", 400, 3252],
    ["Raleway", 900, 3416],
    ["Merriweather", 400, 3320],
    ["Merriweather", 700, 3410],
    ["Roboto", 700, 3073],
    ["Poppins", 700, 3707],
  ])("in %s with weight %d it is %d px", async (family, weight, width) => {
    const distance = ([from, to]: [number, number]) => Math.max(from - weight, 0, weight - to);
    const face = getFaces(family)
      .filter(({ subset }) => subset === "latin")
      .sort((a, b) => distance(a.weights) - distance(b.weights))[0]!;
    const font = await openFont(await Bun.file(join(fonts.directory, face.file)).bytes());
    const measured = [..."aegnm"].reduce(
      (sum, letter) => sum + font.measureAdvance(letter, weight) * 1000,
      0,
    );
    expect(Math.abs(measured - width)).toBeLessThan(3);
  });
});

describe("fallback fonts", () => {
  test("have the same line height within a family, and are stretched by a plausible factor", () => {
    for (const family of FONT_FAMILIES) {
      const { fallbacks } = fonts.catalog.families[family]!;
      expect(fallbacks.map(({ weights }) => weights[0])).toEqual([100, 100, 600, 600]);
      const heights = fallbacks.map((f) => (f.ascent + f.descent + f.lineGap) * f.sizeAdjust);
      for (const height of heights) expect(height).toBeCloseTo(heights[0]!, 10);
      for (const { sizeAdjust } of fallbacks) {
        expect(sizeAdjust).toBeGreaterThan(0.5);
        expect(sizeAdjust).toBeLessThan(1.4);
      }
    }
  });
});

describe("the letter widths used to fit a title", () => {
  test.each([...FONT_FAMILIES])("are the average widths of the letters of %s", async (family) => {
    const distance = ([from, to]: [number, number]) => Math.max(from - 700, 0, 700 - to);
    const face = getFaces(family)
      .filter(({ subset }) => subset === "latin")
      .sort((a, b) => distance(a.weights) - distance(b.weights))[0]!;
    const font = await openFont(await Bun.file(join(fonts.directory, face.file)).bytes());
    const mean = (letters: string) =>
      [...letters].reduce((sum, letter) => sum + font.measureAdvance(letter, 700), 0) /
      letters.length;
    const { capital, small } = computeLetterWidths(family);
    expect(Math.abs(mean("ABCDEFGHIJKLMNOPQRSTUVWXYZ") - capital)).toBeLessThan(0.02);
    expect(Math.abs(mean("abcdefghijklmnopqrstuvwxyz") - small)).toBeLessThan(0.02);
  });
});
