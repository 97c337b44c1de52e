/** Unchanged headings follow the look's letter case; an owner's own stay. */
import { describe, expect, test } from "bun:test";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { type Content, entities } from "../../../src/schema/index.ts";
import { type Look, findLook } from "../../../src/schema/looks/looks.ts";
import type { PageContent } from "../../../src/web/shared/content.ts";
import { createDefaultContent } from "../../../src/web/shared/defaults.ts";
import { applyHeadingCase } from "../../../src/web/shared/headings.ts";
import { en } from "../../../src/web/words/en.ts";
import { createThemeProperties } from "../../../src/web/shared/theme.ts";

const INITIAL_STYLES = getInitialValues(entities.styles.fields) as Content<"styles">;
const UNCHANGED = createDefaultContent(
  ["about", "highlightSettings", "connectSettings", "pressSettings", "transformationSettings"],
  "Vera",
);

const getStyles = (name: Look["name"]) => ({ ...INITIAL_STYLES, ...findLook(name)!.styles });

function collectHeadings({ about, ...settings }: PageContent): unknown[] {
  return [about?.title, ...Object.values(settings).map((each) => (each as Headed).heading)];
}

interface Headed {
  readonly heading: string;
}

const CAPITALS = ["ABOUT", "HIGHLIGHTS", "CONNECT", "PRESS & FEATURES", "TRANSFORMATIONS"];
const AS_TYPED = ["About", "Highlights", "Connect", "Press & features", "Transformations"];

test.each(["daylight", "studio"] as const)(
  "in the look %s the default headings are in sentence case",
  (name) => {
    expect(collectHeadings(applyHeadingCase(UNCHANGED, getStyles(name), en))).toEqual(AS_TYPED);
  },
);

test.each(["spotlight", "broadway", "velvet", "neon"] as const)(
  "in the look %s, whose font has only capitals, the default headings stay unchanged",
  (name) => expect(applyHeadingCase(UNCHANGED, getStyles(name), en)).toBe(UNCHANGED),
);

test("without a look the default headings are in capitals, as in the specification", () => {
  expect(collectHeadings(applyHeadingCase(UNCHANGED, INITIAL_STYLES, en))).toEqual(CAPITALS);
});

test("a look changes the case of default headings, but not a heading that the owner wrote", () => {
  const content = {
    ...UNCHANGED,
    pressSettings: { ...UNCHANGED.pressSettings!, heading: "IN PRINT" },
  };
  const shown = applyHeadingCase(content, getStyles("daylight"), en);
  expect(shown.pressSettings).toEqual(content.pressSettings);
  expect({ ...shown.about!, title: "ABOUT" }).toEqual(content.about!);
});

describe("the theme", () => {
  const createProperties = (styles: object) =>
    createThemeProperties({ ...getInitialValues(entities.styles.fields), ...styles });

  test.each([
    ["navy", "#FFFFFF"],
    ["rgb(255 220 0)", "#001018"],
  ])("text on a primary color written as %s is readable", (primaryColor, words) => {
    expect(createProperties({ primaryColor })["--on-primary"]).toBe(words);
  });

  test("the coaching hero's text is readable on its dark gray with any text color", () => {
    const of = (textColor: string) => createProperties({ textColor })["--on-dark-grey"];
    expect([of("#000000"), of("#111111"), of("#F5E9D0")]).toEqual([
      "#FFFFFF",
      "#FFFFFF",
      "#F5E9D0",
    ]);
    expect(createProperties({})["--dark-grey"]).toBe("#1A1A1A");
  });
});
