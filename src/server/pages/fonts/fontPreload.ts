/** Names the file that a page preloads for its first words (design.md §8). */
import { cataloguedFont, FONT_FILES_PATH, type FontCatalogue } from "./fontCatalogue.ts";

/**
 * The address of a family's latin file for a weight, or undefined when the site does not carry the
 * family. Link it with `rel=preload as=font type=font/woff2 crossorigin`.
 */
export function fontPreloadHref(
  catalogue: FontCatalogue,
  family: string,
  weight: number,
): string | undefined {
  const faces = cataloguedFont(catalogue, family)?.faces.filter((face) => face.subset === "latin");
  const distances = (faces ?? []).map(({ file, weights: [from, to] }) => ({
    file,
    distance: Math.max(from - weight, 0, weight - to),
  }));
  const nearest = distances.sort((a, b) => a.distance - b.distance)[0];
  return nearest && FONT_FILES_PATH + nearest.file;
}
