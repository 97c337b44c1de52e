/** The fonts that the site carries, as the build lists them in its manifest. */

export type FontFace = {
  subset: "latin" | "latin-ext";
  /** The lightest and the heaviest weight in the file; equal for a static file. */
  weights: [number, number];
  /** As `unicode-range` in CSS. */
  unicodeRange: string;
  /** The file's name, with a hash of its content. */
  file: string;
};

/** A local font whose metrics are adjusted to the family's. The metrics are ratios: 1 is 100 %. */
export type FallbackFace = {
  /** Names of local fonts with the same glyph widths. The browser uses the first one that is installed. */
  local: string[];
  weights: [number, number];
  /** The characters it covers, as `unicode-range` in CSS. */
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

/** The path where the files are served, cached permanently. */
export const FONT_FILES_PATH = "/fonts/files/";

/** Returns a family's entry; undefined for other names, even inherited ones such as `constructor`. */
export function findFont(catalog: FontCatalog, family: string): FontFamily | undefined {
  return Object.hasOwn(catalog.families, family) ? catalog.families[family] : undefined;
}

/** The weights that have outlines; text is drawn in the nearest weight. */
export const OUTLINED_WEIGHTS = [300, 500, 700, 900] as const;

/** The family with outlines for the most scripts, used for letters that the look's own font lacks. */
export const BROADEST_FAMILY = "Inter";

/** A family's glyphs in one weight, in units of its em. */
export interface FontOutlines {
  readonly em: number;
  /** By character: the advance width, and the outline as an SVG path whose y points upwards. */
  readonly glyphs: Readonly<Record<string, readonly [advance: number, path: string]>>;
  /** The kerning by pair of letters. */
  readonly kern: Readonly<Record<string, number>>;
}

/** The folder of the outlines within a build, and the name of a file in it. */
export const OUTLINES_FOLDER = "outlines";
export const getOutlinesFileName = (family: string, weight: number) =>
  `${family.toLowerCase().replaceAll(" ", "-")}-${weight}.json.gz`;
