/** Interim. */
import type { FontCatalogue } from "./fontCatalogue.ts";
export function fontStylesheet(_catalogue: FontCatalogue, _query: URLSearchParams) {
  return { status: 200, body: "" };
}
