/** Changes of documents that are lists: replaces single items, and computes the difference between two states. */
import type { ItemIn } from "./store.ts";

/** The callback of a document's `put`. */
export type ItemTransform<T> = (item: ItemIn<T> | undefined) => ItemIn<T> | undefined;

type ListItem = { readonly id: string };

/** Changes an item or appends it. Returns the same list if nothing changed. Throws an Error if the id changes. */
export function replaceItem<T>(list: T, id: string, change: ItemTransform<T>): T {
  const items = list as readonly ListItem[];
  const before = items.find((each) => each.id === id) as ItemIn<T> | undefined;
  const item = change(before);
  if (item === before || item === undefined) return list;
  if (item.id !== id) throw new Error("A change must keep the record's id.");
  return replaceItems(items, [item]) as T;
}

export interface ItemsDifference {
  /** Each replaces the item with its id, or is appended. */
  readonly put: readonly ListItem[];
  readonly gone?: readonly string[];
  /** All ids in their new order, if the order changed. */
  readonly order?: readonly string[];
}

export function findDifference(
  before: readonly ListItem[],
  after: readonly ListItem[],
): ItemsDifference {
  const byId = new Map(before.map((item) => [item.id, item]));
  const ids = after.map(({ id }) => id);
  const remaining = new Set(ids);
  const changed = after.filter((item) => {
    const earlier = byId.get(item.id);
    return earlier !== item && !Bun.deepEquals(earlier, item);
  });
  const removed = before.flatMap(({ id }) => (remaining.has(id) ? [] : id));
  const difference = { put: changed, ...(removed.length > 0 && { gone: removed }) };
  const applied = applyDifference(before, difference);
  return applied.every(({ id }, at) => id === ids[at]) ? difference : { ...difference, order: ids };
}

export function applyDifference(
  before: readonly ListItem[],
  { put: changed, gone = [], order }: ItemsDifference,
): readonly ListItem[] {
  const removed = new Set(gone);
  const items = replaceItems(
    before.filter(({ id }) => !removed.has(id)),
    changed,
  );
  if (!order) return items;
  const byId = new Map(items.map((item) => [item.id, item]));
  return order.flatMap((id) => byId.get(id) ?? []);
}

/** Each replaces the item with its id, or is appended. */
function replaceItems(list: readonly ListItem[], items: readonly ListItem[]): readonly ListItem[] {
  const byId = new Map(list.map((item) => [item.id, item]));
  for (const item of items) byId.set(item.id, item);
  return [...byId.values()];
}
