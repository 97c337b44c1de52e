/** One item in a document that is a list: by its id, or at the end. */
import type { ItemIn } from "./store.ts";

/** What `put` of a document takes. */
export type ChangeOfItem<T> = (item: ItemIn<T> | undefined) => ItemIn<T> | undefined;

type Listed = { readonly id: string };

/** The item of a list with this id. */
export const itemIn = <T>(list: T, id: string): ItemIn<T> | undefined =>
  (list as readonly Listed[]).find((each) => each.id === id) as ItemIn<T> | undefined;

/** The list with an item changed or put at its end; itself where nothing is. Throws an Error for another id. */
export function withItem<T>(list: T, id: string, change: ChangeOfItem<T>): T {
  const before = itemIn(list, id);
  const item = change(before);
  if (item === before || item === undefined) return list;
  if (item.id !== id) throw new Error("A change must keep the record's id.");
  return placed(list as readonly Listed[], item) as T;
}

/** The list with this item in the place of the one with its id, or at the end. */
export function placed<I extends Listed>(list: readonly I[], item: I): readonly I[] {
  const at = list.findIndex(({ id }) => id === item.id);
  return at === -1 ? [...list, item] : list.with(at, item);
}
