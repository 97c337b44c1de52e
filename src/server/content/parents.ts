/** Lists inside lists: which parent an item hangs on, and who sees it. */
import type { Collection } from "../../schema/entity.ts";
import { entityNamed } from "../../schema/index.ts";
import { invalid, notFound } from "../http/refusal.ts";
import type { StoredItem } from "../storage/entitySpecs.ts";
import type { Store } from "../storage/store.ts";
import { itemsOf } from "./parts.ts";

/** The collection that the items of another one belong to. */
export function parentOf(entity: Collection): Collection | undefined {
  return entity.parent && (entityNamed(entity.parent.entity) as Collection);
}

/**
 * Raises a 404 when the parent with this id does not exist or, for visitors, when it or one further
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
  if (!item || hidden) throw notFound(`There is no such ${parent.label.toLowerCase()}.`);
  if (parent.parent)
    requireVisibleParent(store, parent, item[parent.parent.field] as string, isOwner);
}

/** Raises a 422 when values name a parent that does not exist. */
export function requireKnownParent(
  store: Store,
  entity: Collection,
  values: Record<string, unknown>,
): void {
  const parent = parentOf(entity);
  const field = entity.parent?.field;
  if (!parent || !field || values[field] === undefined) return;
  if (findItem(store, parent, values[field] as string)) return;
  const words = `There is no such ${parent.label.toLowerCase()} any more.`;
  throw invalid(words, { [field]: words });
}

function findItem(store: Store, entity: Collection, id: string): StoredItem | undefined {
  return itemsOf(store, entity)
    .read()
    .value.find((item) => item.id === id);
}
