/** Summarizes the content of a site or an archive, and compares two summaries. */
import * as v from "valibot";
import type { BackupDifferences } from "../../schema/api/backups.ts";
import type { Entity } from "../../schema/entities/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Engine } from "../storage/engine.ts";
import type { Store } from "../storage/store.ts";
import { computeSha256Hex } from "./unpackArchive.ts";

const entitySummarySchema = v.object({
  /** The number of items, for collections and records. */
  count: v.optional(v.number()),
  /** A hash of the content, for singletons and collections. */
  digest: v.optional(v.string()),
});

/** By entity key. A backup's summary lacks entities that were added by a later release. */
export const contentSummarySchema = v.record(v.string(), entitySummarySchema);
export type ContentSummary = v.InferOutput<typeof contentSummarySchema>;

type EntitySummary = ContentSummary[string];

/** The entities that owners know from the dashboard: not sessions, for example. */
const SUMMARIZED_ENTITIES = allEntities.filter(
  ({ readers, key }) => readers !== "none" || key === entities.uploads.key,
);

/** Summarizes stored data, whose store needn't be open. */
export async function summarizeEngine(engine: Engine): Promise<ContentSummary> {
  const held: ContentSummary = {};
  for (const entity of SUMMARIZED_ENTITIES) {
    if (entity.shape === "records") {
      held[entity.key] = { count: (await engine.readRecords(entity)).length };
    } else {
      const value: unknown = await engine.readDocument(entity);
      if (value !== undefined) held[entity.key] = summarizeValue(value);
    }
  }
  return held;
}

export async function summarizeStore(store: Store): Promise<ContentSummary> {
  const held = SUMMARIZED_ENTITIES.map(
    async (entity) => [entity.key, await summarizeEntity(store, entity)] as const,
  );
  return Object.fromEntries(await Promise.all(held));
}

/** By value: the store's values never change, so each is hashed once. */
const summaryCache = new WeakMap<object, EntitySummary>();

async function summarizeEntity(store: Store, entity: Entity): Promise<EntitySummary> {
  if (entity.shape === "records") return { count: await store.of(entity).count() };
  const value = store.of(entity).read().value as object;
  const held = summaryCache.get(value) ?? summarizeValue(value);
  summaryCache.set(value, held);
  return held;
}

function summarizeValue(value: unknown): EntitySummary {
  const digest = computeSha256Hex(new TextEncoder().encode(JSON.stringify(value))).slice(0, 16);
  return Array.isArray(value) ? { count: value.length, digest } : { digest };
}

/** How a backup differs from the site now; undefined if the backup has no summary. */
export function compareSummaries(
  then: ContentSummary | undefined,
  now: ContentSummary,
): BackupDifferences | undefined {
  if (!then) return undefined;
  const counts: { label: string; plural: string; by: number }[] = [];
  const changed = new Set<string>();
  for (const { key, label, plural, section } of SUMMARIZED_ENTITIES) {
    const [one, other] = [then[key], now[key]];
    if (!one || !other) continue;
    const by = (one.count ?? 0) - (other.count ?? 0);
    if (by !== 0) counts.push({ label: label.toLowerCase(), plural: plural.toLowerCase(), by });
    else if (one.digest !== other.digest) changed.add(section);
  }
  return { counts, changed: [...changed] };
}
