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
