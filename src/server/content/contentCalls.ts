/** The calls of all content: one set for each declared entity, written once (design.md section 3). */
import { Elysia, type AnyElysia } from "elysia";
import type { Entity } from "../../schema/entity.ts";
import { allEntities } from "../../schema/index.ts";
import { collectionCalls } from "./collectionCalls.ts";
import { historyCalls } from "./historyCalls.ts";
import type { ContentParts } from "./parts.ts";
import { singletonCalls } from "./singletonCalls.ts";

/** Every entity with readers gets its calls; records have capabilities of their own. */
export function contentCalls(parts: ContentParts): AnyElysia {
  const app = new Elysia().use(historyCalls(parts));
  return allEntities
    .filter(({ readers }) => readers !== "none")
    .map((entity) => callsOf(entity, parts))
    .reduce<AnyElysia>((all, calls) => (calls ? all.use(calls) : all), app);
}

function callsOf(entity: Entity, parts: ContentParts): AnyElysia | undefined {
  if (entity.shape === "singleton") return singletonCalls(entity, parts);
  return entity.shape === "collection" ? collectionCalls(entity, parts) : undefined;
}
