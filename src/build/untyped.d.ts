/** The parts that the build uses of packages without types. */

/** The types of version 2.9, from its README. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: "woff2";
      keepFeatures: readonly string[];
      noHinting: boolean;
      /** An axis pinned to a value, or limited to a range. */
      variationAxes?: Readonly<Record<string, number | { min: number; max: number }>>;
    },
  ): Promise<Buffer>;
}

/** The types of version 2.0, from its README. */
declare module "fontverter" {
  type FontFormat = "sfnt" | "woff" | "woff2";

  /** Throws for an unknown format. */
  export function detectFormat(font: Buffer): FontFormat;
  export function convert(font: Buffer, to: FontFormat, from: FontFormat): Promise<Buffer>;
}
