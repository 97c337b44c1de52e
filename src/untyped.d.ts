/** The types of what is imported and has none: files that aren't code, and two packages of the build. */

// Imported `with { type: "text" }`. The last two are files of docs/deploy for servers.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "*/limelight.service" {
  const text: string;
  export default text;
}
declare module "*/limelightctl" {
  const text: string;
  export default text;
}

// Imported `with { type: "file" }`: a path, which is readable inside the executable too.
declare module "*.bin" {
  const path: string;
  export default path;
}
declare module "*.wasm" {
  const path: string;
  export default path;
}

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
