/** Deleting a parent takes along what hangs on it, by declaration (design.md section 5). */
import type { Collection, RecordsEntity } from "../../schema/entity.ts";
import { allEntities } from "../../schema/index.ts";
import type { RecordKey, StoredItem } from "../storage/entitySpecs.ts";
import type { Store } from "../storage/store.ts";
import { itemsOf, type Items } from "./parts.ts";

type Child = Collection | RecordsEntity;

const CHILDREN = allEntities.filter(
  (entity): entity is Child => entity.shape !== "singleton" && entity.parent !== undefined,
);

/** True when something hangs on the items of this entity. */
export const hasChildren = (name: string) => CHILDREN.some(({ parent }) => parent!.entity === name);

/** Removes what hangs on parents that are gone already, all the way down. */
export async function deleteChildren(
  store: Store,
  parentName: string,
  gone: ReadonlySet<unknown>,
): Promise<void> {
  if (gone.size === 0) return;
  for (const child of CHILDREN.filter(({ parent }) => parent!.entity === parentName))
    await removeWhere(store, child, (parentId) => gone.has(parentId));
}

/**
 * At the start: finishes deletions that a crash cut short after the parent had gone. An earlier
 * revision has to tell of that parent: without one it is the list of parents that is not whole (an
 * older file put back by hand, say), and what visitors sent must not go with it.
 */
export async function sweepOrphans(store: Store): Promise<void> {
  for (const child of CHILDREN) {
    const parents = itemsOf(store, { name: child.parent!.entity });
    const there = idsIn(parents.read().value);
    if (!hasOrphans(store, child, there)) continue;
    const gone = (await earlierIds(parents)).difference(there);
    await removeWhere(store, child, (parentId) => gone.has(parentId));
  }
}

const idsIn = (items: readonly StoredItem[]) => new Set<unknown>(items.map(({ id }) => id));

function hasOrphans(store: Store, child: Child, there: ReadonlySet<unknown>): boolean {
  const { field } = child.parent!;
  if (child.shape === "records")
    return (
      store.records<StoredItem, RecordKey>(child.name).count((key) => !there.has(key[field])) > 0
    );
  return itemsOf(store, child)
    .read()
    .value.some((item) => !there.has(item[field]));
}

async function earlierIds(items: Items): Promise<Set<unknown>> {
  const ids = new Set<unknown>();
  for (const { revision } of await items.history())
    for (const { id } of (await items.revision(revision))?.value ?? []) ids.add(id);
  return ids;
}

async function removeWhere(store: Store, child: Child, goes: (parentId: unknown) => boolean) {
  const { field } = child.parent!;
  if (child.shape === "records") {
    const records = store.records<StoredItem, RecordKey>(child.name);
    await records.deleteWhere((key) => goes(key[field]));
    return;
  }
  const removed = new Set<unknown>();
  await itemsOf(store, child).update((items) => {
    for (const item of items) if (goes(item[field])) removed.add(item.id);
    return removed.size === 0 ? items : items.filter(({ id }) => !removed.has(id));
  });
  await deleteChildren(store, child.name, removed);
}
