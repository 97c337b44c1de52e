/** Defaults for content that couldn't be read. */
import { getInitialValues } from "../../schema/entities/check.ts";
import { type Content, entities, type EntityKey, type SingletonKey } from "../../schema/index.ts";

type DefaultContent = { [K in SingletonKey]?: Content<K> };

/** Returns the initial values of singletons. The hero gets the site's name (specification, section 3.3). */
export function createDefaultContent(keys: readonly EntityKey[], siteName: string): DefaultContent {
  const singletons = keys.filter((key) => entities[key].shape === "singleton");
  const entries = singletons.map((key) => [key, getInitialValues(entities[key].fields)]);
  const content = Object.fromEntries(entries) as DefaultContent;
  const { hero } = content;
  return hero
    ? { ...content, hero: { ...hero, mainTitle: siteName, subtitle: siteName } }
    : content;
}
