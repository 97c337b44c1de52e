/** The darkest and lightest gray of a photo's patches, measured when it is stored. */
import { expect, test } from "bun:test";
import { GRID_CELLS_PER_SIDE } from "../../../src/schema/looks/scrim.ts";
import { acceptImage } from "../../../src/server/uploads/acceptImage.ts";
import { measureBrightness } from "../../../src/server/uploads/pictureAnalysis.ts";
import { createGrayPng } from "../../support/png.ts";

test("a picture's brightness is measured patch by patch, from the upper left to the lower right", async () => {
  const { light } = await acceptImage(
    createGrayPng(240, 120, (x, y) => (y < 60 ? 0 : x < 120 ? 255 : 136)),
  );
  const rows = light.match(new RegExp(`.{${2 * GRID_CELLS_PER_SIDE}}`, "g"))!;
  expect(rows).toHaveLength(GRID_CELLS_PER_SIDE);
  expect(rows[0]).toBe("00".repeat(GRID_CELLS_PER_SIDE));
  expect(rows.at(-1)).toBe(
    "ff".repeat(GRID_CELLS_PER_SIDE / 2) + "88".repeat(GRID_CELLS_PER_SIDE / 2),
  );
});

test("a patch with black and white stripes has a dark and a light value", async () => {
  const { light } = await acceptImage(
    createGrayPng(960, 960, (x) => (Math.floor(x / 20) % 2 ? 255 : 0)),
  );
  expect(light).toMatch(new RegExp(`^(?:[01][ef]){${GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE}}$`));
});

test("fine stripes in a long picture have the same brightness values as measured at full size", async () => {
  for (const [width, height] of [
    [3000, 750],
    [750, 3000],
  ] as const) {
    const stripes = createGrayPng(width, height, (x, y) =>
      Math.floor((Math.min(width, height) === width ? x : y) / 12) % 2 ? 255 : 0,
    );
    const { light } = await acceptImage(stripes);
    const whole = await measureBrightness(stripes);
    const off = [...light].map((digit, at) =>
      Math.abs(Number.parseInt(digit, 16) - Number.parseInt(whole[at]!, 16)),
    );
    expect(Math.max(...off)).toBeLessThanOrEqual(1);
  }
});
