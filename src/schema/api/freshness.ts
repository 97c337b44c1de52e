/**
 * The time for which browsers may cache content. The build replaces this module with the computed value
 * (`src/build/slimmingPlugins.ts`), so browsers don't load the declarations of all entities.
 */
import { allEntities } from "../index.ts";

/** The times in milliseconds, by entity key. Entities without `maxAgeMs` don't expire (specification, section 4.13). */
export const FRESHNESS_MS: Readonly<Record<string, number>> = Object.fromEntries(
  allEntities.flatMap(({ key, maxAgeMs }) => (maxAgeMs === undefined ? [] : [[key, maxAgeMs]])),
);
