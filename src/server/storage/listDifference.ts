/** Computes and applies the difference between two values of a document that is a list. */

type ListItem = { readonly id: string };

export interface ListDifference {
  /** The changed and new items. Each replaces the item with the same id; if there is none, it is appended. */
  readonly put: readonly ListItem[];
  readonly gone?: readonly string[];
  /** All ids in their new order; undefined if the order is unchanged. */
  readonly order?: readonly string[];
}

export function findDifference(
  before: readonly ListItem[],
  after: readonly ListItem[],
): ListDifference {
  const byId = new Map(before.map((item) => [item.id, item]));
  const ids = after.map(({ id }) => id);
  const remainingIds = new Set(ids);
  const changedItems = after.filter((item) => {
    const earlierItem = byId.get(item.id);
    return earlierItem !== item && !Bun.deepEquals(earlierItem, item);
  });
  const removedIds = before.flatMap(({ id }) => (remainingIds.has(id) ? [] : id));
  const difference = { put: changedItems, ...(removedIds.length > 0 && { gone: removedIds }) };
  const result = applyDifference(before, difference);
  return result.every(({ id }, index) => id === ids[index])
    ? difference
    : { ...difference, order: ids };
}

export function applyDifference(
  before: readonly ListItem[],
  { put: changedItems, gone = [], order }: ListDifference,
): readonly ListItem[] {
  const byId = new Map(before.map((item) => [item.id, item]));
  for (const id of gone) byId.delete(id);
  // `Map.set` keeps the position of a replaced item, and appends a new item.
  for (const item of changedItems) byId.set(item.id, item);
  return order ? order.flatMap((id) => byId.get(id) ?? []) : [...byId.values()];
}
