/** Colors in any notation, read as numbers (specification, section 2.11). */
import { describe, expect, test } from "bun:test";
import { getInitialValues } from "../../src/schema/entities/check.ts";
import {
  parseColor,
  isColor,
  computeContrastRatio,
  computeLuminance,
} from "../../src/schema/core/color.ts";
import { entities } from "../../src/schema/index.ts";
import { createThemeProperties } from "../../src/web/shared/theme.ts";

/** The result of Bun's CSS parser. */
const toCssColor = (color: string) => Bun.color(color.toLowerCase(), "[rgb]");

test.each(
  [
    ["#fff", "#08f8", "#00BFFF", "#00bfff80", "black", "NAVY", "rebeccapurple"],
    ["rgb(255 220 0)", "rgb(12, 34, 56)", "rgba(10%, 20%, 30%, 50%)", "rgb(300 5 0)"],
    ["hsl(120 50% 50%)", "hsl(210deg, 65%, 20%)", "hsla(-30, 100%, 40%, .5)", "hsl(720 0% 100%)"],
  ].flat(),
)("the color %s is parsed to the same value as by a CSS parser", (color) => {
  expect(isColor(color)).toBe(true);
  const rounded = parseColor(color)!.map(Math.round);
  for (const [at, channel] of toCssColor(color)!.entries())
    expect(Math.abs(rounded[at]! - channel)).toBeLessThanOrEqual(1);
});

test.each(["", "#12", "bluish", "rgb(1..2 3 4)", "url(x)", "rgb(1 2 3);color:red"])(
  "%p is refused as a color",
  (text) => {
    expect([isColor(text), parseColor(text), computeLuminance(text)]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  },
);

describe("a theme is the same in every notation of a color", () => {
  const initial = getInitialValues(entities.styles.fields);
  const NOTATIONS = {
    dark: ["#000000", "black", "rgb(0 0 0)", "hsl(0 0% 0%)"],
    light: ["#FFFFFF", "white", "rgb(255, 255, 255)", "hsl(0, 0%, 100%)"],
  };
  const names = [
    "backgroundColor",
    "textColor",
    "primaryColor",
    "heroTextColor",
    "toneShadow",
  ] as const;
  const measured = ["--outline-blend", "--outline-fill", "color-scheme", "--light"];
  for (const [what, [hex, ...others]] of Object.entries(NOTATIONS))
    test.each(names)(`for a ${what} %s`, (name) => {
      const of = (color: string) => {
        const properties = createThemeProperties({ ...initial, [name]: color } as never);
        return measured.map((property) => properties[property]);
      };
      for (const other of others) {
        expect(computeContrastRatio(other, "#808080")).toBe(computeContrastRatio(hex!, "#808080")!);
        expect(of(other)).toEqual(of(hex!));
      }
    });
});
