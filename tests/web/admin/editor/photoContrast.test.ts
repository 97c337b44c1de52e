/** How well words read on a photo under its shade. */
import { expect, test } from "bun:test";
import { initialValues } from "../../../../src/schema/check.ts";
import { entities } from "../../../../src/schema/index.ts";
import { LOOKS } from "../../../../src/schema/looks.ts";
import { leastContrast } from "../../../../src/web/admin/editor/photoContrast.ts";

const styles = initialValues(entities.styles.fields);
const words = { left: 0.05, right: 0.6, top: 0.55 };

/** A picture of 40 by 40 whose pixels are all `light`, but for a share of them that is `other`. */
function picture(light: number, other = light, share = 0) {
  const data = new Uint8ClampedArray(40 * 40 * 4);
  for (let at = 0; at < 40 * 40; at += 1)
    data.fill((at * 7) % 100 < share * 100 ? other : light, 4 * at, 4 * at + 4);
  return { data, width: 40, height: 40 };
}

test("white words read on a dark photo, and worse the lighter it gets", () => {
  const found = [0, 80, 160, 255].map((light) => leastContrast(picture(light), { words }, styles));
  expect(found[0]).toBeGreaterThan(10);
  expect(found).toEqual(found.toSorted((a, b) => b - a));
});

test("a lamp in the corner doesn't count, a tenth of light does", () => {
  const dark = leastContrast(picture(0), { words }, styles);
  expect(leastContrast(picture(0, 255, 0.04), { words }, styles)).toBeCloseTo(dark, 0);
  expect(leastContrast(picture(0, 255, 0.4), { words }, styles)).toBeLessThan(dark - 1);
});

test("dark words are hard on a dark photo, in the look that has them", () => {
  const daylight = { ...styles, ...LOOKS.find(({ name }) => name === "daylight")!.styles };
  const [onDark, onLight] = [0, 255].map((light) =>
    leastContrast(picture(light), { words }, { ...daylight, pictures: "asShot" }),
  );
  expect(onLight).toBeGreaterThan(4.5);
  expect(onDark!).toBeLessThan(onLight!);
});
