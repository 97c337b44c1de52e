/** Headings that nobody has changed follow the look's letters; an owner's own stay. */
import { describe, expect, test } from "bun:test";
import { initialValues } from "../../../src/schema/entities/check.ts";
import { type Content, entities } from "../../../src/schema/index.ts";
import { type Look, lookNamed } from "../../../src/schema/looks/looks.ts";
import type { PageContent } from "../../../src/web/shared/content.ts";
import { defaultsOf } from "../../../src/web/shared/defaults.ts";
import { withHeadings } from "../../../src/web/shared/headings.ts";
import { en } from "../../../src/web/words/en.ts";
import { themeProperties } from "../../../src/web/shared/theme.ts";

const FIRST = initialValues(entities.styles.fields) as Content<"styles">;
const UNCHANGED = defaultsOf(
  ["about", "highlightSettings", "connectSettings", "pressSettings", "transformationSettings"],
  "Vera",
);

const stylesOf = (name: Look["name"]) => ({ ...FIRST, ...lookNamed(name)!.styles });

function headingsOf({ about, ...settings }: PageContent): unknown[] {
  return [about?.title, ...Object.values(settings).map((each) => (each as Headed).heading)];
}

interface Headed {
  readonly heading: string;
}

const CAPITALS = ["ABOUT", "HIGHLIGHTS", "CONNECT", "PRESS & FEATURES", "TRANSFORMATIONS"];
const AS_TYPED = ["About", "Highlights", "Connect", "Press & features", "Transformations"];

test.each(["daylight", "studio"] as const)("in %s they are set as one would type them", (name) => {
  expect(headingsOf(withHeadings(UNCHANGED, stylesOf(name), en))).toEqual(AS_TYPED);
});

test.each(["spotlight", "broadway", "velvet", "neon"] as const)(
  "in %s, whose letters are capitals, they stay to the letter",
  (name) => expect(withHeadings(UNCHANGED, stylesOf(name), en)).toBe(UNCHANGED),
);

test("before any look they stay as the specification has them", () => {
  expect(headingsOf(withHeadings(UNCHANGED, FIRST, en))).toEqual(CAPITALS);
});

test("what the owner has typed stays in any look, and so does all else", () => {
  const own = { ...UNCHANGED, pressSettings: { ...UNCHANGED.pressSettings!, heading: "IN PRINT" } };
  const shown = withHeadings(own, stylesOf("daylight"), en);
  expect(shown.pressSettings).toEqual(own.pressSettings);
  expect({ ...shown.about!, title: "ABOUT" }).toEqual(own.about!);
});

describe("the theme", () => {
  const propertiesOf = (styles: object) =>
    themeProperties({ ...initialValues(entities.styles.fields), ...styles });

  test.each([
    ["navy", "#FFFFFF"],
    ["rgb(255 220 0)", "#001018"],
  ])("words on a primary color written as %s can be read", (primaryColor, words) => {
    expect(propertiesOf({ primaryColor })["--on-primary"]).toBe(words);
  });

  test("the coaching hero's words can be read on its dark grey under any text color", () => {
    const of = (textColor: string) => propertiesOf({ textColor })["--on-dark-grey"];
    expect([of("#000000"), of("#111111"), of("#F5E9D0")]).toEqual([
      "#FFFFFF",
      "#FFFFFF",
      "#F5E9D0",
    ]);
    expect(propertiesOf({})["--dark-grey"]).toBe("#1A1A1A");
  });
});
