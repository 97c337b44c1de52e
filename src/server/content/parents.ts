/** Lists inside lists: which parent an item hangs on, who sees it. */
import type { Collection, StoredItem } from "../../schema/entity.ts";
import { entityWith } from "../../schema/index.ts";
import { arranged } from "../../schema/visitorView.ts";
import { gone, invalid, notFound } from "../shared/errors.ts";
import type { Store } from "../storage/store.ts";

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
export function parentOf(entity: Collection): Collection | undefined {
  return entity.parent && (entityWith(entity.parent.entity) as Collection);
}

/** False for what belongs to a deleted item, or to what belongs to one in turn: it is out of sight with it. */
export function isLive(
  store: Store,
  entity: Collection,
  item: Readonly<Record<string, unknown>>,
): boolean {
  const parent = parentOf(entity);
  if (!parent) return true;
  const found = findItem(store, parent, item[entity.parent!.field] as string);
  return found !== undefined && isLive(store, parent, found);
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
  const item = findItem(store, parent, parentId);
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
  if (isLive(store, entity, values)) return;
  const { message } = gone(parent);
  throw invalid(message, { [field]: message });
}

function findItem(store: Store, entity: Collection, id: string): StoredItem | undefined {
  return store
    .of(entity)
    .read()
    .value.find((item) => item.id === id);
}
