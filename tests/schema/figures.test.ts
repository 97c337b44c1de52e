/** The placement of a picture with a person on a first screen. */
import { describe, expect, test } from "bun:test";
import {
  createPortraitLayout,
  computeTopEdgeGray,
} from "../../src/schema/sections/heroPortrait.ts";
import type { Picture } from "../../src/schema/pictures/pictures.ts";

const pictured = (width: number, height: number, more: Partial<Picture> = {}): Picture => ({
  width,
  height,
  widths: [],
  placeholder: "",
  ...more,
});
const at = (x: number, y = 40) => ({ focus: { x, y } });

describe("the arrangement follows from a picture's ratio and focus", () => {
  test.each([
    ["wide, nothing tapped", pictured(1600, 900), undefined],
    ["wide, a face right of the words", pictured(1600, 900, at(56)), undefined],
    ["wide, a face where the words are", pictured(1600, 900, at(55)), "wide"],
    ["a little wide", pictured(1210, 1000, at(20)), "wide"],
    ["as wide as is upright", pictured(1200, 1000), "upright"],
    ["upright, nothing tapped", pictured(900, 1200), "upright"],
    ["upright, a face at the right", pictured(900, 1200, at(80)), "upright"],
  ] as const)("%s: %p is %s", (_, picture, shape) => {
    expect(createPortraitLayout(picture, "left")?.orientation).toBe(shape as never);
  });

  test("a picture of unknown size gets the layout stage", () => {
    expect(createPortraitLayout(undefined, "left")).toBeUndefined();
    expect(createPortraitLayout(pictured(0, 0), "left")).toBeUndefined();
  });
});

test("a face at the left faces the page's middle, and right-to-left text mirrors the layout", () => {
  const isMirrored = (x: number, begins: "left" | "right") =>
    createPortraitLayout(pictured(900, 1200, at(x)), begins)!.isMirrored;
  expect([37, 38, 90].map((x) => isMirrored(x, "left"))).toEqual([true, false, false]);
  expect([10, 62, 63].map((x) => isMirrored(x, "right"))).toEqual([true, true, false]);
  expect(createPortraitLayout(pictured(1600, 900, at(10)), "left")!.isMirrored).toBe(false);
});

test("the area above a face stays visible, and the owner's crop takes precedence", () => {
  const seen = (more: Partial<Picture>) =>
    createPortraitLayout(pictured(900, 1200, more), "left")!.position;
  expect(seen({})).toEqual({ x: 50, y: 10 });
  expect(seen(at(70, 20))).toEqual({ x: 70, y: 0 });
  expect(seen(at(70, 90))).toEqual({ x: 70, y: 100 });
  const cuts = { heroTall: { x: 0, y: 25, width: 50, height: 50 } };
  expect(seen({ ...at(70, 90), cuts })).toEqual({ x: 0, y: 50 });
});

test("the rim is the mean gray of the upper edge, and doesn't fade from luminance .7 on", () => {
  expect(computeTopEdgeGray("")).toBeUndefined();
  expect(computeTopEdgeGray("0f".repeat(12) + "00".repeat(132))).toBe(128);
  const isLight = (rim: number) =>
    createPortraitLayout(pictured(900, 1200, { rim }), "left")!.hasLightEdge;
  expect([217, 218].map(isLight)).toEqual([false, true]);
  expect(createPortraitLayout(pictured(900, 1200), "left")!.hasLightEdge).toBe(false);
});
