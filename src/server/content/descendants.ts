/** The children of list items, such as a form's steps. They are hidden and deleted together with their parent. */
import {
  type Collection,
  getParentId,
  type RecordsEntity,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Log } from "../shared/log.ts";
import type { Bin, DeletableEntity } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";

type ChildEntity = (Collection | RecordsEntity) & Required<Pick<Collection, "parent">>;

const CHILD_ENTITIES = allEntities.filter(
  (entity): entity is ChildEntity => entity.shape !== "singleton" && entity.parent !== undefined,
);

const findChildEntities = (key: string) =>
  CHILD_ENTITIES.filter(({ parent }) => parent.entity === key);

export const hasChildren = (key: string) => findChildEntities(key).length > 0;

type FieldValues = Readonly<Record<string, unknown>>;

/** Returns the number of descendants of the items `ids`, by entity key. */
export async function countDescendants(
  store: Store,
  { key }: DeletableEntity,
  ids: ReadonlySet<string>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const child of findChildEntities(key)) {
    const { field } = child.parent;
    const isChild = (item: FieldValues) => ids.has(getParentId(child.parent, item));
    if (child.shape === "records") {
      counts[child.key] = await store.of(child).count({ [field]: { oneOf: ids } });
      continue;
    }
    const items = store.of(child).read().value.filter(isChild);
    counts[child.key] = items.length;
    const descendantCounts = await countDescendants(
      store,
      child,
      new Set(items.map(({ id }) => id)),
    );
    for (const [name, count] of Object.entries(descendantCounts))
      counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

interface DescendantsContext {
  readonly store: Store;
  readonly bin: Pick<Bin, "readAll">;
  readonly log: Log;
}

/** Returns a function that deletes an item's descendants, for when the item is permanently deleted. */
export async function prepareDescendantRemoval(
  context: DescendantsContext,
  { entity, item }: { readonly entity: DeletableEntity; readonly item: StoredItem },
): Promise<(transaction: Transaction) => Promise<void>> {
  if (!hasChildren(entity.key)) return async () => {};
  const ids = new Set([item.id]);
  const counts = await countDescendants(context.store, entity, ids);
  const groups = await findDescendants(context, entity.key, ids);
  const labels = Object.entries(counts).flatMap(([key, count]) => (count ? `${count} ${key}` : []));
  return async (transaction) => {
    for (const each of groups) await removeDescendants(transaction, each);
    context.log(
      `bin: deleting ${entity.key} ${item.id} with ${labels.join(", ") || "no children"}`,
      "info",
    );
  };
}

interface DescendantGroup {
  readonly childEntity: ChildEntity;
  readonly parentIds: ReadonlySet<string>;
  /** The ids of children in the bin, which can't be restored without their parent. */
  readonly binIds: readonly string[];
}

async function findDescendants(
  context: DescendantsContext,
  key: string,
  parentIds: ReadonlySet<string>,
): Promise<DescendantGroup[]> {
  const { store, bin } = context;
  const groups: DescendantGroup[] = [];
  for (const childEntity of findChildEntities(key)) {
    const isChild = (item: FieldValues) => parentIds.has(getParentId(childEntity.parent, item));
    const binIds: string[] = [];
    for await (const item of bin.readAll(childEntity)) if (isChild(item)) binIds.push(item.id);
    groups.push({ childEntity, parentIds, binIds });
    if (childEntity.shape === "records") continue;
    const items = store.of(childEntity).read().value.filter(isChild);
    const ids = new Set([...items.map(({ id }) => id), ...binIds]);
    if (ids.size > 0) groups.push(...(await findDescendants(context, childEntity.key, ids)));
  }
  return groups;
}

async function removeDescendants(
  transaction: Transaction,
  { childEntity, parentIds, binIds }: DescendantGroup,
): Promise<void> {
  const { field } = childEntity.parent;
  const binRecords = transaction.of(entities.bin);
  for (const id of binIds) await binRecords.delete(id);
  if (childEntity.shape === "records")
    return void (await transaction.of(childEntity).deleteWhere({ [field]: { oneOf: parentIds } }));
  await transaction.of(childEntity).update((all: StoredItem[]) => {
    const remaining = all.filter((item) => !parentIds.has(getParentId(childEntity.parent, item)));
    return remaining.length === all.length ? all : remaining;
  });
}
