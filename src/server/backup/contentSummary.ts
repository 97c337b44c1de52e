/** A summary of a site's or an archive's content, and the differences between two of them. */
import * as v from "valibot";
import type { BackupDifferences } from "../../schema/api/backups.ts";
import type { Entity } from "../../schema/entities/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Engine } from "../storage/engine.ts";
import type { Store } from "../storage/store.ts";
import { sha256Hex } from "./unpackArchive.ts";

const entitySummarySchema = v.object({
  /** For lists and records. */
  count: v.optional(v.number()),
  /** For values and lists: equal for equal content. */
  digest: v.optional(v.string()),
});

/** By entity key. Entities that couldn't be read, or that are newer than the release, are missing. */
export const contentSummarySchema = v.record(v.string(), entitySummarySchema);
export type ContentSummary = v.InferOutput<typeof contentSummarySchema>;

type EntitySummary = ContentSummary[string];

/** Entities that owners recognize: not sessions and the like. */
const SUMMARIZED_ENTITIES = allEntities.filter(
  ({ readers, key }) => readers !== "none" || key === entities.uploads.key,
);

/** The holdings of an engine, with or without an open store. */
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

/** The holdings of an open store. */
export async function summarizeStore(store: Store): Promise<ContentSummary> {
  const held = SUMMARIZED_ENTITIES.map(
    async (entity) => [entity.key, await summarizeEntity(store, entity)] as const,
  );
  return Object.fromEntries(await Promise.all(held));
}

/** Values are frozen, so digests can be cached. */
const summaryCache = new WeakMap<object, EntitySummary>();

async function summarizeEntity(store: Store, entity: Entity): Promise<EntitySummary> {
  if (entity.shape === "records") return { count: await store.of(entity).count() };
  const value = store.of(entity).read().value as object;
  const held = summaryCache.get(value) ?? summarizeValue(value);
  summaryCache.set(value, held);
  return held;
}

function summarizeValue(value: unknown): EntitySummary {
  const digest = sha256Hex(new TextEncoder().encode(JSON.stringify(value))).slice(0, 16);
  return Array.isArray(value) ? { count: value.length, digest } : { digest };
}

/** Undefined without `then`. */
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
