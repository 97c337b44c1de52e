/** The defaults that stand in for what could not be read. */
import { initialValues } from "../schema/check.ts";
import { entities, type EntityKey } from "../schema/index.ts";
import type { PageContent } from "./content.ts";

/** The initial values of the singletons among `keys`. */
export function defaultsOf(keys: readonly EntityKey[]): PageContent {
  const singletons = keys.filter((key) => entities[key].shape === "singleton");
  return Object.fromEntries(singletons.map((key) => [key, initialValues(entities[key].fields)]));
}
