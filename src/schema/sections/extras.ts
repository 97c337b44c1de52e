/** The details of each extra in the dashboard's list. */
import { EXTRA_MODULES } from "./declaredExtras.ts";
import type { Entity } from "../entities/entity.ts";
import type { Extra } from "../entities/extra.ts";
import type { IconName } from "../entities/sectionTab.ts";

interface ListedExtra extends Extra {
  readonly key: string;
  /** The keys of its entities. */
  readonly entities: readonly string[];
  readonly icon: IconName | undefined;
}

/** All extras, in the order of the gallery and of their tabs. */
export const EXTRAS: readonly ListedExtra[] = Object.entries(EXTRA_MODULES).map(
  ([key, { extra, ...declared }]) => {
    const entities: readonly Entity[] = Object.values(declared);
    const icon = entities.find(({ tab }) => tab?.icon)?.tab?.icon;
    return { key, ...extra, entities: entities.map((entity) => entity.key), icon };
  },
);
