/** Lists inside lists: which parent an item hangs on, who sees it, what goes with a deleted one. */
import type { Collection, RecordsEntity, StoredItem } from "../../schema/entity.ts";
import { allEntities, entityWith } from "../../schema/index.ts";
import { arranged } from "../../schema/visitorView.ts";
import { gone, invalid, notFound } from "../errors.ts";
import type { Document, Store } from "../storage/store.ts";

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

export function parentOf(entity: Collection): Collection | undefined {
  return entity.parent && (entityWith(entity.parent.entity) as Collection);
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
  if (findItem(store, parent, values[field] as string)) return;
  const { message } = gone(parent);
  throw invalid(message, { [field]: message });
}

function findItem(store: Store, entity: Collection, id: string): StoredItem | undefined {
  return store
    .of(entity)
    .read()
    .value.find((item) => item.id === id);
}

type Child = Collection | RecordsEntity;

const CHILDREN = allEntities.filter(
  (entity): entity is Child => entity.shape !== "singleton" && entity.parent !== undefined,
);

/** True when other entities belong to the items of this one. */
export const hasChildren = (key: string) => CHILDREN.some(({ parent }) => parent!.entity === key);

/** Deletes the children of deleted parents, all the way down. */
export async function deleteChildren(
  store: Store,
  parentKey: string,
  ids: ReadonlySet<unknown>,
): Promise<void> {
  if (ids.size === 0) return;
  for (const child of CHILDREN.filter(({ parent }) => parent!.entity === parentKey))
    await removeWhere(store, child, (parentId) => ids.has(parentId));
}

/**
 * At the start: finishes deletions that a crash interrupted after the parent was gone. Only parents
 * that an earlier revision names count as deleted: otherwise the list of parents may itself be
 * incomplete (an older file put back by hand, say), and what visitors sent must not be deleted
 * because of that.
 */
export async function sweepOrphans(store: Store): Promise<void> {
  for (const child of CHILDREN) {
    const parents = store.of(entityWith(child.parent!.entity) as Collection);
    const there = idsIn(parents.read().value);
    if (!hasOrphans(store, child, there)) continue;
    const removed = (await earlierIds(parents)).difference(there);
    await removeWhere(store, child, (parentId) => removed.has(parentId));
  }
}

const idsIn = (items: readonly StoredItem[]) => new Set<unknown>(items.map(({ id }) => id));

function hasOrphans(store: Store, child: Child, there: ReadonlySet<unknown>): boolean {
  const { field } = child.parent!;
  if (child.shape === "records") return store.of(child).count((key) => !there.has(key[field])) > 0;
  return store
    .of(child)
    .read()
    .value.some((item) => !there.has(item[field]));
}

async function earlierIds(items: Document<StoredItem[]>): Promise<Set<unknown>> {
  const ids = new Set<unknown>();
  for (const { revision } of await items.history())
    for (const { id } of (await items.revision(revision))?.value ?? []) ids.add(id);
  return ids;
}

async function removeWhere(store: Store, child: Child, goes: (parentId: unknown) => boolean) {
  const { field } = child.parent!;
  if (child.shape === "records") {
    await store.of(child).deleteWhere((key) => goes(key[field]));
    return;
  }
  const removed = new Set<unknown>();
  await store.of(child).update((items) => {
    for (const item of items) if (goes(item[field])) removed.add(item.id);
    return removed.size === 0 ? items : items.filter(({ id }) => !removed.has(id));
  });
  await deleteChildren(store, child.key, removed);
}
