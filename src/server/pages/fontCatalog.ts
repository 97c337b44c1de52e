/** The fonts that the program contains, as listed in the build's manifest. */

export type FontFace = {
  subset: "latin" | "latin-ext";
  /** The lightest and the heaviest weight in the file; equal for a static file. */
  weights: [number, number];
  /** The characters in the file, as `unicode-range` in CSS. */
  unicodeRange: string;
  /** The file's name, with a hash of its content. */
  file: string;
};

/** A font of the visitor's system, adjusted to a family's metrics. The metrics are ratios: 1 is 100 %. */
export type FallbackFace = {
  /** Names of system fonts with the same glyph widths. The browser uses the first one that is installed. */
  local: string[];
  weights: [number, number];
  /** The characters that the font replaces, as `unicode-range` in CSS. */
  unicodeRange: string;
  sizeAdjust: number;
  ascent: number;
  descent: number;
  lineGap: number;
};

/** A family: its faces (latin-ext before latin, lighter before heavier) and its fallbacks. */
export type FontFamily = { faces: FontFace[]; fallbacks: FallbackFace[] };

/** The fonts by family; `totalBytes` is the size of all files. */
export type FontCatalog = { families: Record<string, FontFamily>; totalBytes: number };

/** The URL path of the font files, which browsers cache permanently. */
export const FONT_FILES_PATH = "/fonts/files/";

/** Returns a family's entry; undefined for other names, even inherited ones such as `constructor`. */
export function findFont(catalog: FontCatalog, family: string): FontFamily | undefined {
  return Object.hasOwn(catalog.families, family) ? catalog.families[family] : undefined;
}

/** The weights with outlines for drawing text in pictures; other weights are drawn in the nearest one. */
export const OUTLINED_WEIGHTS = [300, 500, 700, 900] as const;

/** The family with outlines for the most scripts. It replaces a font that lacks many letters of a text. */
export const BROADEST_FAMILY = "Inter";

/** A family's glyphs in one weight. All lengths are in font units; `em` is the number of units per em. */
export interface FontOutlines {
  readonly em: number;
  /** By character: the advance width, and the outline as an SVG path whose y points upwards. */
  readonly glyphs: Readonly<Record<string, readonly [advance: number, path: string]>>;
  /** The kerning by pair of letters. */
  readonly kern: Readonly<Record<string, number>>;
}

/** The folder of the outlines within a build. */
export const OUTLINES_FOLDER = "outlines";
export const getOutlinesFileName = (family: string, weight: number) =>
  `${family.toLowerCase().replaceAll(" ", "-")}-${weight}.json.gz`;
