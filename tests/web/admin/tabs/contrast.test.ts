/** The pairs of text and background, and the correction of a set of colors. */
import { expect, test } from "bun:test";
import { initialValues } from "../../../../src/schema/entities/check.ts";
import { contrastRatio, readableTextColor } from "../../../../src/schema/core/contrast.ts";
import { entities } from "../../../../src/schema/index.ts";
import { LOOKS } from "../../../../src/schema/looks/looks.ts";
import { CELLS, contrastOnPhoto } from "../../../../src/schema/looks/scrim.ts";
import type { LookDrafts } from "../../../../src/web/admin/tabs/styles/lookDrafts.ts";
import {
  isHard,
  fixedColors,
  onPhotos,
  PAIRS,
  type Palette,
  paletteOf,
  contrasts,
} from "../../../../src/web/admin/tabs/styles/contrast.ts";

const initial = initialValues(entities.styles.fields);

function paletteWith(styles: object, sections: object): Palette {
  const values = Object.entries(sections).map(([key, colors]) => [key, { values: colors }]);
  const drafts = { styles: { values: { ...initial, ...styles } } };
  return paletteOf({ ...drafts, sections: Object.fromEntries(values) } as unknown as LookDrafts);
}

test.each([...LOOKS])("all text in $label is readable", ({ styles, sections }) => {
  const pairs = contrasts(paletteWith(styles, sections));
  expect(pairs).toHaveLength(PAIRS.length);
  expect(pairs.filter(isHard)).toEqual([]);
  for (const button of [styles.primaryColor, styles.heroButtonColor ?? styles.primaryColor])
    expect(contrastRatio(button, readableTextColor(button))).toBeGreaterThanOrEqual(4.5);
});

test("a readable set of colors stays unchanged", () => {
  const [look] = LOOKS;
  expect(fixedColors(paletteWith(look!.styles, look!.sections))).toEqual({});
});

test("a pink page gets darker text, and keeps its background", () => {
  const pink = { backgroundColor: "#FFE9F1", textColor: "#2A1520", accentColor: "#C0A3AE" };
  const same = { aboutBackgroundColor: "#FFE9F1", sectionBackgroundColor: "#FFE9F1" };
  const hero = { heroBackgroundColor: "#FFE9F1", heroAccentColor: "#A3134F" };
  const colors = { backgroundColor: "#FFE9F1", textColor: "#2A1520", accentColor: "#2A1520" };
  const sections = Object.fromEntries(
    ["highlightSettings", "connectSettings", "pressSettings", "transformationSettings"].map(
      (key) => [key, colors],
    ),
  );
  const changes = fixedColors(paletteWith({ ...pink, ...same, ...hero }, sections));
  expect(Object.keys(changes)).toEqual(["styles.accentColor"]);
});

test("any set of colors can be fixed, and readable text stays readable", () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const color = () =>
    `#${Math.floor(random() * 0x1000000)
      .toString(16)
      .padStart(6, "0")}`;
  const names = [...new Set(PAIRS.flatMap(({ text, background }) => [text, background]))];
  for (let round = 0; round < 200; round += 1) {
    const palette = Object.fromEntries(names.map((name) => [name, color()])) as Palette;
    const after = { ...palette, ...fixedColors(palette) } as Palette;
    expect([palette, contrasts(after).filter(isHard)]).toEqual([palette, []]);
  }
});

test("text that is readable on the hero's color but not on its photo is fixed with the set", () => {
  const white = { width: 1600, height: 900, light: "ff".repeat(CELLS * CELLS) };
  const faint = { ...initial, heroTextColor: "#797979", heroAccentColor: "#00BFFF" };
  const both = ["name", "line"] as const;
  const measure = onPhotos(
    [{ photo: white, where: "the photo", written: both }],
    faint,
    contrastOnPhoto,
  );
  const before = paletteWith(faint, LOOKS[0]!.sections);
  expect(contrasts(before).filter(isHard)).toEqual([]);
  const hard = contrasts(before, measure).filter(isHard);
  expect(hard.map(({ textLabel, where }) => [textLabel, where])).toEqual([
    ["Hero text", "the photo"],
  ]);
  const changes = fixedColors(before, measure);
  expect(Object.keys(changes)).toEqual(["styles.heroTextColor"]);
  expect(contrasts({ ...before, ...changes } as Palette, measure).filter(isHard)).toEqual([]);
});

test("the coaching page's photo is checked separately, and has no text in the accent color", () => {
  const black = { width: 1600, height: 900, light: "00".repeat(CELLS * CELLS) };
  const white = { width: 1600, height: 900, light: "ff".repeat(CELLS * CELLS) };
  const faint = { ...initial, heroTextColor: "#797979" };
  const measure = onPhotos(
    [
      { photo: black, where: "the photo", written: ["name", "line"] },
      { photo: white, where: "the Coaching photo", written: ["name"] },
    ],
    faint,
    contrastOnPhoto,
  );
  const measured = measure(paletteWith(faint, LOOKS[0]!.sections));
  expect(measured.map(({ textLabel, where }) => `${textLabel}, ${where}`)).toEqual([
    "Hero text, the photo",
    "Hero accent, the photo",
    "Hero text, the Coaching photo",
  ]);
  expect(measured[2]!.ratio).toBeLessThan(measured[0]!.ratio);
});
