/**
 * What the dashboard tells of extras before it knows their declarations. The build puts the table in the place of this
 * module (src/build/leftOut.ts).
 */
import { DECLARED } from "./declaredExtras.ts";
import type { Entity } from "./entity.ts";
import type { Extra } from "./extra.ts";
import type { IconName } from "./sectionTab.ts";

interface ListedExtra extends Extra {
  readonly key: string;
  /** Its entities by their keys. */
  readonly entities: readonly string[];
  /** That of the tab that it declares. */
  readonly icon: IconName | undefined;
}

/** In the order of the gallery and of their tabs. */
export const EXTRAS: readonly ListedExtra[] = Object.entries(DECLARED).map(
  ([key, { extra, ...declared }]) => {
    const entities: readonly Entity[] = Object.values(declared);
    const icon = entities.find(({ tab }) => tab?.icon)?.tab?.icon;
    return { key, ...extra, entities: entities.map((entity) => entity.key), icon };
  },
);
