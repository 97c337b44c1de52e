/** One item of a list that is one document. */
import type { Collection, ItemOf } from "../../schema/entities/entity.ts";
import type { Store } from "./store.ts";

/** The item with an id; undefined without one. */
export const findItem = <E extends Collection>(
  store: Store,
  entity: E,
  id: string | null | undefined,
): ItemOf<E> | undefined =>
  (store.of<Collection>(entity).read().value as ItemOf<E>[]).find((each) => each.id === id);
