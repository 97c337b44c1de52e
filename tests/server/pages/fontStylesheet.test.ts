import { describe, expect, test } from "bun:test";
import { createFontStylesheetHref } from "../../../src/schema/sections/fonts.ts";
import { FONT_FAMILIES } from "../../../src/schema/sections/styles.ts";
import {
  createFallbackRules,
  createFirstPaintFonts,
  findFontPreloadHref,
  createFontStylesheet,
} from "../../../src/server/pages/fonts.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";

const { fonts } = await loadWebBuild();

function respondToQuery(query: string) {
  return createFontStylesheet(fonts, new URLSearchParams(query));
}

function respondToLink(href: string) {
  return createFontStylesheet(fonts, new URL(href, "http://localhost").searchParams);
}

describe("the stylesheet link of a font family", () => {
  test("has the weights 300 to 900, display swap, and plus signs for spaces", () => {
    expect(createFontStylesheetHref("Bebas Neue", "/fonts")).toBe(
      "/fonts/css2?family=Bebas+Neue:wght@300;400;500;600;700;800;900&display=swap",
    );
  });

  test("gets no additional parameters from the font's name", () => {
    const href = createFontStylesheetHref("Inter&display=block#?/\"'<", "/fonts");
    expect(new URL(href, "http://localhost").searchParams.getAll("display")).toEqual(["swap"]);
    expect(href).not.toMatch(/["'<#]/);
  });

  test("is served for each of the fifteen families", () => {
    for (const family of FONT_FAMILIES) {
      const { status, body } = respondToLink(createFontStylesheetHref(family, "/fonts"));
      expect(status).toBe(200);
      expect(body).toContain(`font-family:"${family}";`);
      expect(body.split("@font-face").length - 1).toBe(fonts.families[family]!.faces.length);
    }
  });
});

describe("GET /fonts/css2", () => {
  test("returns all weights of a family, whichever are requested", () => {
    const rules = respondToQuery("family=Inter:wght@400;900&display=swap").body.trim().split("\n");
    expect(rules).toHaveLength(fonts.families["Inter"]!.faces.length);
    expect(rules.at(-1)).toMatch(
      /^@font-face\{font-family:"Inter";font-style:normal;font-weight:400 900;font-display:swap;src:url\(\/fonts\/files\/inter-latin-wght-[0-9a-f]{8}\.woff2\) format\("woff2"\);unicode-range:U\+0000-00FF,/,
    );
    expect(respondToQuery("family=Inter").body.trim().split("\n")).toEqual(rules);
  });

  test.each(["", Array(16).fill("family=Inter").join("&")])(
    "refuses the query %j, which names no font or too many",
    (query) => {
      expect(respondToQuery(query)).toEqual({
        status: 400,
        body: "Request 1 to 15 fonts, such as /fonts/css2?family=Inter.",
      });
    },
  );

  test.each([
    "family=",
    "family=Papyrus",
    "family=inter",
    "family=constructor",
    "family=__proto__",
    "family=Inter&family=Papyrus",
    'family=Inter"}</style><script>',
    "family=Inter*/",
  ])("refuses the query %j with a message that doesn't repeat it", (query) => {
    expect(respondToQuery(query)).toEqual({
      status: 400,
      body: "Unknown font. Request one from the Styles tab, such as /fonts/css2?family=Inter.",
    });
  });
});

describe("fallback fonts and preloaded fonts", () => {
  test("a family's fallback is a local font, stretched to the family's width", () => {
    const css = createFallbackRules(fonts, ["Inter", "Inter"]);
    expect(css.split("@font-face")).toHaveLength(5);
    expect(css).toStartWith(
      '@font-face{font-family:"Inter Fallback";font-weight:100 500;src:local("Arial"),',
    );
    expect(css).toMatch(
      /size-adjust:10[67]\.\d+%;ascent-override:9\d\.\d+%;descent-override:2\d\.\d+%;line-gap-override:0%\}/,
    );
    expect(css).not.toContain("url(");
  });

  test("the fonts of the first paint are preloaded, beginning with the headline's font", () => {
    const { preloads } = createFirstPaintFonts(fonts, ["Bebas Neue", "Inter"], true);
    expect(preloads).toEqual([
      findFontPreloadHref(fonts, "Bebas Neue", 400)!,
      findFontPreloadHref(fonts, "Inter", 400)!,
    ]);
    expect(createFirstPaintFonts(fonts, ["Papyrus"], true)).toEqual({ css: "", preloads: [] });
  });

  test("the page includes the font rules that the style sheet links would return", () => {
    const { css } = createFirstPaintFonts(fonts, ["Bebas Neue", "Inter"], true);
    expect(css).toStartWith(createFallbackRules(fonts, ["Bebas Neue", "Inter"]));
    for (const family of ["Bebas Neue", "Inter"]) {
      const rules = respondToLink(createFontStylesheetHref(family, "/fonts"))
        .body.trim()
        .split("\n");
      expect(rules.length).toBeGreaterThanOrEqual(2);
      for (const rule of rules) expect(css).toContain(rule);
    }
  });

  test("with another font provider nothing is preloaded, and the site's own font rules are omitted", () => {
    const { css, preloads } = createFirstPaintFonts(fonts, ["Bebas Neue", "Inter"], false);
    expect(preloads).toEqual([]);
    expect(css).toBe(createFallbackRules(fonts, ["Bebas Neue", "Inter"]));
  });

  test("the preloaded font file is the one that the style sheet names for the same weight", () => {
    for (const family of FONT_FAMILIES) {
      const href = findFontPreloadHref(fonts, family, 700)!;
      expect(respondToQuery(`family=${family}:wght@700`).body).toContain(`url(${href})`);
      expect(href).toContain("-latin-");
      expect(href).not.toContain("-latin-ext-");
    }
  });
});
