/** Items that are in their lists, as opposed to the bin. */
import type { AnyRecords, Collection, StoredItem } from "../../schema/entities/entity.ts";
import type { Transaction } from "../storage/store.ts";

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
  else await transaction.of(entity).update((all) => without(all, id));
}

/** The list without an item: the same list if it isn't in it. */
const without = <T extends { readonly id: string }>(all: T[], id: string): T[] =>
  all.some((item) => item.id === id) ? all.filter((item) => item.id !== id) : all;
