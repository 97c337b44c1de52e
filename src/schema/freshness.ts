/**
 * How long what a browser has read stays fresh. The build puts the value in the place of this module
 * (`src/build/scripts.ts`), so that visitors learn it without loading every declaration.
 */
import { allEntities } from "./index.ts";

/** Milliseconds by key, for the entities that declare it; all others stay fresh (specification, section 4.13). */
export const FRESH_FOR: Readonly<Record<string, number>> = Object.fromEntries(
  allEntities.flatMap(({ key, freshFor }) => (freshFor === undefined ? [] : [[key, freshFor]])),
);
