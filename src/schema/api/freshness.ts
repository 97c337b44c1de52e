/**
 * The time for which browsers may cache content. The build replaces this module by its value
 * (`src/build/slimmingPlugins.ts`), so visitors don't load every declaration.
 */
import { allEntities } from "../index.ts";

/** Milliseconds by key of entity; entities without `maxAgeMs` don't expire (specification, section 4.13). */
export const FRESHNESS_MS: Readonly<Record<string, number>> = Object.fromEntries(
  allEntities.flatMap(({ key, maxAgeMs }) => (maxAgeMs === undefined ? [] : [[key, maxAgeMs]])),
);
