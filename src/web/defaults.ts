/** The defaults that stand in for what could not be read. */
import { initialValues } from "../schema/check.ts";
import { entities, type EntityKey } from "../schema/index.ts";
import type { PageContent } from "./content.ts";

/** The initial values of the singletons among `keys`; the hero shows the name (spec section 3). */
export function defaultsOf(keys: readonly EntityKey[], siteName: string): PageContent {
  const singletons = keys.filter((key) => entities[key].shape === "singleton");
  const initial = singletons.map((key) => [key, initialValues(entities[key].fields)]);
  const content = Object.fromEntries(initial) as PageContent;
  const { hero } = content;
  return hero
    ? { ...content, hero: { ...hero, mainTitle: siteName, subtitle: siteName } }
    : content;
}
