/**
 * The children of list items: a form's steps and submissions, a step's fields. While an item is in the bin they stay
 * in place, hidden; they are deleted with it when it is permanently deleted, in one transaction.
 */
import {
  type Collection,
  parentIdOf,
  type RecordsEntity,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Log } from "../shared/log.ts";
import type { Bin, Listed } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";

type Child = (Collection | RecordsEntity) & Required<Pick<Collection, "parent">>;

const CHILDREN = allEntities.filter(
  (entity): entity is Child => entity.shape !== "singleton" && entity.parent !== undefined,
);

const childrenOf = (key: string) => CHILDREN.filter(({ parent }) => parent.entity === key);

/** True when other entities have this one as their parent. */
export const hasChildren = (key: string) => childrenOf(key).length > 0;

type Fielded = Readonly<Record<string, unknown>>;

/** Counts the descendants of items, by entity key. */
export async function countDescendants(
  store: Store,
  { key }: Listed,
  ids: ReadonlySet<string>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const child of childrenOf(key)) {
    const { field } = child.parent;
    const isChild = (item: Fielded) => ids.has(parentIdOf(child.parent, item));
    if (child.shape === "records") {
      counts[child.key] = await store.of(child).count({ [field]: { oneOf: ids } });
      continue;
    }
    const items = store.of(child).read().value.filter(isChild);
    counts[child.key] = items.length;
    const below = await countDescendants(store, child, new Set(items.map(({ id }) => id)));
    for (const [name, count] of Object.entries(below)) counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

interface BelongingContext {
  readonly store: Store;
  readonly bin: Pick<Bin, "allOf">;
  /** A line for the operator. */
  readonly log: Log;
}

/** Finds the descendants of a permanently deleted item; returns a function that deletes them. */
export async function prepareDescendantRemoval(
  context: BelongingContext,
  { entity, item }: { readonly entity: Listed; readonly item: StoredItem },
): Promise<(transaction: Transaction) => Promise<void>> {
  if (!hasChildren(entity.key)) return async () => {};
  const ids = new Set([item.id]);
  const counts = await countDescendants(context.store, entity, ids);
  const below = await findBelow(context, entity.key, ids);
  const labels = Object.entries(counts).flatMap(([key, count]) => (count ? `${count} ${key}` : []));
  return async (transaction) => {
    for (const each of below) await remove(transaction, each);
    context.log(
      `bin: deleting ${entity.key} ${item.id} with ${labels.join(", ") || "no children"}`,
      "info",
    );
  };
}

/** The children of some items, of one entity. */
interface Belonging {
  readonly child: Child;
  readonly parents: ReadonlySet<string>;
  /** The ids of children in the bin, which couldn't be restored any more. */
  readonly deleted: readonly string[];
}

async function findBelow(
  context: BelongingContext,
  key: string,
  parents: ReadonlySet<string>,
): Promise<Belonging[]> {
  const { store, bin } = context;
  const below: Belonging[] = [];
  for (const child of childrenOf(key)) {
    const isChild = (item: Fielded) => parents.has(parentIdOf(child.parent, item));
    const deleted: string[] = [];
    for await (const item of bin.allOf(child)) if (isChild(item)) deleted.push(item.id);
    below.push({ child, parents, deleted });
    if (child.shape === "records") continue;
    const listed = store.of(child).read().value.filter(isChild);
    const ids = new Set([...listed.map(({ id }) => id), ...deleted]);
    if (ids.size > 0) below.push(...(await findBelow(context, child.key, ids)));
  }
  return below;
}

async function remove(
  transaction: Transaction,
  { child, parents, deleted }: Belonging,
): Promise<void> {
  const { field } = child.parent;
  const binned = transaction.of(entities.bin);
  for (const id of deleted) await binned.delete(id);
  if (child.shape === "records")
    return void (await transaction.of(child).deleteWhere({ [field]: { oneOf: parents } }));
  await transaction.of(child).update((all: StoredItem[]) => {
    const left = all.filter((item) => !parents.has(parentIdOf(child.parent, item)));
    return left.length === all.length ? all : left;
  });
}
