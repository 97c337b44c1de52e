/** The veil between a hero's words and its photo, and how well they read through it. */
import { expect, test } from "bun:test";
import { initialValues } from "../../src/schema/entities/check.ts";
import { entities } from "../../src/schema/index.ts";
import { LOOKS } from "../../src/schema/looks/looks.ts";
import {
  CELLS,
  contrastOnPhoto,
  type Light,
  scrimBehindTitles,
  scrimFor,
  encodeBrightness,
} from "../../src/schema/looks/scrim.ts";

const styles = initialValues(entities.styles.fields);

/** A photo of 1600 by 900, each patch as `light` says by its column and row. */
function photo(light: (column: number, row: number) => Light[number]) {
  const cells = Array.from({ length: CELLS * CELLS }, (_, at) =>
    light(at % CELLS, Math.floor(at / CELLS)),
  );
  return { width: 1600, height: 900, light: encodeBrightness(cells) };
}
const plain = (gray: number) => photo(() => [gray, gray]);
/** Three lines on a phone. */
const THREE = "Anneliese Hohenstein-Papadopoulos";
const LAYOUTS = ["stage", "center", "split", "card"] as const;

test("a dark photo needs no veil, a light one a strong one, one in between less", () => {
  expect(scrimFor(plain(0), styles)).toBeUndefined();
  const centered = { ...styles, heroLayout: "center" as const };
  const [gray, white] = [scrimFor(plain(187), centered)!, scrimFor(plain(255), centered)!];
  expect(gray.wide).toBeGreaterThan(0);
  expect(white.wide).toBeGreaterThan(gray.wide);
  expect(scrimFor(plain(255), styles)!.tall).toBeGreaterThan(0.1);
});

test.each(LAYOUTS)(
  "words can be read on any photo in the layout %s, two lines and three too",
  (heroLayout) => {
    for (const gray of [0, 51, 102, 153, 204, 255])
      for (const title of [
        "Jonah Vale",
        "Jonah Vale on the stage",
        "جوناه فيل على المسرح",
        THREE,
      ]) {
        const read = { ...plain(gray), title };
        expect(contrastOnPhoto(read, { ...styles, heroLayout })!).toBeGreaterThanOrEqual(4.5);
      }
  },
);

test.each(LOOKS.map((look) => [look.label, look] as const))(
  "%s can be read on any photo, the name and the line below it",
  (_, look) => {
    const worn = { ...styles, ...look.styles };
    for (const gray of [0, 51, 102, 153, 204, 255]) {
      const long = { ...plain(gray), title: "Jonah Vale on the stage" };
      expect(contrastOnPhoto(plain(gray), worn)!).toBeGreaterThanOrEqual(4.5);
      expect(contrastOnPhoto(long, worn)!).toBeGreaterThanOrEqual(4.5);
      expect(contrastOnPhoto(plain(gray), worn, "line") ?? 21).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test("a title that begins at the right has the shade there, so the left of the photo needs more veil", () => {
  const lightAtLeft = photo((column) => (column < 6 ? [255, 255] : [0, 0]));
  const [latin, arabic] = ["Jonah Vale", "جوناه فيل"].map((title) =>
    scrimBehindTitles([title], lightAtLeft, styles),
  );
  expect(arabic!.wide).toBeGreaterThan(latin?.wide ?? 0);
  expect(scrimBehindTitles(["Jonah Vale", "جوناه فيل"], lightAtLeft, styles)).toEqual(arabic);
  const read = { ...lightAtLeft, title: "جوناه فيل" };
  expect(contrastOnPhoto(read, styles)!).toBeGreaterThanOrEqual(4.5);
});

test("a name of three lines reaches further up on a phone, so light up there needs a veil", () => {
  const lightAbove = photo((_, row) => (row < 6 ? [255, 255] : [0, 0]));
  const tall = (title: string) => scrimFor({ ...lightAbove, title }, styles)?.tall ?? 0;
  expect(tall(THREE)).toBeGreaterThan(tall("Jonah Vale"));
});

test("light where no words stand needs no veil", () => {
  expect(
    scrimFor(
      photo((_, row) => (row < 4 ? [255, 255] : [0, 0])),
      styles,
    ),
  ).toBeUndefined();
  expect(
    scrimFor(
      photo((_, row) => (row < 4 ? [0, 0] : [255, 255])),
      styles,
    ),
  ).toBeDefined();
});

test("a lamp among the words doesn't count, a tenth of light in every patch does", () => {
  const lamp = photo((column, row) => (column === 4 && row === 9 ? [255, 255] : [0, 0]));
  expect(scrimFor(lamp, styles)?.wide ?? 0).toBe(0);
  expect(
    scrimFor(
      photo(() => [0, 255]),
      styles,
    )!.wide,
  ).toBeGreaterThan(0);
});

test("the cut decides what is measured: the owner's piece of a photo half light, half dark", () => {
  const half = photo((column) => (column < CELLS / 2 ? [0, 0] : [255, 255]));
  const cut = (x: number) => ({ heroWide: { x, y: 25, width: 50, height: 50 } });
  expect(scrimFor({ ...half, cuts: cut(0) }, styles)?.wide ?? 0).toBe(0);
  expect(scrimFor({ ...half, cuts: cut(50) }, styles)!.wide).toBeGreaterThan(0.1);
});

test("what was never measured has the usual shade, and nothing is said of it", () => {
  const unknown = { width: 1600, height: 900, light: "" };
  expect(scrimFor(unknown, styles)).toBeUndefined();
  expect(contrastOnPhoto(unknown, styles)).toBeUndefined();
});
