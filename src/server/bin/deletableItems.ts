/** Which items are in their lists, as opposed to the bin. */
import type { AnyRecords, Collection, StoredItem } from "../../schema/entities/entity.ts";
import { entityByKey } from "../../schema/index.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** An entity whose items can be deleted. */
export type DeletableEntity = Collection | AnyRecords;

/** The ids of the items that are in their lists. */
export async function listedIds(
  store: Store,
  items: readonly { readonly id: string; readonly entity: string }[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const [key, group] of Map.groupBy(items, ({ entity }) => entity)) {
    const entity = entityByKey(key);
    if (!entity || entity.shape === "singleton") continue;
    const ids = group.map(({ id }) => id);
    const listed = await presentOf(store, entity, ids);
    for (const id of ids) if (listed.has(id)) found.add(id);
  }
  return found;
}

const presentOf = async (store: Store, entity: DeletableEntity, ids: readonly string[]) =>
  entity.shape === "records"
    ? store.of<AnyRecords>(entity).existingIds(ids)
    : new Set(
        store
          .of(entity)
          .read()
          .value.map(({ id }) => id),
      );

/** An item in its list, of whichever shape; undefined when it isn't there. */
export async function getListedItem(
  transaction: Transaction,
  entity: DeletableEntity,
  id: string,
): Promise<StoredItem | undefined> {
  if (entity.shape === "records") return transaction.of<AnyRecords>(entity).get(id);
  const { value } = await transaction.of(entity).read();
  return value.find((item) => item.id === id);
}

/** Takes an item out of its list. */
export async function removeFromList(
  transaction: Transaction,
  entity: DeletableEntity,
  id: string,
): Promise<void> {
  if (entity.shape === "records") await transaction.of<AnyRecords>(entity).delete(id);
  else await transaction.of(entity).update((all) => without(all, id));
}

/** The list without an item: the same list if it isn't in it. */
const without = <T extends { readonly id: string }>(all: T[], id: string): T[] =>
  all.some((item) => item.id === id) ? all.filter((item) => item.id !== id) : all;
