/** Local stand-ins that take a font's room until it arrives, so that nothing jumps. */
import { fallbackFamily } from "../../../schema/fonts.ts";
import { cataloguedFont, type FallbackFace, type FontCatalogue } from "./fontCatalogue.ts";

/**
 * The `@font-face` rules of `"<Family> Fallback"` for the families the site carries; a family is
 * then written as `"Inter", "Inter Fallback", sans-serif`. Other families are passed over.
 */
export function fallbackFaces(catalogue: FontCatalogue, families: readonly string[]): string {
  return [...new Set(families)]
    .flatMap((family) =>
      (cataloguedFont(catalogue, family)?.fallbacks ?? []).map((face) => rule(family, face)),
    )
    .join("");
}

function rule(family: string, face: FallbackFace): string {
  return [
    "@font-face{",
    `font-family:"${fallbackFamily(family)}";`,
    `font-weight:${face.weights.join(" ")};`,
    `src:${face.local.map((name) => `local("${name}")`).join(",")};`,
    `unicode-range:${face.unicodeRange};`,
    `size-adjust:${percent(face.sizeAdjust)};`,
    `ascent-override:${percent(face.ascent)};`,
    `descent-override:${percent(face.descent)};`,
    `line-gap-override:${percent(face.lineGap)}`,
    "}",
  ].join("");
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))}%`;
}
