/** The difference between two states of a document that is a list. */

type ListItem = { readonly id: string };

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
