/** The pairs of text and background, and the correction of a set of colors. */
import { expect, test } from "bun:test";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import {
  computeContrastRatio,
  chooseReadableTextColor,
  formatContrastRatio,
} from "../../../../src/schema/core/color.ts";
import { entities } from "../../../../src/schema/index.ts";
import { LOOKS } from "../../../../src/schema/looks/looks.ts";
import { GRID_CELLS_PER_SIDE, measureContrastOnPhoto } from "../../../../src/schema/looks/scrim.ts";
import type { LookDrafts } from "../../../../src/web/admin/tabs/styles/lookDrafts.ts";
import {
  isHardToRead,
  findReadableColors,
  createPhotoContrastMeasurer,
  COLOR_PAIRS,
  type Palette,
  createPalette,
  createContrastChecks,
  measureContrasts,
} from "../../../../src/web/admin/tabs/styles/contrast.ts";

const initial = getInitialValues(entities.styles.fields);

function createDrafts(styles: object, sections: object): LookDrafts {
  const values = Object.entries(sections).map(([key, colors]) => [key, { values: colors }]);
  const drafts = { styles: { values: { ...initial, ...styles } } };
  return { ...drafts, sections: Object.fromEntries(values) } as unknown as LookDrafts;
}

const createTestPalette = (styles: object, sections: object): Palette =>
  createPalette(createDrafts(styles, sections));

test("a contrast check names the text that is hard to read and its section", () => {
  const [look] = LOOKS;
  const drafts = createDrafts({ ...look!.styles, accentColor: "#0A0A0A" }, look!.sections);
  const checks = createContrastChecks(drafts).map(({ result, detail }) => `${result} ${detail}`);
  expect(checks).toEqual(["Accent is hard to read on Press"]);
});

test.each([...LOOKS])("all text in the look $label is readable", ({ styles, sections }) => {
  const pairs = measureContrasts(createTestPalette(styles, sections));
  expect(pairs).toHaveLength(COLOR_PAIRS.length);
  expect(pairs.filter(isHardToRead)).toEqual([]);
  for (const button of [styles.primaryColor, styles.heroButtonColor ?? styles.primaryColor])
    expect(computeContrastRatio(button, chooseReadableTextColor(button))).toBeGreaterThanOrEqual(
      4.5,
    );
});

test("fixing the contrast leaves a readable set of colors unchanged", () => {
  const [look] = LOOKS;
  expect(findReadableColors(createTestPalette(look!.styles, look!.sections))).toEqual({});
});

test("fixing the contrast of a pink page changes only its unreadable accent color", () => {
  const pink = { backgroundColor: "#FFE9F1", textColor: "#2A1520", accentColor: "#C0A3AE" };
  const same = { aboutBackgroundColor: "#FFE9F1", sectionBackgroundColor: "#FFE9F1" };
  const hero = { heroBackgroundColor: "#FFE9F1", heroAccentColor: "#A3134F" };
  const colors = { backgroundColor: "#FFE9F1", textColor: "#2A1520", accentColor: "#2A1520" };
  const sections = Object.fromEntries(
    ["highlightSettings", "connectSettings", "pressSettings", "transformationSettings"].map(
      (key) => [key, colors],
    ),
  );
  const changes = findReadableColors(createTestPalette({ ...pink, ...same, ...hero }, sections));
  expect(Object.keys(changes)).toEqual(["styles.accentColor"]);
});

test("fixing the contrast of any set of colors leaves no text that is hard to read", () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const color = () =>
    `#${Math.floor(random() * 0x1000000)
      .toString(16)
      .padStart(6, "0")}`;
  const names = [...new Set(COLOR_PAIRS.flatMap(({ text, background }) => [text, background]))];
  for (let round = 0; round < 200; round += 1) {
    const palette = Object.fromEntries(names.map((name) => [name, color()])) as Palette;
    const after = { ...palette, ...findReadableColors(palette) } as Palette;
    expect([palette, measureContrasts(after).filter(isHardToRead)]).toEqual([palette, []]);
  }
});

test("fixing a set of colors includes text that is readable on the hero's color but not on its photo", () => {
  const white = {
    width: 1600,
    height: 900,
    light: "ff".repeat(GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE),
  };
  const faint = { ...initial, heroTextColor: "#797979", heroAccentColor: "#00BFFF" };
  const both = ["name", "line"] as const;
  const measure = createPhotoContrastMeasurer(
    [{ photo: white, backgroundLabel: "the photo", texts: both }],
    faint,
    measureContrastOnPhoto,
  );
  const before = createTestPalette(faint, LOOKS[0]!.sections);
  expect(measureContrasts(before).filter(isHardToRead)).toEqual([]);
  const hard = measureContrasts(before, measure).filter(isHardToRead);
  expect(hard.map(({ textLabel, backgroundLabel }) => [textLabel, backgroundLabel])).toEqual([
    ["Hero text", "the photo"],
  ]);
  const changes = findReadableColors(before, measure);
  expect(Object.keys(changes)).toEqual(["styles.heroTextColor"]);
  expect(
    measureContrasts({ ...before, ...changes } as Palette, measure).filter(isHardToRead),
  ).toEqual([]);
});

test("contrast on the coaching page's photo is measured separately, and not for the accent color", () => {
  const black = {
    width: 1600,
    height: 900,
    light: "00".repeat(GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE),
  };
  const white = {
    width: 1600,
    height: 900,
    light: "ff".repeat(GRID_CELLS_PER_SIDE * GRID_CELLS_PER_SIDE),
  };
  const faint = { ...initial, heroTextColor: "#797979" };
  const measure = createPhotoContrastMeasurer(
    [
      { photo: black, backgroundLabel: "the photo", texts: ["name", "line"] },
      { photo: white, backgroundLabel: "the Coaching photo", texts: ["name"] },
    ],
    faint,
    measureContrastOnPhoto,
  );
  const measured = measure(createTestPalette(faint, LOOKS[0]!.sections));
  expect(
    measured.map(({ textLabel, backgroundLabel }) => `${textLabel}, ${backgroundLabel}`),
  ).toEqual(["Hero text, the photo", "Hero accent, the photo", "Hero text, the Coaching photo"]);
  expect(measured[2]!.ratio).toBeLessThan(measured[0]!.ratio);
});

test("a contrast just below 4.5:1 is not shown as 4.5:1", () => {
  const ratio = computeContrastRatio("#777777", "#FFFFFF")!;
  expect([isHardToRead({ ratio }), ratio.toFixed(1)]).toEqual([true, "4.5"]);
  expect([formatContrastRatio(ratio), formatContrastRatio(4.5), formatContrastRatio(21)]).toEqual([
    "4.4:1",
    "4.5:1",
    "21.0:1",
  ]);
});
