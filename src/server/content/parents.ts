/** Nested lists: an item's parent, and its visibility. */
import { type Collection, parentIdOf, type StoredItem } from "../../schema/entities/entity.ts";
import { parentListOf } from "../../schema/index.ts";
import { sortItems } from "../../schema/entities/visitorView.ts";
import { noLongerExists, invalid, notFound } from "../shared/errors.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** A list as the owner sees it: by arrangement, then by creation; of one parent, if the entity has parents. */
export function ownerView(
  entity: Collection,
  items: readonly StoredItem[],
  parentId?: string,
): StoredItem[] {
  const { parent } = entity;
  const siblings = parent ? items.filter((item) => item[parent.field] === parentId) : items;
  return sortItems(entity, siblings);
}

export type ItemsOf = (list: Collection) => readonly StoredItem[];

export const itemsOf =
  (store: Store): ItemsOf =>
  (list) =>
    store.of(list).read().value;

/** The ancestors' lists, as a transaction sees them. */
export async function parentLists(transaction: Transaction, entity: Collection): Promise<ItemsOf> {
  const lists = new Map<Collection, readonly StoredItem[]>();
  for (let each = parentListOf(entity); each; each = parentListOf(each))
    lists.set(each, (await transaction.of(each).read()).value);
  return (list) => lists.get(list) ?? [];
}

/** False when the parent of an item, or any ancestor, is deleted: the item is hidden with it. */
export function areAncestorsListed(
  lists: ItemsOf,
  entity: Collection,
  item: Readonly<Record<string, unknown>>,
): boolean {
  const parent = parentListOf(entity);
  if (!parent || !entity.parent) return true;
  const ancestor = findItem(lists, parent, parentIdOf(entity.parent, item));
  return ancestor !== undefined && areAncestorsListed(lists, parent, ancestor);
}

/** Throws a 404 when this parent doesn't exist or, for visitors, when it or one of its ancestors isn't active. */
export function requireVisibleParent(
  store: Store,
  entity: Collection,
  parentId: string,
  isOwner: boolean,
): void {
  const parent = parentListOf(entity);
  if (!parent) return;
  const item = findItem(itemsOf(store), parent, parentId);
  const hidden = !isOwner && parent.activeField && item?.[parent.activeField] !== true;
  if (!item || hidden) throw notFound(`This ${parent.label.toLowerCase()} doesn't exist.`);
  if (parent.parent) requireVisibleParent(store, parent, parentIdOf(parent.parent, item), isOwner);
}

/** Throws a 422 when the values name a parent that doesn't exist. */
export function requireExistingParent(
  store: Store,
  entity: Collection,
  values: Record<string, unknown>,
): void {
  const parent = parentListOf(entity);
  const field = entity.parent?.field;
  if (!parent || !field || values[field] === undefined) return;
  if (areAncestorsListed(itemsOf(store), entity, values)) return;
  const { message } = noLongerExists(parent);
  throw invalid(message, { [field]: message });
}

const findItem = (lists: ItemsOf, entity: Collection, id: string): StoredItem | undefined =>
  lists(entity).find((item) => item.id === id);
