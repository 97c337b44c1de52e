/** Visibility: children of an item in the bin stay in their lists, but are never shown, mentioned or counted. */
import { type AnyRecords, type Collection, parentList } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";

/** The ids of a list's items, without those in the bin. */
export const findVisibleIds = (store: Pick<Store, "of">, entity: Collection): ReadonlySet<string> =>
  new Set(
    store
      .of(entity)
      .read()
      .value.map(({ id }) => id),
  );

/** A filter of records by the field of their parent. */
type ParentFilter = Readonly<Record<string, string | { readonly oneOf: ReadonlySet<string> }>>;

/** The records of one parent, or of all that aren't in the bin. */
export function createParentFilter(
  store: Store,
  entity: AnyRecords,
  parentId?: string,
): ParentFilter {
  const list = parentList(entity);
  if (!entity.parent || !list) return {};
  return { [entity.parent.field]: parentId ?? { oneOf: findVisibleIds(store, list) } };
}
