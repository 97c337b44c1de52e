/** What the calls of the content work with, and the way to their documents. */
import type { Collection } from "../../schema/entity.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import type { Clock } from "../http/clock.ts";
import type { StoredItem } from "../storage/entitySpecs.ts";
import type { Document, Store } from "../storage/store.ts";

/** Given by the composition root. */
export interface ContentParts {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly clock: Clock;
}

/** The list of a collection; items are frozen. */
export type Items = Document<StoredItem[]>;

/** The document that holds a collection. */
export function itemsOf(store: Store, { name }: Pick<Collection, "name">): Items {
  return store.document<StoredItem[]>(name);
}
