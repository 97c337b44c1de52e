/** Nested lists: an item's parent, and its visibility. */
import { type Collection, getParentId, type StoredItem } from "../../schema/entities/entity.ts";
import { parentList } from "../../schema/index.ts";
import { sortItems } from "../../schema/entities/visitorView.ts";
import { noLongerExists, invalidInput, notFound } from "../shared/errors.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** A list as the owner sees it: by arrangement, then by creation; of one parent, if the entity has parents. */
export function createOwnerView(
  entity: Collection,
  items: readonly StoredItem[],
  parentId?: string,
): StoredItem[] {
  const { parent } = entity;
  const siblings = parent ? items.filter((item) => item[parent.field] === parentId) : items;
  return sortItems(entity, siblings);
}

export type ReadItems = (list: Collection) => readonly StoredItem[];

export const createItemReader =
  (store: Store): ReadItems =>
  (list) =>
    store.of(list).read().value;

/** The ancestors' lists, as a transaction sees them. */
export async function readParentLists(
  transaction: Transaction,
  entity: Collection,
): Promise<ReadItems> {
  const lists = new Map<Collection, readonly StoredItem[]>();
  for (let each = parentList(entity); each; each = parentList(each))
    lists.set(each, (await transaction.of(each).read()).value);
  return (list) => lists.get(list) ?? [];
}

/** False when the parent of an item, or any ancestor, is deleted: the item is hidden with it. */
export function areAncestorsPresent(
  lists: ReadItems,
  entity: Collection,
  item: Readonly<Record<string, unknown>>,
): boolean {
  const parent = parentList(entity);
  if (!parent || !entity.parent) return true;
  const ancestor = findItem(lists, parent, getParentId(entity.parent, item));
  return ancestor !== undefined && areAncestorsPresent(lists, parent, ancestor);
}

/** Throws a 404 when this parent doesn't exist or, for visitors, when it or one of its ancestors isn't active. */
export function assertVisibleParent(
  store: Store,
  entity: Collection,
  parentId: string,
  isOwner: boolean,
): void {
  const parent = parentList(entity);
  if (!parent) return;
  const item = findItem(createItemReader(store), parent, parentId);
  const hidden = !isOwner && parent.activeField && item?.[parent.activeField] !== true;
  if (!item || hidden) throw notFound(`This ${parent.label.toLowerCase()} doesn't exist.`);
  if (parent.parent) assertVisibleParent(store, parent, getParentId(parent.parent, item), isOwner);
}

/** Throws a 422 when the values name a parent that doesn't exist. */
export function assertExistingParent(
  store: Store,
  entity: Collection,
  values: Record<string, unknown>,
): void {
  const parent = parentList(entity);
  const field = entity.parent?.field;
  if (!parent || !field || values[field] === undefined) return;
  if (areAncestorsPresent(createItemReader(store), entity, values)) return;
  const { message } = noLongerExists(parent);
  throw invalidInput(message, { [field]: message });
}

const findItem = (lists: ReadItems, entity: Collection, id: string): StoredItem | undefined =>
  lists(entity).find((item) => item.id === id);
