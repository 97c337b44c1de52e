/** The cropping of pictures for their places (specification, section 3.14). */
import { describe, expect, test } from "bun:test";
import {
  type Crop,
  createCropAround,
  findCrop,
  type CropName,
  computeObjectPosition,
  type Point,
  CROP_RATIOS,
} from "../../src/schema/pictures/pictures.ts";

const LANDSCAPE = { width: 1600, height: 900 };
const UPRIGHT = { width: 1920, height: 2560 };
const RATIO_NAMES = Object.keys(CROP_RATIOS) as CropName[];
const base = { widths: [], placeholder: "" };

const computeRatio = ({ width, height }: Crop, picture: { width: number; height: number }) =>
  (width * picture.width) / (height * picture.height);

/** The visible part of a picture in a frame of this ratio that it covers, by the rules of CSS. */
function computeShownArea(
  frame: number,
  cut: Crop,
  picture: { width: number; height: number },
  focus?: Point,
): Crop {
  const { x, y, zoom } = computeObjectPosition(cut, focus);
  const ratio = picture.width / picture.height;
  const width = (100 * Math.min(1, frame / ratio)) / zoom;
  const height = (100 * Math.min(1, ratio / frame)) / zoom;
  return { x: (x / 100) * (100 - width), y: (y / 100) * (100 - height), width, height };
}

describe("A crop around a point", () => {
  test("has the required ratio, and is the largest one within the picture", () => {
    for (const picture of [LANDSCAPE, UPRIGHT])
      for (const ratioName of RATIO_NAMES)
        for (const center of [
          { x: 0, y: 100 },
          { x: 66, y: 20 },
        ]) {
          const cut = createCropAround(picture, ratioName, center);
          expect(computeRatio(cut, picture)).toBeCloseTo(CROP_RATIOS[ratioName], 5);
          expect(Math.max(cut.width, cut.height)).toBeCloseTo(100, 5);
          expect(Math.min(cut.x, cut.y)).toBeGreaterThanOrEqual(0);
          expect(Math.max(cut.x + cut.width, cut.y + cut.height)).toBeLessThanOrEqual(100.001);
        }
  });

  test("has the point in its middle where the picture is wide enough", () => {
    const { x, width } = createCropAround(LANDSCAPE, "poster", { x: 60, y: 10 });
    expect(x + width / 2).toBeCloseTo(60, 5);
  });
});

describe("A place on a page", () => {
  test("shows the owner's crop of the picture, or else the area around its focus", () => {
    const customCrop = { x: 10, y: 20, width: 30, height: 40 };
    const picture = { ...base, ...LANDSCAPE, focus: { x: 50, y: 50 }, cuts: { about: customCrop } };
    expect(findCrop(picture, "about")).toEqual(customCrop);
    expect(findCrop(picture, "poster")).toEqual(
      createCropAround(LANDSCAPE, "poster", { x: 50, y: 50 }),
    );
    expect(findCrop({ ...base, ...LANDSCAPE }, "poster")).toBeUndefined();
  });

  test("shows exactly the picture's crop if the place has the crop's ratio", () => {
    for (const picture of [LANDSCAPE, UPRIGHT])
      for (const ratioName of RATIO_NAMES)
        for (const zoom of [1, 1.7, 4]) {
          const cut = createCropAround(picture, ratioName, { x: 70, y: 30 }, zoom);
          const shown = computeShownArea(CROP_RATIOS[ratioName], cut, picture);
          for (const key of ["x", "y", "width", "height"] as const)
            expect(shown[key]).toBeCloseTo(cut[key], 3);
        }
  });

  test("shows the picture's focus even if the place is half or twice as wide as the crop", () => {
    for (const picture of [LANDSCAPE, UPRIGHT])
      for (const ratioName of RATIO_NAMES)
        for (const focus of [
          { x: 5, y: 5 },
          { x: 50, y: 50 },
          { x: 98, y: 90 },
        ])
          for (const factor of [0.5, 0.8, 1.25, 2]) {
            const cut = createCropAround(picture, ratioName, focus);
            const shown = computeShownArea(CROP_RATIOS[ratioName] * factor, cut, picture, focus);
            expect(focus.x).toBeGreaterThanOrEqual(shown.x - 0.001);
            expect(focus.x).toBeLessThanOrEqual(shown.x + shown.width + 0.001);
            expect(focus.y).toBeGreaterThanOrEqual(shown.y - 0.001);
            expect(focus.y).toBeLessThanOrEqual(shown.y + shown.height + 0.001);
          }
  });
});
