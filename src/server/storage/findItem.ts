import type { Collection, ItemOf } from "../../schema/entities/entity.ts";
import type { Store } from "./store.ts";

/** Finds the item with an id in a collection; undefined if there is none. */
export const findItem = <E extends Collection>(
  store: Store,
  entity: E,
  id: string | null | undefined,
): ItemOf<E> | undefined =>
  (store.of<Collection>(entity).read().value as ItemOf<E>[]).find((each) => each.id === id);
