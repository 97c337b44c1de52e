/** What the build uses of packages that bring no types. */

/** Version 2.9, as its README says. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: "woff2";
      keepFeatures: readonly string[];
      noHinting: boolean;
      /** An axis at one value, or between two. */
      variationAxes?: Readonly<Record<string, number | { min: number; max: number }>>;
    },
  ): Promise<Buffer>;
}

/** Version 2.0, as its README says. */
declare module "fontverter" {
  type FontFormat = "sfnt" | "woff" | "woff2";

  /** Throws when the bytes are none of the formats. */
  export function detectFormat(font: Buffer): FontFormat;
  export function convert(font: Buffer, to: FontFormat, from: FontFormat): Promise<Buffer>;
}
