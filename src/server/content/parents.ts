/** Lists inside lists: which parent an item hangs on, who sees it. */
import type { Collection, StoredItem } from "../../schema/entity.ts";
import { entityWith } from "../../schema/index.ts";
import { arranged } from "../../schema/visitorView.ts";
import { gone, invalid, notFound } from "../shared/errors.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** A list as its owner sees it: by its arrangement, then by creation; the items of one parent, if the list has any. */
export function ownersList(
  entity: Collection,
  items: readonly StoredItem[],
  parentId?: string,
): StoredItem[] {
  const { parent } = entity;
  const own = parent ? items.filter((item) => item[parent.field] === parentId) : items;
  return arranged(entity, own);
}

/** The list whose items those of this one belong to; undefined where there is none. */
function parentOf(entity: Collection): Collection | undefined {
  return entity.parent && (entityWith(entity.parent.entity) as Collection);
}

/** What is in a list of which others are part. */
export type ItemsOf = (list: Collection) => readonly StoredItem[];

export const itemsOf =
  (store: Store): ItemsOf =>
  (list) =>
    store.of(list).read().value;

/** The lists that the items of one belong to, as a transaction sees them. */
export async function parentsWithin(
  transaction: Transaction,
  entity: Collection,
): Promise<ItemsOf> {
  const lists = new Map<Collection, readonly StoredItem[]>();
  for (let each = parentOf(entity); each; each = parentOf(each))
    lists.set(each, (await transaction.of(each).read()).value);
  return (list) => lists.get(list) ?? [];
}

/** False for what belongs to a deleted item, or to what belongs to one in turn: it is out of sight with it. */
export function isLive(
  lists: ItemsOf,
  entity: Collection,
  item: Readonly<Record<string, unknown>>,
): boolean {
  const parent = parentOf(entity);
  if (!parent || !entity.parent) return true;
  const found = findItem(lists, parent, item[entity.parent.field] as string);
  return found !== undefined && isLive(lists, parent, found);
}

/**
 * Throws a 404 when the parent with this id does not exist or, for visitors, when it or one further
 * up is not active.
 */
export function requireVisibleParent(
  store: Store,
  entity: Collection,
  parentId: string,
  isOwner: boolean,
): void {
  const parent = parentOf(entity);
  if (!parent) return;
  const item = findItem(itemsOf(store), parent, parentId);
  const hidden = !isOwner && parent.activeField && item?.[parent.activeField] !== true;
  if (!item || hidden) throw notFound(`This ${parent.label.toLowerCase()} doesn't exist.`);
  if (parent.parent)
    requireVisibleParent(store, parent, item[parent.parent.field] as string, isOwner);
}

/** Throws a 422 when values name a parent that does not exist. */
export function requireKnownParent(
  store: Store,
  entity: Collection,
  values: Record<string, unknown>,
): void {
  const parent = parentOf(entity);
  const field = entity.parent?.field;
  if (!parent || !field || values[field] === undefined) return;
  if (isLive(itemsOf(store), entity, values)) return;
  const { message } = gone(parent);
  throw invalid(message, { [field]: message });
}

const findItem = (lists: ItemsOf, entity: Collection, id: string): StoredItem | undefined =>
  lists(entity).find((item) => item.id === id);
