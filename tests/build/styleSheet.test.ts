/** The making of the site's style sheet, and the fitting of titles. */
import { describe, expect, test } from "bun:test";
import { parse } from "postcss";
import { BUTTON_SELECTORS, FORM_SELECTORS, selectUsedPicoRules } from "../../src/build/styles.ts";
import { computeLetterWidths } from "../../src/web/shared/theme.ts";
import {
  createTitleFitStyle,
  createPhotoTitleFitStyle,
} from "../../src/web/site/parts/fitTitle.ts";

const pico = await Bun.file("node_modules/@picocss/pico/css/pico.min.css").text();

const readWidths = (title: string) => createTitleFitStyle(title) as Record<string, string>;

describe("Pico for the public site", () => {
  test("keeps the styles of forms and headings, and drops tables, the light scheme and unused properties", () => {
    const parts = selectUsedPicoRules(pico, "");
    expect(parts).toContain("textarea{");
    expect(parts).toContain("h1,h2,h3{");
    expect(/[,}{]table\b|data-theme=light|prefers-color-scheme/.exec(parts)).toBe(null);
    for (const [, name] of parts.matchAll(/[{;](--[\w-]+):/g))
      expect(parts).toContain(`var(${name}`);
  });

  test("omits button styles, since the site has its own, but keeps form styles", () => {
    const parts = selectUsedPicoRules(pico, "", BUTTON_SELECTORS);
    expect(/[,}{]button\b|\[type=submit\]\{/.exec(parts)).toBe(null);
    expect(parts).toContain("textarea{");
  });

  test("omits form styles for section previews, which have no forms, but keeps button styles", () => {
    const parts = selectUsedPicoRules(pico, "", FORM_SELECTORS);
    expect(/[,}{](input|select|textarea|label|fieldset)\b|\[type=/.exec(parts)).toBe(null);
    expect(parts).toMatch(/[,}{]button\{/);
    expect(parts).toContain("h1,h2,h3{");
  });
});

test("Pico's part of each style sheet is as large as decision 6 says", async () => {
  const decision = await Bun.file("docs/decisions/0006-libraries.md").text();
  const said =
    /Of ([\d.]+) KB compressed the public pages load ([\d.]+), .* ([\d.]+), .* ([\d.]+);/.exec(
      decision,
    )!;
  const sheets = ["site", "hero", "admin"].map(async (name) => {
    const [file] = new Bun.Glob(`${name}-*.css`).scanSync("dist/web/assets");
    return /^@layer pico\{(.*?)\}\n/s.exec(await Bun.file(`dist/web/assets/${file}`).text())![1]!;
  });
  const inKilobytes = (sheet: string) =>
    (Bun.gzipSync(Buffer.from(sheet)).length / 1000).toFixed(1);
  expect([pico, ...(await Promise.all(sheets))].map(inKilobytes)).toEqual(said.slice(1));
});

test("public style sheets keep :dir(rtl), which the bundler must not replace by a list of languages", async () => {
  let directions = 0;
  for await (const name of new Bun.Glob("{site,hero,preview}-*.css").scan("dist/web/assets")) {
    const sheet = await Bun.file(`dist/web/assets/${name}`).text();
    expect(sheet).not.toMatch(/--buncss-|:lang\(ar\)/);
    directions += sheet.includes(":dir(rtl)") ? 1 : 0;
  }
  expect(directions).toBe(3);
});

describe("a title's size", () => {
  test("depends on the title's longest word, where a hyphen ends a word", () => {
    expect(readWidths("A Featherstonehaugh-Cholmondeley")["--word"]).toBe(
      readWidths("Featherstonehaugh-")["--word"]!,
    );
    expect(readWidths("A co-host")["--word"]).toBe(readWidths("co-host")["--word"]!);
  });

  test("is computed with f, l and t counted separately, since a font of capitals has no narrow letters", () => {
    expect(readWidths("still")["--word"]).toBe(
      "calc(0.00 * var(--capital) + 1.62 * var(--small) + 3.06 * var(--slim))",
    );
    const [capitals, both] = [computeLetterWidths("Bebas Neue"), computeLetterWidths("Inter")];
    expect(capitals.slim / capitals.small).toBeGreaterThan(0.9);
    expect(both.slim / both.small).toBeLessThan(0.7);
  });

  test("doesn't depend on the heading font if another font shows the title's letters", () => {
    expect(readWidths("Иван")["--word"]).toBe(
      "calc(0.00 * var(--capital) + 0.00 * var(--small) + 2.88)",
    );
  });

  test("on a first screen fits the wider line of a title split into two lines as equal as possible", () => {
    const two = (...title: [string, string?]) =>
      (createPhotoTitleFitStyle(...title) as Record<string, string>)["--two"]!;
    expect(two("Vera Lane")).toBe(two("Vera", "Lane"));
    expect(two("The Late Night Comedy Club")).toBe(two("The Late Night", "Comedy Club"));
    expect(two("Vera & Nora")).toBe(two("Vera", "& Nora"));
    expect(two("Coaching", "& mentoring")).toBe(two("& mentoring", "Coaching"));
    expect(two("Vera")).toBe(two("Vera", "Ann"));
    const three = (createPhotoTitleFitStyle("Ann Featherston-Cholmley") as Record<string, string>)[
      "--three"
    ]!;
    expect(three).toBe(two("Featherston-", "Cholmley"));
  });

  test("can be computed for an empty title", () => {
    expect(readWidths("")["--word"]).toStartWith("calc(0.00");
  });
});

test("every media query by width uses one of the four breakpoints in pixels", async () => {
  const wrong: string[] = [];
  for await (const path of new Bun.Glob("src/web/**/*.css").scan()) {
    const css = await Bun.file(path).text();
    for (const [query] of css.matchAll(/@media[^{]*\bwidth\b[^{]*/g))
      for (const [width] of query
        .replace(/\(m\w+-height:[^)]*\)/g, "")
        .matchAll(/[\d.]+(?:px|r?em)/g))
        if (!/^(?:640|768|1024|1280|639\.98|767\.98|1023\.98|1279\.98)px$/.test(width))
          wrong.push(`${path}: ${query.trim()}`);
    for (const [query] of css.matchAll(
      /@(?:media|container)[^{]*\(width < (?:1024|1280)px\)[^{]*/g,
    ))
      wrong.push(`${path}: ${query.trim()}`);
  }
  expect(wrong).toEqual([]);
});

test("every class in a style sheet is in the source, except Jodit's classes", async () => {
  const words = new Set<string>();
  for (const path of new Bun.Glob("src/**/*.{ts,tsx}").scanSync("."))
    for (const word of (await Bun.file(path).text()).match(/[\w-]+/g) ?? []) words.add(word);
  const unused: string[] = [];
  let styled = 0;
  for (const path of new Bun.Glob("src/web/**/*.css").scanSync("."))
    parse(await Bun.file(path).text()).walkRules(({ selector }) => {
      for (const [, name = ""] of selector.matchAll(/\.([a-z][\w-]*)/g)) {
        styled++;
        if (!words.has(name) && !name.startsWith("jodit-")) unused.push(`${path}: ${name}`);
      }
    });
  expect(unused).toEqual([]);
  expect(styled).toBeGreaterThan(1000);
});
