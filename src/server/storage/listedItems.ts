/** Which items are in their lists: those that are in the bin alone are not. */
import type { AnyRecords, Collection, StoredItem } from "../../schema/entity.ts";
import { entityWith } from "../../schema/index.ts";
import type { Store } from "./store.ts";

/** An entity whose items can be deleted. */
export type Listed = Collection | AnyRecords;

/** Whether an item is in its list. */
export const isListed = async (store: Store, entity: string, id: string) =>
  (await listedAmong(store, [{ entity, id }])).size > 0;

/** The ids of those items that are in their lists. */
export async function listedAmong(
  store: Store,
  items: readonly { readonly id: string; readonly entity: string }[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const [key, theirs] of Map.groupBy(items, ({ entity }) => entity)) {
    const entity = entityWith(key);
    if (!entity || entity.shape === "singleton") continue;
    const ids = new Set(theirs.map(({ id }) => id));
    for (const id of await presentOf(store, entity, ids)) if (ids.has(id)) found.add(id);
  }
  return found;
}

const presentOf = async (store: Store, entity: Listed, ids: ReadonlySet<string>) =>
  entity.shape === "records"
    ? store.of<AnyRecords>(entity).present(ids)
    : store
        .of(entity)
        .read()
        .value.map(({ id }) => id);

/** One item as it is stored, whichever the shape of its list; undefined when it isn't there. */
export async function listed(
  store: Store,
  entity: Listed,
  id: string,
): Promise<StoredItem | undefined> {
  return entity.shape === "records"
    ? store.of<AnyRecords>(entity).get(id)
    : inCollection(store, entity, id);
}

const inCollection = (store: Store, entity: Collection, id: string) =>
  store
    .of(entity)
    .read()
    .value.find((item) => item.id === id);
