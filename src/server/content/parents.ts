/** The parents of items in nested lists. An item is visible only if its parents are. */
import { type Collection, getParentId, type StoredItem } from "../../schema/entities/entity.ts";
import { findParentList } from "../../schema/index.ts";
import { sortItems } from "../../schema/entities/visitorView.ts";
import { noLongerExists, invalidInput, notFound } from "../shared/errors.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** Returns a list in the owner's order. For nested lists, returns only the children of one parent. */
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

export async function readParentLists(
  transaction: Transaction,
  entity: Collection,
): Promise<ReadItems> {
  const lists = new Map<Collection, readonly StoredItem[]>();
  for (let each = findParentList(entity); each; each = findParentList(each))
    lists.set(each, (await transaction.of(each).read()).value);
  return (list) => lists.get(list) ?? [];
}

/** Whether an item's parents exist. Otherwise, the item is hidden. */
export function areAncestorsPresent(
  readItems: ReadItems,
  entity: Collection,
  item: Readonly<Record<string, unknown>>,
): boolean {
  const parent = findParentList(entity);
  if (!parent || !entity.parent) return true;
  const ancestor = findItem(readItems, parent, getParentId(entity.parent, item));
  return ancestor !== undefined && areAncestorsPresent(readItems, parent, ancestor);
}

/** Throws a 404 if a parent doesn't exist, or if a visitor may not see it. */
export function assertVisibleParent(
  store: Store,
  entity: Collection,
  parentId: string,
  isOwner: boolean,
): void {
  const parent = findParentList(entity);
  if (!parent) return;
  const parentItem = findItem(createItemReader(store), parent, parentId);
  const isHidden = !isOwner && parent.activeField && parentItem?.[parent.activeField] !== true;
  if (!parentItem || isHidden) throw notFound(`This ${parent.label.toLowerCase()} doesn't exist.`);
  if (parent.parent)
    assertVisibleParent(store, parent, getParentId(parent.parent, parentItem), isOwner);
}

/** Throws a 422 if the values name a parent that doesn't exist or is hidden. */
export function assertExistingParent(
  store: Store,
  entity: Collection,
  values: Record<string, unknown>,
): void {
  const parent = findParentList(entity);
  const field = entity.parent?.field;
  if (!parent || !field || values[field] === undefined) return;
  if (areAncestorsPresent(createItemReader(store), entity, values)) return;
  const { message } = noLongerExists(parent);
  throw invalidInput(message, { [field]: message });
}

const findItem = (readItems: ReadItems, entity: Collection, id: string): StoredItem | undefined =>
  readItems(entity).find((item) => item.id === id);
