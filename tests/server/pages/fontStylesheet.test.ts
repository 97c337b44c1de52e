import { describe, expect, test } from "bun:test";
import { fontStylesheetHref } from "../../../src/schema/sections/fonts.ts";
import { FONT_FAMILIES } from "../../../src/schema/sections/styles.ts";
import {
  fallbackFaces,
  firstPaintFonts,
  fontPreloadHref,
  fontStylesheet,
} from "../../../src/server/pages/fonts.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";

const { fonts } = await loadWebBuild();

function answer(query: string) {
  return fontStylesheet(fonts, new URLSearchParams(query));
}

function latinWeights(query: string) {
  return [...answer(query).body.matchAll(/latin-(\d+)-\w{8}/g)].map((match) => match[1]);
}

function responseAt(href: string) {
  return fontStylesheet(fonts, new URL(href, "http://localhost").searchParams);
}

describe("a page asks for a font with one stylesheet link per family", () => {
  test("weights 300 to 900, display swap, spaces as plus signs", () => {
    expect(fontStylesheetHref("Bebas Neue")).toBe(
      "/fonts/css2?family=Bebas+Neue:wght@300;400;500;600;700;800;900&display=swap",
    );
  });

  test("a provider elsewhere is asked the same way", () => {
    expect(fontStylesheetHref("Lora", "https://fonts.example.org")).toBe(
      "https://fonts.example.org/css2?family=Lora:wght@300;400;500;600;700;800;900&display=swap",
    );
  });

  test("a name can add nothing to the address", () => {
    const href = fontStylesheetHref("Inter&display=block#?/\"'<", "/fonts");
    expect(new URL(href, "http://localhost").searchParams.getAll("display")).toEqual(["swap"]);
    expect(href).not.toMatch(/["'<#]/);
  });

  test("each of the fifteen families is answered at its own address", () => {
    for (const family of FONT_FAMILIES) {
      const { status, body } = responseAt(fontStylesheetHref(family));
      expect(status).toBe(200);
      expect(body).toContain(`font-family:"${family}";`);
      expect(body.split("@font-face").length - 1).toBe(fonts.families[family]!.faces.length);
    }
  });
});

describe("GET /fonts/css2", () => {
  test("a variable family is one file per subset, with its range of weights", () => {
    const rules = answer("family=Inter:wght@400;900&display=swap").body.trim().split("\n");
    expect(rules).toHaveLength(2);
    expect(rules[1]).toMatch(
      /^@font-face\{font-family:"Inter";font-style:normal;font-weight:400 900;font-display:swap;src:url\(\/fonts\/files\/inter-latin-wght-[0-9a-f]{8}\.woff2\) format\("woff2"\);unicode-range:U\+0000-00FF,/,
    );
  });

  test("its light weight is a file besides, for who asks for it", () => {
    expect(latinWeights("family=Inter:wght@300;400;900")).toEqual(["300"]);
    expect(latinWeights("family=Inter:wght@300..900")).toEqual(["300"]);
    expect(latinWeights("family=Inter:wght@400..900")).toEqual([]);
  });

  test("a weight that a family lacks is met by the nearest one", () => {
    expect(latinWeights("family=PT+Sans:wght@800")).toEqual(["700"]);
    expect(latinWeights("family=Bebas+Neue:wght@300;900")).toEqual(["400"]);
    expect(latinWeights("family=Lato:wght@500;600")).toEqual(["400", "700"]);
    expect(latinWeights("family=Poppins")).toEqual(["400"]);
    expect(latinWeights("family=Poppins:wght@300..500")).toEqual(["300", "400", "500"]);
  });

  test("several families come in one answer", () => {
    const { status, body } = answer("family=Oswald:wght@700&family=Lora&display=optional");
    expect(status).toBe(200);
    expect(body).toContain('"Oswald"');
    expect(body).toContain('"Lora"');
    expect(body.split("font-display:optional")).toHaveLength(5);
  });

  test("without a display it swaps", () => {
    expect(answer("family=Inter").body).toContain("font-display:swap");
  });

  test.each([
    "",
    "family=",
    "family=Papyrus",
    "family=inter",
    "family=constructor",
    "family=__proto__",
    "family=Inter&family=Papyrus",
    "family=Inter&display=none",
    "family=Inter&display=swap;}*{color:red",
    "family=Inter:ital@1",
    "family=Inter:wght@",
    "family=Inter:wght@400;",
    "family=Inter:wght@400,500",
    "family=Inter:wght@99999",
    `family=Inter:wght@${"400;".repeat(500)}400`,
    'family=Inter"}</style><script>',
    "family=Inter*/",
    Array(16).fill("family=Inter").join("&"),
  ])("%j is refused with a plain sentence that echoes nothing", (query) => {
    expect(answer(query)).toEqual({
      status: 400,
      body:
        "Unknown font. Request /fonts/css2?family=Inter:wght@400;700&display=swap, " +
        "with a family from the Styles tab.",
    });
  });
});

describe("stand-ins and the preload", () => {
  test("a family's stand-in is local, and stretched", () => {
    const css = fallbackFaces(fonts, ["Inter", "Inter"]);
    expect(css.split("@font-face")).toHaveLength(5);
    expect(css).toStartWith(
      '@font-face{font-family:"Inter Fallback";font-weight:100 500;src:local("Arial"),',
    );
    expect(css).toMatch(
      /size-adjust:10[67]\.\d+%;ascent-override:9\d\.\d+%;descent-override:2\d\.\d+%;line-gap-override:0%\}/,
    );
    expect(css).not.toContain("url(");
  });

  test("the fonts of the first paint are preloaded, the headline's first", () => {
    const { preloads } = firstPaintFonts(fonts, ["Bebas Neue", "Inter"], true);
    expect(preloads).toEqual([
      fontPreloadHref(fonts, "Bebas Neue", 400)!,
      fontPreloadHref(fonts, "Inter", 400)!,
    ]);
    expect(firstPaintFonts(fonts, ["Papyrus"], true)).toEqual({ css: "", preloads: [] });
  });

  test("the page brings the rules along that the links would answer", () => {
    const { css } = firstPaintFonts(fonts, ["Bebas Neue", "Inter"], true);
    expect(css).toStartWith(fallbackFaces(fonts, ["Bebas Neue", "Inter"]));
    for (const family of ["Bebas Neue", "Inter"]) {
      const rules = responseAt(fontStylesheetHref(family)).body.trim().split("\n");
      expect(rules.length).toBeGreaterThanOrEqual(2);
      for (const rule of rules) expect(css).toContain(rule);
    }
  });

  test("with a provider elsewhere nothing is preloaded from here, and no rule of ours stands", () => {
    const { css, preloads } = firstPaintFonts(fonts, ["Bebas Neue", "Inter"], false);
    expect(preloads).toEqual([]);
    expect(css).toBe(fallbackFaces(fonts, ["Bebas Neue", "Inter"]));
  });

  test("families the site does not carry have none", () => {
    expect(fallbackFaces(fonts, ["Papyrus", "constructor"])).toBe("");
    expect(fontPreloadHref(fonts, "Papyrus", 400)).toBeUndefined();
  });

  test("the preloaded file is the one the stylesheet names for that weight", () => {
    for (const family of FONT_FAMILIES) {
      const href = fontPreloadHref(fonts, family, 700)!;
      expect(answer(`family=${family}:wght@700`).body).toContain(`url(${href})`);
      expect(href).toContain("-latin-");
      expect(href).not.toContain("-latin-ext-");
    }
  });
});
