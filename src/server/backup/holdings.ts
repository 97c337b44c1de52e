/** What a site or an archive of it holds, in few words, and how two of them differ. */
import * as v from "valibot";
import type { BackupDifferences } from "../../schema/backups.ts";
import type { Entity } from "../../schema/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Engine } from "../storage/engine.ts";
import type { Store } from "../storage/store.ts";
import { sha256 } from "./unpackArchive.ts";

const holding = v.object({
  /** Of a list or of records. */
  count: v.optional(v.number()),
  /** Of a value or a list: the same for the same content. */
  digest: v.optional(v.string()),
});

/** By the entity's key. One that could not be read, or that a release did not know yet, is not there. */
export const holdingsSchema = v.record(v.string(), holding);
export type Holdings = v.InferOutput<typeof holdingsSchema>;

type Holding = Holdings[string];

/** What an owner knows of: not sessions and the like. */
const SHOWN = allEntities.filter(
  ({ readers, key }) => readers !== "none" || key === entities.uploads.key,
);

/** What an engine keeps, whether a store is open on it or not. */
export async function holdingsOf(engine: Engine): Promise<Holdings> {
  const held: Holdings = {};
  for (const entity of SHOWN) {
    if (entity.shape === "records") {
      held[entity.key] = { count: (await engine.peekRecords(entity)).length };
    } else {
      const value: unknown = await engine.peek(entity);
      if (value !== undefined) held[entity.key] = holdingOf(value);
    }
  }
  return held;
}

/** What an open store keeps. */
export async function holdingsIn(store: Store): Promise<Holdings> {
  const held = SHOWN.map(async (entity) => [entity.key, await present(store, entity)] as const);
  return Object.fromEntries(await Promise.all(held));
}

/** Values are frozen: the same one has the same digest. */
const known = new WeakMap<object, Holding>();

async function present(store: Store, entity: Entity): Promise<Holding> {
  if (entity.shape === "records") return { count: await store.of(entity).count() };
  const value = store.of(entity).read().value as object;
  const held = known.get(value) ?? holdingOf(value);
  known.set(value, held);
  return held;
}

function holdingOf(value: unknown): Holding {
  const digest = sha256(new TextEncoder().encode(JSON.stringify(value))).slice(0, 16);
  return Array.isArray(value) ? { count: value.length, digest } : { digest };
}

/** Undefined when nothing is known of `then`. */
export function differences(
  then: Holdings | undefined,
  now: Holdings,
): BackupDifferences | undefined {
  if (!then) return undefined;
  const counts: { label: string; plural: string; by: number }[] = [];
  const changed = new Set<string>();
  for (const { key, label, plural, section } of SHOWN) {
    const [one, other] = [then[key], now[key]];
    if (!one || !other) continue;
    const by = (one.count ?? 0) - (other.count ?? 0);
    if (by !== 0) counts.push({ label: label.toLowerCase(), plural: plural.toLowerCase(), by });
    else if (one.digest !== other.digest) changed.add(section);
  }
  return { counts, changed: [...changed] };
}
