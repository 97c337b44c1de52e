/** The extras (optional sections): their declarations, their dashboard details, and the setting that turns them on. */
import { type Entity, singleton } from "../entities/entity.ts";
import type { Extra } from "../entities/extra.ts";
import type { IconName } from "../entities/sectionTab.ts";
import { nameList } from "../kinds/fields.ts";
import * as announcement from "./announcement.ts";
import * as dates from "./events.ts";
import * as packages from "./packages.ts";
import * as testimonials from "./testimonials.ts";
import * as showreel from "./videos.ts";

/** The declarations of all extras by key, in the order of the gallery and of their tabs. */
export const EXTRA_MODULES = { showreel, dates, testimonials, packages, announcement };

export type ExtraKey = keyof typeof EXTRA_MODULES;

interface ListedExtra extends Extra {
  readonly key: string;
  readonly entities: readonly string[];
  readonly icon: IconName | undefined;
}

export const EXTRAS: readonly ListedExtra[] = Object.entries(EXTRA_MODULES).map(
  ([key, { extra, ...declared }]) => {
    const entities: readonly Entity[] = Object.values(declared);
    const icon = entities.find(({ tab }) => tab?.icon)?.tab?.icon;
    return { key, ...extra, entities: entities.map((entity) => entity.key), icon };
  },
);

/** The extras that are on. Names that this release doesn't know are retained, since another release has them. */
export const extras = singleton("extras", "Extras", {
  messages: { save: { failure: "Couldn't change your sections" } },
  checkItemRules({ on }, before): Record<string, string> {
    const canBeEnabled = (name: string) =>
      EXTRAS.some(({ key }) => key === name) || !before || before.on.includes(name);
    return on.every(canBeEnabled) ? {} : { on: "This section doesn't exist." };
  },
  fields: { on: nameList("Turned on") },
});
