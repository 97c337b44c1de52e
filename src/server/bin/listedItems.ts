/** Finds and removes items in their lists, and finds parents. The children of an item in the bin are hidden. */
import {
  type AnyRecords,
  type Collection,
  getParentId,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { entities, findParentList } from "../../schema/index.ts";
import { conflict } from "../shared/errors.ts";
import type { Store, Transaction } from "../storage/store.ts";

export type DeletableEntity = Collection | AnyRecords;

export async function getListedItem(
  transaction: Transaction,
  entity: DeletableEntity,
  id: string,
): Promise<StoredItem | undefined> {
  if (entity.shape === "records") return transaction.of<AnyRecords>(entity).get(id);
  const { value } = await transaction.of(entity).read();
  return value.find((item) => item.id === id);
}

export async function removeFromList(
  transaction: Transaction,
  entity: DeletableEntity,
  id: string,
): Promise<void> {
  if (entity.shape === "records") await transaction.of<AnyRecords>(entity).delete(id);
  else await transaction.of(entity).update((all) => removeById(all, id));
}

/** Returns the same array if it doesn't contain the item. */
const removeById = <T extends { readonly id: string }>(all: T[], id: string): T[] =>
  all.some((item) => item.id === id) ? all.filter((item) => item.id !== id) : all;

/** Throws `conflict` if the parent of an item to restore is in the bin or deleted. */
export async function assertParentListed(
  transaction: Transaction,
  entity: DeletableEntity,
  item: StoredItem,
): Promise<void> {
  const parentEntity = findParentList(entity);
  if (!entity.parent || !parentEntity) return;
  const id = getParentId(entity.parent, item);
  if (await getListedItem(transaction, parentEntity, id)) return;
  const [itemLabel, parentLabel] = [entity.label, parentEntity.label].map((each) =>
    each.toLowerCase(),
  );
  throw conflict(
    (await transaction.of(entities.bin).get(id))
      ? `This ${itemLabel} belongs to a ${parentLabel} that is also in the trash. Restore the ${parentLabel} first.`
      : `This ${itemLabel} can't be restored, because the ${parentLabel} that it belonged to no longer exists.`,
  );
}

/** Returns the ids of an entity's items that aren't in the bin. */
export const findVisibleIds = (store: Pick<Store, "of">, entity: Collection): ReadonlySet<string> =>
  new Set(
    store
      .of(entity)
      .read()
      .value.map(({ id }) => id),
  );

type ParentFilter = Readonly<Record<string, string | { readonly oneOf: ReadonlySet<string> }>>;

/** Returns a filter for the records of one parent, or without `parentId` of all parents that aren't in the bin. */
export function createParentFilter(
  store: Store,
  entity: AnyRecords,
  parentId?: string,
): ParentFilter {
  const parentEntity = findParentList(entity);
  if (!entity.parent || !parentEntity) return {};
  return { [entity.parent.field]: parentId ?? { oneOf: findVisibleIds(store, parentEntity) } };
}
