/** What the site knows of the fonts it carries; the build writes it into its manifest. */

export type FontFace = {
  subset: "latin" | "latin-ext";
  /** The lightest and the heaviest weight in the file; the same number twice for a static file. */
  weights: [number, number];
  /** As `unicode-range` in CSS. */
  unicodeRange: string;
  /** The file's name, with a hash of its content. */
  file: string;
};

/** A local face made to take as much room as the family; ratios, 1 is 100 %. */
export type FallbackFace = {
  /** Local fonts with the same widths, the first one installed is taken. */
  local: string[];
  weights: [number, number];
  /** The letters it stands in for, as `unicode-range` in CSS. */
  unicodeRange: string;
  sizeAdjust: number;
  ascent: number;
  descent: number;
  lineGap: number;
};

/** A family: its faces (latin-ext before latin, lighter before heavier) and its stand-ins. */
export type CataloguedFont = { faces: FontFace[]; fallbacks: FallbackFace[] };

/** The fonts by family; `totalBytes` is the size of all files. */
export type FontCatalogue = { families: Record<string, CataloguedFont>; totalBytes: number };

/** Where the files are served, immutable for ever. */
export const FONT_FILES_PATH = "/fonts/files/";

/** The entry of a family; names that every object has, such as `constructor`, are none. */
export function cataloguedFont(
  catalogue: FontCatalogue,
  family: string,
): CataloguedFont | undefined {
  return Object.hasOwn(catalogue.families, family) ? catalogue.families[family] : undefined;
}

/** The weights that names are drawn in; a heading's is drawn in the nearest. */
export const OUTLINED_WEIGHTS = [300, 500, 700, 900] as const;

/** The family that is drawn in every script there is outlines of: what the look's own lacks is written in it. */
export const WIDEST_FAMILY = "Inter";

/** The letters of a family at a weight, in parts of its em. */
export interface Outlines {
  readonly em: number;
  /** By character: how far it moves the pen, and its outline as the path of an SVG, upwards. */
  readonly glyphs: Readonly<Record<string, readonly [advance: number, path: string]>>;
  /** By pair of letters. */
  readonly kern: Readonly<Record<string, number>>;
}

/** The folder of the outlines within a build, and a file of it. */
export const OUTLINES_FOLDER = "outlines";
export const outlinesFile = (family: string, weight: number) =>
  `${family.toLowerCase().replaceAll(" ", "-")}-${weight}.json.gz`;
