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

/** The summaries by entity key. A backup's summary lacks entities that were added by a later release. */
export const contentSummarySchema = v.record(v.string(), entitySummarySchema);
export type ContentSummary = v.InferOutput<typeof contentSummarySchema>;

type EntitySummary = ContentSummary[string];

/** The entities that owners know from the dashboard. Sessions, for example, aren't among them. */
const SUMMARIZED_ENTITIES = allEntities.filter(
  ({ readers, key }) => readers !== "none" || key === entities.uploads.key,
);

/** Summarizes stored data without opening a store. */
export async function summarizeEngine(engine: Engine): Promise<ContentSummary> {
  const summary: ContentSummary = {};
  for (const entity of SUMMARIZED_ENTITIES) {
    if (entity.shape === "records") {
      summary[entity.key] = { count: (await engine.readRecords(entity)).length };
    } else {
      const value: unknown = await engine.readDocument(entity);
      if (value !== undefined) summary[entity.key] = summarizeValue(value);
    }
  }
  return summary;
}

export async function summarizeStore(store: Store): Promise<ContentSummary> {
  const summaries = SUMMARIZED_ENTITIES.map(
    async (entity) => [entity.key, await summarizeEntity(store, entity)] as const,
  );
  return Object.fromEntries(await Promise.all(summaries));
}

/** Summaries by stored value. A stored value is never modified, so each value is hashed only once. */
const summaryCache = new WeakMap<object, EntitySummary>();

async function summarizeEntity(store: Store, entity: Entity): Promise<EntitySummary> {
  if (entity.shape === "records") return { count: await store.of(entity).count() };
  const value = store.of(entity).read().value as object;
  const summary = summaryCache.get(value) ?? summarizeValue(value);
  summaryCache.set(value, summary);
  return summary;
}

function summarizeValue(value: unknown): EntitySummary {
  const digest = computeSha256Hex(new TextEncoder().encode(JSON.stringify(value))).slice(0, 16);
  return Array.isArray(value) ? { count: value.length, digest } : { digest };
}

/** Returns how a backup differs from the current site; undefined if the backup has no summary. */
export function compareSummaries(
  backupSummary: ContentSummary | undefined,
  siteSummary: ContentSummary,
): BackupDifferences | undefined {
  if (!backupSummary) return undefined;
  const countDifferences: { label: string; plural: string; by: number }[] = [];
  const changedSections = new Set<string>();
  for (const { key, label, plural, section } of SUMMARIZED_ENTITIES) {
    const [backupEntity, siteEntity] = [backupSummary[key], siteSummary[key]];
    if (!backupEntity || !siteEntity) continue;
    const difference = (backupEntity.count ?? 0) - (siteEntity.count ?? 0);
    if (difference !== 0)
      countDifferences.push({
        label: label.toLowerCase(),
        plural: plural.toLowerCase(),
        by: difference,
      });
    else if (backupEntity.digest !== siteEntity.digest) changedSections.add(section);
  }
  return { counts: countDifferences, changed: [...changedSections] };
}
