/**
 * What belongs to an item of a list: the steps and submissions of a form, the fields of a step. While the
 * item is in the bin they stay where they are, out of sight; they go when it goes for good.
 */
import type { Collection, RecordsEntity, StoredItem } from "../../schema/entity.ts";
import { allEntities } from "../../schema/index.ts";
import type { Log } from "../shared/log.ts";
import type { Bin, LetGo, Listed } from "../storage/bin.ts";
import type { Store } from "../storage/store.ts";

type Child = Collection | RecordsEntity;

const CHILDREN = allEntities.filter(
  (entity): entity is Child => entity.shape !== "singleton" && entity.parent !== undefined,
);

const childrenOf = (key: string) => CHILDREN.filter(({ parent }) => parent!.entity === key);

/** True when other entities belong to the items of this one. */
export const hasChildren = (key: string) => childrenOf(key).length > 0;

type Fielded = Readonly<Record<string, unknown>>;

/** How many belong to an item, by the key of their entity, and to these in turn. */
export function countBelonging(
  store: Store,
  { key }: Listed,
  ids: ReadonlySet<string>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const child of childrenOf(key)) {
    const { field } = child.parent!;
    const isTheirs = (item: Fielded) => ids.has(item[field] as string);
    if (child.shape === "records") {
      counts[child.key] = store.of(child).count({ [field]: { oneOf: ids } });
      continue;
    }
    const items = store.of(child).read().value.filter(isTheirs);
    counts[child.key] = items.length;
    const below = countBelonging(store, child, new Set(items.map(({ id }) => id)));
    for (const [name, count] of Object.entries(below)) counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

export interface BelongingContext {
  readonly store: Store;
  readonly bin: Pick<Bin, "of">;
  readonly letGo: LetGo;
  /** A line for the operator. */
  readonly log: Log;
}

/**
 * Deletes for good what belongs to an item that goes. The lowest go first, so that after a kill those
 * above still tell whose the rest is. Throws `cannot_store`; call it again then.
 */
export async function removeBelonging(
  context: BelongingContext,
  { entity, item }: { readonly entity: Listed; readonly item: StoredItem },
): Promise<void> {
  if (!hasChildren(entity.key)) return;
  const { store, log } = context;
  const counts = countBelonging(store, entity, new Set([item.id]));
  await removeBelow(context, entity.key, new Set([item.id]));
  const said = Object.entries(counts).flatMap(([key, count]) => (count ? `${count} ${key}` : []));
  log(
    `bin: ${entity.key} ${item.id} went with ${said.join(", ") || "nothing that belonged to it"}`,
  );
}

async function removeBelow(
  context: BelongingContext,
  key: string,
  ids: ReadonlySet<string>,
): Promise<void> {
  const { store } = context;
  for (const child of childrenOf(key)) {
    const isTheirs = (item: Fielded) => ids.has(item[child.parent!.field] as string);
    await letGoDeleted(context, child, isTheirs);
    if (child.shape === "records") {
      await store.of(child).deleteWhere({ [child.parent!.field]: { oneOf: ids } });
      continue;
    }
    const items = store.of(child);
    const theirs = items.read().value.filter(isTheirs);
    if (theirs.length === 0) continue;
    await removeBelow(context, child.key, new Set(theirs.map(({ id }) => id)));
    await items.update(
      (all: readonly StoredItem[]) => all.filter((item) => !isTheirs(item)) as StoredItem[],
    );
  }
}

/** Those that were deleted before: they could be put back nowhere. */
async function letGoDeleted(
  { bin, letGo }: BelongingContext,
  child: Child,
  isTheirs: (item: Fielded) => boolean,
): Promise<void> {
  const ids: string[] = [];
  for await (const item of bin.of(child)) if (isTheirs(item)) ids.push(item.id);
  if (ids.length > 0) await letGo(ids);
}
