/** The veil between a hero's text and its photo, and the contrast through it. */
import { expect, test } from "bun:test";
import { getInitialValues } from "../../src/schema/entities/check.ts";
import { entities } from "../../src/schema/index.ts";
import { LOOKS } from "../../src/schema/looks/looks.ts";
import {
  GRID_CELLS_PER_SIDE,
  measureContrastOnPhoto,
  type BrightnessGrid,
  computeScrimBehindTitles,
  computeScrim,
  encodeBrightness,
} from "../../src/schema/looks/scrim.ts";

const styles = getInitialValues(entities.styles.fields);

/** A photo of 1600 by 900 whose patches have the brightness that `light` returns for their column and row. */
function createPhoto(light: (column: number, row: number) => BrightnessGrid[number]) {
  const cells = Array.from({ length: GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE }, (_, at) =>
    light(at % GRID_CELLS_PER_SIDE, Math.floor(at / GRID_CELLS_PER_SIDE)),
  );
  return { width: 1600, height: 900, light: encodeBrightness(cells) };
}
const createPlainPhoto = (gray: number) => createPhoto(() => [gray, gray]);
/** Three lines on a phone. */
const THREE = "Anneliese Hohenstein-Papadopoulos";
const LAYOUTS = ["stage", "center", "split", "card"] as const;

test("the overlay on a photo is stronger the lighter the photo is, and is missing on a dark photo", () => {
  expect(computeScrim(createPlainPhoto(0), styles)).toBeUndefined();
  const centered = { ...styles, heroLayout: "center" as const };
  const [gray, white] = [
    computeScrim(createPlainPhoto(187), centered)!,
    computeScrim(createPlainPhoto(255), centered)!,
  ];
  expect(gray.wide).toBeGreaterThan(0);
  expect(white.wide).toBeGreaterThan(gray.wide);
  expect(computeScrim(createPlainPhoto(255), styles)!.tall).toBeGreaterThan(0.1);
});

test.each(LAYOUTS)(
  "a title of one to three lines is readable on any photo in the layout %s",
  (heroLayout) => {
    for (const gray of [0, 51, 102, 153, 204, 255])
      for (const title of [
        "Jonah Vale",
        "Jonah Vale on the stage",
        "جوناه فيل على المسرح",
        THREE,
      ]) {
        const read = { ...createPlainPhoto(gray), title };
        expect(measureContrastOnPhoto(read, { ...styles, heroLayout })!).toBeGreaterThanOrEqual(
          4.5,
        );
      }
  },
);

test.each(LOOKS.map((look) => [look.label, look] as const))(
  "in the look %s the name and the line below it are readable on any photo",
  (_, look) => {
    const worn = { ...styles, ...look.styles };
    for (const gray of [0, 51, 102, 153, 204, 255]) {
      const long = { ...createPlainPhoto(gray), title: "Jonah Vale on the stage" };
      expect(measureContrastOnPhoto(createPlainPhoto(gray), worn)!).toBeGreaterThanOrEqual(4.5);
      expect(measureContrastOnPhoto(long, worn)!).toBeGreaterThanOrEqual(4.5);
      expect(
        measureContrastOnPhoto(createPlainPhoto(gray), worn, "line") ?? 21,
      ).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test("a photo that is light at its left needs more overlay under a right-to-left title", () => {
  const lightAtLeft = createPhoto((column) => (column < 6 ? [255, 255] : [0, 0]));
  const [latin, arabic] = ["Jonah Vale", "جوناه فيل"].map((title) =>
    computeScrimBehindTitles([title], lightAtLeft, styles),
  );
  expect(arabic!.wide).toBeGreaterThan(latin?.wide ?? 0);
  expect(computeScrimBehindTitles(["Jonah Vale", "جوناه فيل"], lightAtLeft, styles)).toEqual(
    arabic,
  );
  const read = { ...lightAtLeft, title: "جوناه فيل" };
  expect(measureContrastOnPhoto(read, styles)!).toBeGreaterThanOrEqual(4.5);
});

test("on a phone a light area needs more overlay if a name of three lines reaches it", () => {
  const lightAbove = createPhoto((_, row) => (row < 6 ? [255, 255] : [0, 0]));
  const tall = (title: string) => computeScrim({ ...lightAbove, title }, styles)?.tall ?? 0;
  expect(tall(THREE)).toBeGreaterThan(tall("Jonah Vale"));
});

test("light areas without text need no overlay", () => {
  expect(
    computeScrim(
      createPhoto((_, row) => (row < 4 ? [255, 255] : [0, 0])),
      styles,
    ),
  ).toBeUndefined();
  expect(
    computeScrim(
      createPhoto((_, row) => (row < 4 ? [0, 0] : [255, 255])),
      styles,
    ),
  ).toBeDefined();
});

test("light areas all over a photo need an overlay, but a single bright spot doesn't", () => {
  const lamp = createPhoto((column, row) => (column === 4 && row === 9 ? [255, 255] : [0, 0]));
  expect(computeScrim(lamp, styles)?.wide ?? 0).toBe(0);
  expect(
    computeScrim(
      createPhoto(() => [0, 255]),
      styles,
    )!.wide,
  ).toBeGreaterThan(0);
});

test("the overlay depends only on the part of the photo within the owner's crop", () => {
  const half = createPhoto((column) => (column < GRID_CELLS_PER_SIDE / 2 ? [0, 0] : [255, 255]));
  const cut = (x: number) => ({ heroWide: { x, y: 25, width: 50, height: 50 } });
  expect(computeScrim({ ...half, cuts: cut(0) }, styles)?.wide ?? 0).toBe(0);
  expect(computeScrim({ ...half, cuts: cut(50) }, styles)!.wide).toBeGreaterThan(0.1);
});

test("a photo whose brightness was never measured gets the default overlay, without a warning", () => {
  const unknown = { width: 1600, height: 900, light: "" };
  expect(computeScrim(unknown, styles)).toBeUndefined();
  expect(measureContrastOnPhoto(unknown, styles)).toBeUndefined();
});
