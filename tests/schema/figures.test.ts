/** The placement of a picture with a person on a first screen. */
import { describe, expect, test } from "bun:test";
import {
  createPortraitLayout,
  computeTopEdgeGray,
} from "../../src/schema/sections/heroPortrait.ts";
import type { Picture } from "../../src/schema/pictures/pictures.ts";

const createPicture = (width: number, height: number, more: Partial<Picture> = {}): Picture => ({
  width,
  height,
  widths: [],
  placeholder: "",
  ...more,
});
const createFocus = (x: number, y = 40) => ({ focus: { x, y } });

describe("the layout of a portrait depends on the picture's ratio and focus", () => {
  test.each([
    ["wide, nothing tapped", createPicture(1600, 900), undefined],
    ["wide, a face right of the words", createPicture(1600, 900, createFocus(56)), undefined],
    ["wide, a face where the words are", createPicture(1600, 900, createFocus(55)), "wide"],
    ["a little wide", createPicture(1210, 1000, createFocus(20)), "wide"],
    ["as wide as is upright", createPicture(1200, 1000), "upright"],
    ["upright, nothing tapped", createPicture(900, 1200), "upright"],
    ["upright, a face at the right", createPicture(900, 1200, createFocus(80)), "upright"],
  ] as const)("%s: the picture %p gets the layout %s", (_, picture, shape) => {
    expect(createPortraitLayout(picture, "left")?.orientation).toBe(shape as never);
  });

  test("a picture of unknown size gets no portrait layout", () => {
    expect(createPortraitLayout(undefined, "left")).toBeUndefined();
    expect(createPortraitLayout(createPicture(0, 0), "left")).toBeUndefined();
  });
});

test("a portrait is mirrored or not, depending on the face's side and the text's direction", () => {
  const isMirrored = (x: number, begins: "left" | "right") =>
    createPortraitLayout(createPicture(900, 1200, createFocus(x)), begins)!.isMirrored;
  expect([37, 38, 90].map((x) => isMirrored(x, "left"))).toEqual([true, false, false]);
  expect([10, 62, 63].map((x) => isMirrored(x, "right"))).toEqual([true, true, false]);
  expect(createPortraitLayout(createPicture(1600, 900, createFocus(10)), "left")!.isMirrored).toBe(
    false,
  );
});

test("a portrait shows the area around the face, or the owner's crop if there is one", () => {
  const seen = (more: Partial<Picture>) =>
    createPortraitLayout(createPicture(900, 1200, more), "left")!.position;
  expect(seen({})).toEqual({ x: 50, y: 10 });
  expect(seen(createFocus(70, 20))).toEqual({ x: 70, y: 0 });
  expect(seen(createFocus(70, 90))).toEqual({ x: 70, y: 100 });
  const cuts = { heroTall: { x: 0, y: 25, width: 50, height: 50 } };
  expect(seen({ ...createFocus(70, 90), cuts })).toEqual({ x: 0, y: 50 });
});

test("the gray of a picture's top edge is its average, and counts as light above a limit", () => {
  expect(computeTopEdgeGray("")).toBeUndefined();
  expect(computeTopEdgeGray("0f".repeat(12) + "00".repeat(132))).toBe(128);
  const isLight = (rim: number) =>
    createPortraitLayout(createPicture(900, 1200, { rim }), "left")!.hasLightEdge;
  expect([217, 218].map(isLight)).toEqual([false, true]);
  expect(createPortraitLayout(createPicture(900, 1200), "left")!.hasLightEdge).toBe(false);
});
