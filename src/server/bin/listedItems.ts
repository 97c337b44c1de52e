/** Items that are in their lists, as opposed to the bin. */
import {
  type AnyRecords,
  type Collection,
  getParentId,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { entities, parentList } from "../../schema/index.ts";
import { conflict } from "../shared/errors.ts";
import type { Store, Transaction } from "../storage/store.ts";

export type DeletableEntity = Collection | AnyRecords;

/** An item in its list, of whichever shape; undefined when it is missing. */
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

/** The list without an item: the same list if it isn't in it. */
const removeById = <T extends { readonly id: string }>(all: T[], id: string): T[] =>
  all.some((item) => item.id === id) ? all.filter((item) => item.id !== id) : all;

/** Throws `conflict` when a deleted item's parent is deleted or in the bin. */
export async function requireParent(
  transaction: Transaction,
  entity: DeletableEntity,
  item: StoredItem,
): Promise<void> {
  const list = parentList(entity);
  if (!entity.parent || !list) return;
  const id = getParentId(entity.parent, item);
  if (await getListedItem(transaction, list, id)) return;
  const [itemLabel, parentLabel] = [entity.label, list.label].map((each) => each.toLowerCase());
  throw conflict(
    (await transaction.of(entities.bin).get(id))
      ? `This ${itemLabel} belongs to a ${parentLabel} that is also in the trash. Restore the ${parentLabel} first.`
      : `The ${parentLabel} that this ${itemLabel} belonged to no longer exists, so it can't be restored.`,
  );
}

/** The ids of a list's items, without those in the bin. */
export const findVisibleIds = (store: Pick<Store, "of">, entity: Collection): ReadonlySet<string> =>
  new Set(
    store
      .of(entity)
      .read()
      .value.map(({ id }) => id),
  );

/** A filter of records by the field of their parent. */
type ParentFilter = Readonly<Record<string, string | { readonly oneOf: ReadonlySet<string> }>>;

/** The records of one parent, or of all that aren't in the bin. */
export function createParentFilter(
  store: Store,
  entity: AnyRecords,
  parentId?: string,
): ParentFilter {
  const list = parentList(entity);
  if (!entity.parent || !list) return {};
  return { [entity.parent.field]: parentId ?? { oneOf: findVisibleIds(store, list) } };
}
