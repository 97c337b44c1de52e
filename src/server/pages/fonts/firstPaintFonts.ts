/** Interim. */
import type { FontCatalogue } from "./fontCatalogue.ts";
export function firstPaintFonts(_catalogue: FontCatalogue, _families: readonly string[]) {
  return { fallbacks: "", preloads: [] as string[] };
}
