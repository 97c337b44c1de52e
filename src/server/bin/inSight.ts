/** What is in sight: what belongs to something in the bin stays in its list, and is shown, told and counted nowhere. */
import { type AnyRecords, type Collection, entityWith } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";

/** The ids of all items of a list: those that are in the bin are not. */
export const idsOf = (store: Pick<Store, "of">, entity: Collection): ReadonlySet<string> =>
  new Set(
    store
      .of(entity)
      .read()
      .value.map(({ id }) => id),
  );

/** What records are asked for, by the field of their parent. */
type Within = Readonly<Record<string, string | { readonly oneOf: ReadonlySet<string> }>>;

/** Those of one parent, or of all that are there. */
export function withinParents(store: Store, entity: AnyRecords, parentId?: string): Within {
  if (!entity.parent) return {};
  const { field, entity: key } = entity.parent;
  return { [field]: parentId ?? { oneOf: idsOf(store, entityWith(key) as Collection) } };
}
