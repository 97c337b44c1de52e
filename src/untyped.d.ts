/** The types of imports that have none: files that aren't code, and two packages that the build uses. */

// Files imported as text (`with { type: "text" }`). The last two are files for servers in docs/deploy.
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

// Files imported as a path (`with { type: "file" }`), which can be read even inside the executable.
declare module "*.bin" {
  const path: string;
  export default path;
}
declare module "*.wasm" {
  const path: string;
  export default path;
}

/** The part of subset-font 2.9 that the build uses. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: "woff2";
      keepFeatures: readonly string[];
      noHinting: boolean;
      variationAxes?: Readonly<Record<string, number | { min: number; max: number }>>;
    },
  ): Promise<Buffer>;
}

/** The part of fontverter 2.0 that the build uses. */
declare module "fontverter" {
  type FontFormat = "sfnt" | "woff" | "woff2";

  export function detectFormat(font: Buffer): FontFormat;
  export function convert(font: Buffer, to: FontFormat, from: FontFormat): Promise<Buffer>;
}
